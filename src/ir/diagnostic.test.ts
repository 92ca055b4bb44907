import { expect, test } from "vitest";
import { codes, isCode, Trail } from "./diagnostic.ts";

test("codes are numbered by what they are about, and say in a few words what is wrong", () => {
  for (const [code, meaning] of Object.entries(codes)) {
    expect(code).toMatch(/^FC1[0-6]\d\d$/);
    expect(meaning).toMatch(/^[a-z`].*[^.]$/);
  }
  expect(new Set(Object.values(codes)).size).toBe(Object.keys(codes).length);
  expect(Object.keys(codes)).toEqual(Object.keys(codes).sort());
});

test("only codes are codes", () => {
  expect(isCode("FC1201")).toBe(true);
  for (const other of ["FC9999", "fc1201", "", "toString", "__proto__"]) expect(isCode(other)).toBe(false);
});

test("a trail grows without changing the one it grew from", () => {
  const tools = Trail.root.at("tools");
  const [first, second] = [tools.at(0, "name"), tools.at(1)];
  expect(Trail.root.path()).toEqual([]);
  expect(tools.path()).toEqual(["tools"]);
  expect(first.path()).toEqual(["tools", 0, "name"]);
  expect(second.path()).toEqual(["tools", 1]);
});
