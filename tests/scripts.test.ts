import { describe, expect, it } from "vitest";
import { isInstalled } from "../scripts/ensure.mjs";
import { projectFiles } from "../scripts/files.mjs";
import { RANDOM } from "../scripts/random-tests.mjs";
import { stalledOf } from "../scripts/stalled-tests.mjs";
import { countsLine } from "../scripts/test.mjs";

describe("isInstalled", () => {
  const wanted = {
    packages: {
      "": { version: "0.1.0" },
      "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
      "node_modules/b-other-platform": { version: "1.0.0", integrity: "sha512-b", optional: true },
    },
  };
  const a = { version: "1.0.0", integrity: "sha512-a" };

  it.each([
    ["exactly what is wanted", { "node_modules/a": a }, true],
    ["nothing", {}, false],
    ["another version", { "node_modules/a": { ...a, version: "1.0.1" } }, false],
    ["other contents", { "node_modules/a": { ...a, integrity: "sha512-x" } }, false],
    ["something that is not wanted", { "node_modules/a": a, "node_modules/c": a }, false],
  ])("on %s", (_, packages, expected) => {
    expect(isInstalled(wanted, { packages })).toBe(expected);
  });

  it("is false before the first installation", () => {
    expect(isInstalled(wanted, undefined)).toBe(false);
  });
});

describe("countsLine", () => {
  const file = (status: string, ...tests: string[]) => ({
    status,
    assertionResults: tests.map((test) => ({ status: test })),
  });

  it.each([
    ["all passed", [file("passed", "passed", "passed")], 0, "2 passed, 0 failed"],
    ["one failed", [file("failed", "passed", "failed")], 1, "1 passed, 1 failed"],
    ["one skipped", [file("passed", "passed", "pending", "todo")], 0, "1 passed, 0 failed, 2 skipped"],
    ["a file that did not load", [file("passed", "passed"), file("failed")], 1, "1 passed, 1 failed"],
    ["an error outside all tests", [file("passed", "passed")], 1, "1 passed, 1 failed"],
    ["a crash", [], 1, "0 passed, 1 failed"],
  ])("on %s", (_, testResults, exitCode, expected) => {
    expect(countsLine({ testResults }, exitCode)).toBe(expected);
  });
});

it("names a test file that has not ended after half an hour", () => {
  const started = new Map([
    ["slow.test.ts", 0],
    ["quick.test.ts", 1_900_000],
  ]);
  expect(stalledOf(started, 1_800_000)).toEqual([]);
  expect(stalledOf(started, 1_800_001)).toEqual(["slow.test.ts"]);
});

it.each(RANDOM)("repeats random tests whose paths contain %s", (part) => {
  const tests = projectFiles().filter((path) => /\.(test|soak)\.ts$/.test(path));
  expect(tests.filter((path) => path.includes(part))).not.toEqual([]);
});
