import { expect, test } from "vitest";
import { hashDocument } from "../hash.ts";
import { printExpr } from "../text/printer.ts";
import { documentFromJson, documentFromJsonText } from "./decode.ts";
import { readJson } from "./reader.ts";

test("one document can be written in many ways, and has one hash", () => {
  const plain =
    '{"effectIr":1,"program":{"body":[{"kind":"let","name":"a","value":{"kind":"number","value":"1/2"}}]}}';
  const others = [
    '{"program":{"body":[{"value":{"value":"1/2","kind":"number"},"name":"a","kind":"let"}]},"effectIr":1}',
    '{"effectIr":1.0,"program":{"body":[{"kind":"let","name":"\\u0061","value":{"kind":"number","value":"0.5"}}]}}',
    '{"effectIr":1,"tools":[],"fluents":[],"guarantees":[],"program":{"inputs":[],"body":[{"kind":"let","name":"a","value":{"kind":"number","value":"2/4"}}]}}',
    '{"effectIr":1,"sourceMap":{"files":[],"places":{}},"program":{"body":[{"kind":"let","name":"a","value":{"kind":"number","value":"0.50"}}]}}',
  ];
  expect(new Set([plain, ...others].map((text) => hashDocument(decoded(text)))).size).toBe(1);
});

test.each([
  ["0", "0"],
  ["-0", "0"],
  ["12", "12"],
  ["-3/6", "-0.5"],
  ["7/3", "ratio(7, 3)"],
  ["0.10", "0.1"],
])("the number %s is %s", (written, printed) => {
  const value = JSON.stringify({ kind: "number", value: written });
  const { guarantees } = decoded(`{"effectIr":1,"program":{},"guarantees":[{"name":"g","args":[${value}]}]}`);
  expect(printExpr(guarantees[0]!.args[0]!)).toBe(printed);
});

test("names that objects have are names like any other", () => {
  const fields = '[{"name":"__proto__","type":{"kind":"int"}},{"name":"constructor","type":{"kind":"int"}}]';
  const { program } = decoded(`{"effectIr":1,"program":{"inputs":${fields}}}`);
  expect(program.inputs.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(program)).toBe(Object.prototype);
});

test("all problems are reported, a hundred at most", () => {
  const body = Array.from({ length: 300 }, () => "{}").join(",");
  const result = documentFromJsonText(`{"effectIr":1,"program":{"body":[${body}]}}`);
  expect(result.ok ? 0 : result.problems.length).toBe(100);
  const mixed = documentFromJsonText('{"effectIr":1,"tools":[5],"program":{"body":[{"kind":"x"}]},"more":1}');
  expect(mixed.ok ? [] : mixed.problems.map(({ code }) => code).sort()).toEqual([
    "FC1102",
    "FC1104",
    "FC1105",
  ]);
});

test("JSON that was read before is decoded the same way", () => {
  const text = '{"effectIr":1,"modules":"m","program":{"body":[]}}';
  const json = readJson(text);
  if (!json.ok) throw new Error("no JSON");
  const found = documentFromJson(json.value.value);
  expect(found.ok && found.value.document).toEqual(decoded(text));
  const nothing = documentFromJson(null);
  expect(nothing.ok ? [] : nothing.problems).toMatchObject([{ code: "FC1102", path: [] }]);
});

test("a misspelt field or kind is met with the right one", () => {
  const result = documentFromJsonText('{"effectIr":1,"program":{"boddy":[]},"guarantes":[]}');
  const helps = result.ok ? [] : result.problems.map(({ help }) => help);
  expect(helps.join()).toContain("`body`");
  expect(helps.join()).toContain("`guarantees`");
});

function decoded(text: string) {
  const result = documentFromJsonText(text);
  if (result.ok) return result.value.document;
  throw new Error(result.problems.map(({ code, message }) => `${code} ${message}`).join("\n"));
}
