import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Column, table } from "./table.ts";
import { columnsOf } from "./width.ts";

const plain = { cutSign: "…", head: (text: string) => text };
const columns: readonly Column[] = [
  { title: "#", align: "right" },
  { title: "name", least: 4 },
  { title: "what", least: 6 },
];

function shown(rows: readonly (readonly string[])[], width: number): string[] {
  const cells = rows.map((row) => row.map((text) => ({ text })));
  return table(columns, cells, { ...plain, width }).flat();
}

describe("a table", () => {
  it("is as wide as what is in it", () => {
    expect(
      shown(
        [
          ["1", "ab", "x"],
          ["10", "日本語", ""],
        ],
        80,
      ),
    ).toEqual([" #  name    what", " 1  ab      x", "10  日本語"]);
  });

  it("breaks long cells, and cuts very long ones", () => {
    expect(shown([["1", "ab", "one two three four five six"]], 22)).toEqual([
      "#  name  what",
      "1  ab    one two three",
      "         four five six",
    ]);
    expect(shown([["1", "ab", "one two three four five six"]], 15)).toEqual([
      "#  name  what",
      "1  ab    one",
      "         two",
      "         three…",
    ]);
  });

  it("keeps short columns whole, and lets long ones share the rest", () => {
    const [title] = shown([["1", "n".repeat(40), "w".repeat(60)]], 31);
    expect(title).toBe("#  name           what");
  });

  it("paints cells after they were measured, and nothing that is empty", () => {
    const paint = (text: string) => `<${text}>`;
    const rows = [[{ text: "1" }, { text: "ab", paint }, { text: "", paint }]];
    expect(table(columns, rows, { ...plain, head: paint, width: 80 }).flat()).toEqual([
      "<#>  <name>  <what>",
      "1  <ab>",
    ]);
  });

  it("never goes beyond the width while its columns can be narrower", () => {
    const anyRow = fc.tuple(fc.constant("7"), fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 }));
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 5 }), fc.integer({ min: 15, max: 60 }), (rows, width) => {
        for (const line of shown(rows, width)) expect(columnsOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
