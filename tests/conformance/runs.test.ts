/** Runs with calls at the same time: after each end of a call, those that are under way. The format is in `spec/README.md`. */
import { describe, expect, test } from "vitest";
import type { Run } from "../../src/ir/run/options.ts";
import { Desk } from "../support/parallel/desk.ts";
import { filesIn, readText } from "../support/spec-files.ts";
import { partAt } from "../support/walk.ts";

const folder = "spec/effect-ir/runs";
const files = filesIn(folder, ".txt").map((name) => ({ name, ...parts(readText(`${folder}/${name}`)) }));

test("there are some", () => {
  expect(files.flatMap(({ runs }) => runs).length).toBeGreaterThan(10);
});

describe.each(files)("$name", ({ document, runs }) => {
  test.each(runs)("$name", async ({ concurrency, steps, outcome }) => {
    const desk = new Desk(document, {}, { concurrency });
    for (const { step, underWay } of steps) {
      const [, id = "", failed, value] = /^(\S+)(?: (failed)| -> (-?\d+))?$/.exec(step) ?? [];
      if (failed !== undefined) await desk.fail(id);
      else if (step !== "start") await desk.end(id, value === undefined ? undefined : Number(value));
      expect(`${step} [${(await desk.quiet()).join(", ")}]`).toBe(`${step} [${underWay}]`);
    }
    expect(outcomeText(desk, await desk.run())).toBe(outcome);
  });
});

function outcomeText({ checked }: Desk, { outcome }: Run): string {
  if (outcome.kind === "completed") return "completed";
  const { code, path } = outcome.problem;
  const id: unknown = Reflect.get(partAt(checked.document, path) as object, "id");
  return `stopped ${code} ${typeof id === "string" ? id : path.join("/")}`;
}

function parts(text: string) {
  const [document = "", runs = ""] = text.split("--- runs\n");
  return {
    document,
    runs: runs
      .split("\n")
      .filter((line) => line !== "")
      .map(runOf),
  };
}

function runOf(line: string) {
  const [, name = "", limit, rest = ""] = /^(\w+)(?: \((\d+)\))?: (.*)$/.exec(line) ?? [];
  const all = rest.split("; ");
  const steps = all.slice(0, -1).map((one) => {
    const [, step = "", underWay = ""] = /^(.*) \[(.*)\]$/.exec(one) ?? [];
    return { step, underWay };
  });
  return { name, concurrency: limit === undefined ? 1000 : Number(limit), steps, outcome: all.at(-1) };
}
