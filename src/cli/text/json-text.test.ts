import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlainJson } from "../../ir/index.ts";
import { jsonPieces } from "./json-text.ts";

describe("JSON in pieces", () => {
  it("is what JSON.stringify gives, with a line end", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = [...jsonPieces(value as PlainJson)].join("");
        expect(text).toBe(`${JSON.stringify(value, null, 2)}\n`);
      }),
    );
  });

  it("comes in pieces that can each be held", () => {
    const pieces = [...jsonPieces(Array.from({ length: 100_000 }, (_, i) => ({ i })))];
    expect(pieces.length).toBeGreaterThan(10);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(200_000);
  });

  it("does not mind depth", () => {
    let value: PlainJson = 1;
    for (let i = 0; i < 1000; i++) value = [value];
    expect([...jsonPieces(value)].join("").replace(/\s/g, "")).toBe(
      `${"[".repeat(1000)}1${"]".repeat(1000)}`,
    );
  });
});
