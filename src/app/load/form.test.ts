import { expect, test } from "vitest";
import { formOfText } from "./form.ts";

test.each([
  ["effect-ir 1\n", "eir"],
  ["\uFEFF// about it\n\n  effect-ir 1", "eir"],
  ['{"effectIr": 1, "tools": []}', "eir"],
  ['{"tools": [{"actions": []}]}', "eir"],
  ["{}", "eir"],
  ['{"effectIr": 1, "actions": []}', "eir"],
  ['{ "goal": "x", "actions": [] }', "plan"],
  ['\uFEFF\n{"actions": [', "plan"],
  ["", "ts"],
  ['import { program } from "foreclaim";\n', "ts"],
  ["/* effect-ir 1 */\nimport {} from 'x';", "ts"],
  ["// effect-ir 1\nimport {} from 'x';", "ts"],
  ["effect - ir", "ts"],
  ["effect-irregular", "ts"],
  ['"actions"', "ts"],
  ["{ let actions = 1; }", "ts"],
  ["[1, 2]", "ts"],
])("%j is read as %s", (text, form) => {
  expect(formOfText(text)).toBe(form);
});

test("JSON with guarantees beside it is a plan, and nothing else is", () => {
  expect(formOfText("{}", true)).toBe("plan");
  expect(formOfText("effect-ir 1", true)).toBe("eir");
  expect(formOfText("const x = 1;", true)).toBe("ts");
});

test("many blanks before a program take no time and no room", () => {
  expect(formOfText(`${" ".repeat(5_000_000)}effect-ir 1`)).toBe("ts");
});
