/** Are the random programs what they promise: well-typed, various, repeatable, and small when they fail? */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../../src/ir/check/index.ts";
import { unions } from "../../src/ir/json/shape.ts";
import { operators } from "../../src/ir/operators/index.ts";
import { run } from "../../src/ir/run/interpret.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
import { anyProgram, programOf, toolsOf } from "./arbitrary-program.ts";
import { runs } from "./runs.ts";
import { timeout } from "./timeout.ts";
import { visitNodes } from "./walk.ts";

test("every program is well-typed", { timeout: timeout(30) }, () => {
  // The generator throws, with the problems and the document, for one that is not.
  fc.assert(
    fc.property(anyProgram({ parallel: 1, readings: 6 }), ({ document, checked }) => {
      expect(check(document).ok).toBe(true);
      expect(checked.document).toBe(document);
    }),
    { numRuns: runs(400) },
  );
});

describe("over a sample of programs", { timeout: timeout(30) }, () => {
  const sample = fc.sample(anyProgram({ parallel: 1, readings: 6 }), { numRuns: 500, seed: 1 });
  const counted = new Map<string, number>();
  const count = (what: string) => counted.set(what, (counted.get(what) ?? 0) + 1);
  for (const { document } of sample) {
    visitNodes(document, (node) => {
      const { kind, op, quantifier, aggregate, at } = node as Record<string, unknown>;
      if (typeof kind === "string") count(kind);
      if (kind === "op") count(`op ${op}`);
      if (kind === "quantifier" || kind === "perKey") count(`${kind} ${quantifier}`);
      if (kind === "aggregate" || kind === "perKey") count(`${kind} ${aggregate}`);
      if (typeof at === "string") count(`${kind} at ${at}`);
      for (const name of Object.keys(node)) count(`${typeof kind === "string" ? kind : ""}.${name}`);
    });
  }

  const forms = Object.entries(unions).flatMap(([sort, kinds]) =>
    Object.keys(kinds).map((kind) => [sort, kind]),
  );
  test.each(forms)("there are enough nodes: %s %s", (_, kind) => {
    expect(counted.get(kind!) ?? 0).toBeGreaterThan(10);
  });

  test.each([...operators.keys()])("the operator %s is used", (name) => {
    expect(counted.get(`op ${name}`) ?? 0).toBeGreaterThan(10);
  });

  test.each([
    ...["quantifier forall", "quantifier exists", "perKey forall", "perKey exists"],
    ...["count", "sum", "min", "max"].flatMap((fold) => [`aggregate ${fold}`, `perKey ${fold}`]),
    ...[
      "cell at initial",
      "cell at now",
      "cell at final",
      "cells at initial",
      "cells at now",
      "cells at final",
    ],
    ...[
      "call.when",
      "call.catch",
      "call.bind",
      "for.max",
      "for.index",
      "require.when",
      "aggregate.otherwise",
    ],
    ...[".where", ".when", ".cost", ".result", ".optional", ".initial", ".formula", ".modules", ".type"],
    ...[".reads", ".idempotent", ".untrusted", ".undoable"],
  ])("there are enough of: %s", (what) => {
    expect(counted.get(what) ?? 0).toBeGreaterThan(10);
  });

  test("runs of them come to every end, and mostly to the good one", async () => {
    const ends = new Map<string, number>();
    let calls = 0;
    for (const program of sample) {
      const { inputs, initial, checked } = program;
      const { outcome, trace } = await run(checked, { inputs, initial, tools: toolsOf(program) });
      const end = outcome.kind === "completed" ? "completed" : outcome.problem.code;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      calls += trace.length;
    }
    expect(ends.get("completed")).toBeGreaterThan(0.5 * sample.length);
    for (const code of ["FC1502", "FC1503", "FC1504", "FC1506", "FC1507", "FC1511", "FC1514"]) {
      expect(ends.get(code) ?? 0, code).toBeGreaterThan(0);
    }
    expect(calls).toBeGreaterThan(2 * sample.length);
  });
});

test("a seed stands for one program", () => {
  for (const seed of [1, 2, 3, 77]) {
    const [a, b] = [programOf(seed), programOf(seed)];
    expect(printDocument(a.document)).toBe(printDocument(b.document));
    expect([a.inputs, a.behaviour, a.initial]).toEqual([b.inputs, b.behaviour, b.initial]);
  }
  expect(printDocument(programOf(1).document)).not.toBe(printDocument(programOf(2).document));
});

test("a failing program is made small, and printed as text", { timeout: timeout(30) }, () => {
  const sizes = [1, 2, 3, 4, 5, 6].map((seed) => {
    const failing = fc.check(
      fc.property(anyProgram({ parallel: 1, readings: 6 }), ({ document }) => {
        let found = false;
        visitNodes(document, (node) => {
          if ("op" in node && node.op === "replaceAll") found = true;
        });
        return !found;
      }),
      { numRuns: 500, seed },
    );
    const [program] = failing.counterexample ?? [];
    if (program === undefined) throw new Error("no program has the operator");
    expect(check(program.document).ok).toBe(true);
    expect(fc.stringify(program)).toContain("replaceAll(");
    return printDocument(program.document).length;
  });
  // What is left is little more than the one operator, which takes some eighty characters to say.
  expect(sizes.reduce((a, b) => a + b) / sizes.length).toBeLessThan(130);
});
