import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { changed } from "./text-document.ts";

const at = (line: number, character: number) => ({ line, character });

describe("changes of a document", () => {
  it("apply in their order, in UTF-16 code units", () => {
    const changes = [
      { range: { start: at(0, 2), end: at(0, 3) }, text: "x" },
      { range: { start: at(1, 0), end: at(1, 0) }, text: "new\n" },
    ];
    expect(changed("😀a\nb", changes)).toBe("😀x\nnew\nb");
  });

  it("beyond a line mean its end, and beyond the text the end of it", () => {
    expect(changed("a\r\nb", [{ range: { start: at(0, 99), end: at(0, 99) }, text: "!" }])).toBe("a!\r\nb");
    expect(changed("a\nb", [{ range: { start: at(9, 0), end: at(9, 0) }, text: "!" }])).toBe("a\nb!");
  });

  it.each([
    ["no list", {}],
    ["no text", [{}]],
    ["half a range", [{ text: "x", range: { start: at(0, 0) } }]],
    ["a line below zero", [{ text: "x", range: { start: at(-1, 0), end: at(0, 0) } }]],
    ["half a character", [{ text: "x", range: { start: at(0, 0.5), end: at(0, 1) } }]],
  ])("with %s change nothing", (_, changes) => {
    expect(changed("a", changes)).toBeUndefined();
  });

  it("give the text that an editor has", () => {
    const piece = fc.string({ maxLength: 6, unit: fc.constantFrom("a", "b", "\n", "é") });
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30, unit: fc.constantFrom("a", "\n") }),
        fc.nat(40),
        fc.nat(40),
        piece,
        (text, a, b, put) => {
          const [start, end] = [Math.min(a, b), Math.max(a, b)].map((one) => Math.min(one, text.length));
          const position = (offset: number) => {
            const before = text.slice(0, offset).split("\n");
            return at(before.length - 1, before.at(-1)?.length ?? 0);
          };
          const change = { range: { start: position(start ?? 0), end: position(end ?? 0) }, text: put };
          expect(changed(text, [change])).toBe(text.slice(0, start) + put + text.slice(end));
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
