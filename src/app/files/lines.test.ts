import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lines } from "./lines.ts";

const anyText = fc.string({
  unit: fc.constantFrom("a", "é", "\u{1f600}", "\n", "\r", "\r\n", " "),
  maxLength: 20,
});

describe("lines", () => {
  it.each<[text: string, offset: number, line: number, column: number]>([
    ["", 0, 1, 1],
    ["ab", 1, 1, 2],
    ["ab\ncd", 3, 2, 1],
    ["ab\r\ncd", 4, 2, 1],
    ["ab\rcd", 4, 2, 2],
    ["ab\n", 3, 2, 1],
    ["\u{1f600}x", 2, 1, 3],
    ["ab", 99, 1, 3],
    ["ab", -1, 1, 1],
  ])("%j at %d is %d:%d", (text, offset, line, column) => {
    expect(new Lines(text).positionOf(offset)).toEqual({ line, column });
  });

  it("gives every offset the line that it stands on", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = new Lines(text);
        expect(lines.count).toBe(text.split(/\r\n|\n|\r/).length);
        for (let offset = 0; offset <= text.length; offset++) {
          const { line, column } = lines.positionOf(offset);
          expect(lines.lineSpan(line).start + column - 1).toBe(offset);
          if (line < lines.count) expect(offset).toBeLessThan(lines.lineSpan(line + 1).start);
        }
      }),
    );
  });

  it("says what each line says", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = new Lines(text);
        const said = Array.from({ length: lines.count }, (_, i) => {
          const { start, end } = lines.lineSpan(i + 1);
          return text.slice(start, end);
        });
        expect(said).toEqual(text.split(/\r\n|\n|\r/));
      }),
    );
  });

  it("has no line beyond the last", () => {
    expect(() => new Lines("a").lineSpan(2)).toThrow(RangeError);
  });
});
