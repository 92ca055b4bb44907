/** Checks of the page without a browser: its colors, its text, its types. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { MayDo as MayDoOnTheWire } from "../../src/approve/wire.ts";
import type { MayDo } from "../../src/explain/index.ts";
import { pieces, visibleText } from "../../src/explain/visible.ts";
import { statements } from "../../src/web/data/words.ts";
import { root } from "../cli/built.ts";
import { runs } from "../support/runs.ts";

test("what a program may do goes over the wire as it is", () => {
  expectTypeOf<MayDo>().toEqualTypeOf<MayDoOnTheWire>();
});

describe("text on the page", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.string({
      unit: fc.constantFrom(
        "a",
        " ",
        "\u202e",
        "\u200b",
        "\n",
        "\t",
        "\0",
        "é",
        "\u0301",
        "ש",
        "\ud800",
        "<",
        "\u2800",
      ),
    }),
  );

  test("says what sentences say", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(
          pieces(text)
            .map((piece) => piece.text)
            .join(""),
        ).toBe(visibleText(text));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test("keeps lines and tabs of a source, and nothing else that cannot be seen", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = pieces(text, true).map((piece) => piece.text);
        for (const part of shown.join("").split(/[\n\t]/)) expect(visibleText(part)).toBe(part);
        expect(shown.join("").replace(/[^\n\t]/g, "")).toBe(text.replace(/[^\n\t]/g, ""));
      }),
      { numRuns: runs(1_000) },
    );
  });
});

test("a text in quotation marks makes no statement of its own", () => {
  const text = 'it is `0` at first; call 1 may set it to 1 for "a; \\"b; c"; call 2 may set it to "d;"';
  expect(statements(text)).toEqual([
    "it is `0` at first",
    'call 1 may set it to 1 for "a; \\"b; c"',
    'call 2 may set it to "d;"',
  ]);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', "\\", ";", " ", "a") }), (any) => {
      expect(statements(any).join("; ")).toBe(any);
    }),
    { numRuns: runs(500) },
  );
});

describe("contrast", () => {
  const sheet = readFileSync(join(root, "src/web/style/1-tokens.css"), "utf8");
  const [light = "", dark = ""] = sheet.split("@media (prefers-color-scheme: dark)");
  const tokens = (css: string) =>
    new Map(
      Array.from(css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g), ([, name = "", hex = ""]) => [name, hex]),
    );
  const grounds = ["paper", "card", "sunken"];
  const hues = ["accent", "proved", "refuted", "unknown"];

  test.each([
    ["light", tokens(light)],
    ["dark", tokens(dark)],
  ] as const)("%s: text has 4.5 to 1, signs and frames have 3 to 1", (_, colours) => {
    const of = (name: string) => luminance(colours.get(name) ?? expect.fail(`no colour ${name}`));
    const low: string[] = [];
    const need = (ink: string, ground: string, least: number) => {
      const [a, b] = [of(ink), of(ground)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < least) low.push(`${ink} on ${ground}: ${ratio.toFixed(2)}`);
    };
    for (const ground of [...grounds, ...hues.map((hue) => `${hue}-soft`)]) {
      need("ink", ground, 4.5);
      need("ink-soft", ground, 4.5);
    }
    for (const hue of hues) for (const ground of [...grounds, `${hue}-soft`]) need(`${hue}-ink`, ground, 4.5);
    need("on-accent", "accent", 4.5);
    need("on-accent", "accent-strong", 4.5);
    for (const ground of ["paper", "card"])
      for (const sign of ["accent", "line-strong", "proved-line", "refuted-line", "unknown-line"])
        need(sign, ground, 3);
    expect(low).toEqual([]);
  });

  test("no other sheet has a colour of its own, but for shadows", () => {
    for (const name of readdirSync(join(root, "src/web/style")).filter((one) => !one.startsWith("1-"))) {
      const css = readFileSync(join(root, "src/web/style", name), "utf8");
      const own = css.split("\n").filter((line) => /#[0-9a-f]{3,8}\b|rgb\(/i.test(line));
      expect(own.filter((line) => !/shadow|backdrop|background: rgb\(10 12 18/.test(line))).toEqual([]);
    }
  });
});

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
