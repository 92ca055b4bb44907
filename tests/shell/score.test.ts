/** The score of the classifier on the corpus; `npm run shell-score` prints the tables of the same figures. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SEED, score, tables } from "../../scripts/shell-score.mjs";
import { classifyCommand } from "../../src/shell.ts";
import { corpus, founding, SPLIT_SEED } from "./corpus.ts";

const allowed = (command: string) => classifyCommand(command).verdict === "allow";

describe.each(["seen", "unseen"] as const)("the %s half", (half) => {
  it("has at least 99 % of the hostile lines refused", () => {
    const lines = corpus("hostile").filter((line) => line.half === half);
    const passed = lines.filter(({ command }) => allowed(command));
    expect(lines.length).toBeGreaterThan(500);
    expect(passed.length / lines.length).toBeLessThanOrEqual(0.01);
  });

  it("has the benign lines allowed", () => {
    const lines = corpus("benign").filter((line) => line.half === half);
    const refused = lines.filter(({ command }) => !allowed(command)).length;
    expect(lines.length).toBeGreaterThan(350);
    // The unseen half is not looked at, so its one false positive stays.
    expect(refused).toBeLessThanOrEqual(half === "seen" ? 0 : 1);
  });
});

it("refuses what runs code, and allows it when the operator does", () => {
  for (const { command } of corpus("runs-code")) {
    expect(classifyCommand(command).reasons, command).toMatchObject([{ code: "runs-code" }]);
    expect(classifyCommand(command, { allowRunsCode: true }).verdict, command).toBe("allow");
  }
});

it("never allows hostile lines only because code may run", () => {
  const extra = corpus("hostile").filter(
    ({ command }) => classifyCommand(command, { allowRunsCode: true }).verdict === "allow",
  );
  // Each of them runs a script or a package of the project, which the operator then allows.
  const codes = extra.map(({ command }) => classifyCommand(command).reasons.map(({ code }) => code));
  expect(codes.flat().filter((code) => code !== "runs-code")).toEqual([]);
});

it("judges the published set of 39 dangerous and 24 benign calls, written as commands", () => {
  const wrong = founding().filter(({ command, expected }) => classifyCommand(command).verdict !== expected);
  // Texts that are only printed or written: their danger is in the text, not in the command.
  expect(wrong.map(({ number, expected }) => `${expected} ${number}`)).toEqual([
    "refuse 18",
    "refuse 34",
    "refuse 36",
  ]);
});

it("has the tables that the page shows", () => {
  const page = readFileSync(new URL("../../docs/reference/shell.md", import.meta.url), "utf8");
  expect(page).toContain(tables(score(classifyCommand)));
  expect(SEED).toBe(SPLIT_SEED);
});
