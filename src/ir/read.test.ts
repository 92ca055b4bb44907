import { describe, expect, test } from "vitest";
import { readDocument } from "./read.ts";

describe("which form it is", () => {
  test.each<[string, string, "text" | "json" | "refused"]>([
    ["a text", "effect-ir 1", "text"],
    ["a text after blanks and a comment", "\n  // {\neffect-ir 1", "text"],
    ["a text after a byte order mark", "\ufeffeffect-ir 1", "text"],
    ["JSON", '{"effectIr":1,"program":{}}', "json"],
    ["JSON after blanks", ' \n\t{"effectIr":1,"program":{}}\n', "json"],
    ["nothing", "", "refused"],
    ["an array", "[]", "refused"],
    ["another text", "hello", "refused"],
    ["a brace", "{", "refused"],
  ])("%s", (_, text, form) => {
    const read = readDocument(text);
    expect(read.ok ? read.value.form : "refused").toBe(form);
    if (!read.ok) expect(read.problems.length).toBeGreaterThan(0);
  });
});

test("every problem has a place inside the text, and they are in order", () => {
  const texts = [
    "effect-ir 1\ntool t(a: int)\n  cost b\n  ensures c\n  requires d\nprogram () {\n call t(a: e)\n}\nguarantee g(): f",
    '{"effectIr":1,"tools":[{"name":"t","cost":{"kind":"var","name":"x"},"params":5}],"program":{"body":[{}]}}',
    "effect-ir 1\nprogram () { let a = }",
    '{"effectIr":1,',
    "",
  ];
  for (const text of texts) {
    const read = readDocument(text);
    const spans = read.ok ? [] : read.problems.map(({ span }) => span);
    expect(spans.length).toBeGreaterThan(0);
    for (const span of spans) {
      expect(span).toBeDefined();
      expect(span!.start).toBeGreaterThanOrEqual(0);
      expect(span!.end).toBeGreaterThanOrEqual(span!.start);
      expect(span!.end).toBeLessThanOrEqual(text.length);
    }
    const starts = spans.map((span) => span!.start);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  }
});

test("the source map comes with the JSON form", () => {
  const map = { files: ["a.ts"], places: { "/program": [0, 1, 1, 9, 2] } };
  const read = readDocument(JSON.stringify({ effectIr: 1, program: {}, sourceMap: map }));
  expect(read.ok && read.value.sourceMap?.files).toEqual(["a.ts"]);
  expect(read.ok && read.value.sourceMap?.places.get("/program")).toMatchObject({ file: 0, endLine: 9 });
  const plain = readDocument('{"effectIr":1,"program":{}}');
  expect(plain.ok && Object.hasOwn(plain.value, "sourceMap")).toBe(false);
});

test("a document that is wrong everywhere is told so a hundred times at most", () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `  let a${i} = unknown${i}`);
  const read = readDocument(`effect-ir 1\nprogram () {\n${lines.join("\n")}\n}`);
  expect(read.ok ? 0 : read.problems.length).toBe(100);
});
