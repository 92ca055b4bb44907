import { expect, test } from "vitest";
import type { Document, Expr } from "../document.ts";
import { ratio } from "../number.ts";
import { documentToJson, exprToJson } from "./encode.ts";

const program = { inputs: [], body: [] };
const empty: Document = { effectIr: 1, fluents: [], tools: [], program, guarantees: [] };

test("lists without elements and flags that are not set are left out", () => {
  expect(documentToJson(empty)).toEqual({ effectIr: 1, program: {} });
  const tool = { name: "t", params: [], labels: [], requires: [], ensures: [], sets: [] };
  expect(documentToJson({ ...empty, tools: [{ ...tool, reads: true }] })).toEqual({
    effectIr: 1,
    tools: [{ name: "t", reads: true }],
    program: {},
  });
});

test.each<[string, Expr, object]>([
  ["an integer", { kind: "number", value: -5n }, { kind: "number", value: "-5" }],
  ["a big one", { kind: "number", value: 10n ** 30n }, { kind: "number", value: `1${"0".repeat(30)}` }],
  ["a ratio", { kind: "number", value: ratio(-14n, 6n) }, { kind: "number", value: "-7/3" }],
  ["a decimal", { kind: "number", value: ratio(1n, 4n) }, { kind: "number", value: "1/4" }],
  ["an empty string", { kind: "string", value: "" }, { kind: "string", value: "" }],
  ["false", { kind: "bool", value: false }, { kind: "bool", value: false }],
  ["an empty record", { kind: "record", fields: [] }, { kind: "record" }],
  ["an operator without operands", { kind: "op", op: "+", args: [] }, { kind: "op", op: "+" }],
])("%s", (_, expr, json) => {
  expect(exprToJson(expr)).toEqual(json);
});

test.each<[string, object]>([
  ["a field that no document has", { ...empty, note: "x" }],
  ["a node of no kind", { ...empty, program: { inputs: [], body: [{ name: "a" }] } }],
  ["a node of an unknown kind", { ...empty, program: { inputs: [], body: [{ kind: "repeat" }] } }],
  ["a kind that every object has", { ...empty, program: { inputs: [], body: [{ kind: "toString" }] } }],
  ["a missing field", { ...empty, program: { inputs: [], body: [{ kind: "let", name: "a" }] } }],
  ["a missing list", { effectIr: 1, fluents: [], tools: [], program, guarantees: undefined }],
  ["a number for a name", { ...empty, modules: 5 }],
  [
    "a number that is not exact",
    { ...empty, guarantees: [{ name: "g", args: [{ kind: "number", value: 5 }] }] },
  ],
  [
    "a flag that is false",
    { ...empty, program: { inputs: [{ name: "a", type: { kind: "int" }, optional: false }], body: [] } },
  ],
  [
    "a type without values",
    { ...empty, program: { inputs: [{ name: "a", type: { kind: "never" } }], body: [] } },
  ],
  ["a text for a list", { ...empty, tools: "t" }],
  [
    "a list of numbers for labels",
    { ...empty, tools: [{ name: "t", params: [], labels: [1], requires: [], ensures: [], sets: [] }] },
  ],
])("a fault of ours throws, and is never left out: %s", (_, document) => {
  expect(() => documentToJson(document as Document)).toThrow(TypeError);
});
