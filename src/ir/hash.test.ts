import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyProgram } from "../../tests/support/arbitrary-program.ts";
import { runs } from "../../tests/support/runs.ts";
import type { Document } from "./document.ts";
import { hashDocument } from "./hash.ts";
import { documentToJson } from "./json/encode.ts";

const empty: Document = {
  effectIr: 1,
  fluents: [],
  tools: [],
  program: { inputs: [], body: [] },
  guarantees: [],
};

test("is the SHA-256 of the canonical JSON, by other hands", () => {
  const canonical = '{"effectIr":1,"program":{}}';
  expect(hashDocument(empty)).toBe(`eir1-${createHash("sha256").update(canonical).digest("hex")}`);
  fc.assert(
    fc.property(anyProgram(), ({ document }) => {
      const json = documentToJson(document);
      // The RFC, and so the other implementation, has no answer for half a surrogate pair.
      fc.pre(!/\\ud[89a-f]/.test(JSON.stringify(json)));
      const text = canonicalize(json) ?? "";
      expect(hashDocument(document)).toBe(`eir1-${createHash("sha256").update(text, "utf8").digest("hex")}`);
    }),
    { numRuns: runs(60) },
  );
});

test("does not depend on the order in which fields were written, and does on that of everything else", () => {
  const reordered = {
    guarantees: [],
    program: { body: [], inputs: [] },
    tools: [],
    fluents: [],
    effectIr: 1,
  } as const;
  expect(hashDocument(reordered)).toBe(hashDocument(empty));
  const [a, b] = [
    { name: "a", type: { kind: "int" } },
    { name: "b", type: { kind: "int" } },
  ] as const;
  const withInputs = (inputs: Document["program"]["inputs"]) =>
    hashDocument({ ...empty, program: { inputs, body: [] } });
  expect(withInputs([a, b])).not.toBe(withInputs([b, a]));
});

test("of a long document is that of the whole of it", () => {
  const modules = (length: number) => hashDocument({ ...empty, modules: "é".repeat(length) });
  const expected = (length: number) => {
    const text = JSON.stringify({ effectIr: 1, modules: "é".repeat(length), program: {} });
    return `eir1-${createHash("sha256").update(text, "utf8").digest("hex")}`;
  };
  for (const length of [1, 63, 64, 65, 16_383, 16_384, 65_535, 65_536, 65_537, 500_000]) {
    expect(modules(length)).toBe(expected(length));
  }
});

test("nothing is left out silently", () => {
  const surprising = { ...empty, note: "x" } as Document;
  expect(() => hashDocument(surprising)).toThrow(TypeError);
  const deeper = { ...empty, program: { ...empty.program, note: "x" } } as Document;
  expect(() => hashDocument(deeper)).toThrow(TypeError);
});
