/**
 * The twin of the evaluator: for the inputs and answers of a run that was really made, the term of a guarantee has
 * the value that the guarantee has on the run, and the facts whose guards hold are the calls of the run.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyProgram, type ProgramCase } from "../../tests/support/arbitrary-program.ts";
import { caseLimits, type MadeRun, runCase } from "../../tests/support/case-runs.ts";
import { evalTerm, Unassigned } from "../../tests/support/eval-term.ts";
import { atLeast, runs } from "../../tests/support/runs.ts";
import { judge } from "../ir/eval/formula.ts";
import { LimitReached } from "../ir/eval/meter.ts";
import { printExpr } from "../ir/text/printer.ts";
import { fieldOf, readType, recordOf, type Type } from "../ir/type.ts";
import { isList, isOption, isRecord, none, some, type Value, valueKey } from "../ir/value.ts";
import { formulaTerm } from "./goals/formula.ts";
import { NotFollowed } from "./symbolic/call-events.ts";
import { termOf } from "./symbolic/compile.ts";
import { walk } from "./symbolic/symbolic-executor.ts";
import { inputName, resultName } from "./symbolic/symbolic-state.ts";
import { escaped, type Symbolic, sortOf } from "./symbolic/symbolic-value.ts";
import { Terms } from "./terms/factory.ts";
import type { Term } from "./terms/term.ts";

const seen = { guarantees: 0, calls: 0 };

test("a guarantee's term has the value of the guarantee, and the facts are the calls", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyProgram({ failing: 0 }), async (generated) => {
      const program = { ...generated, initial: [] };
      const run = await runCase(program);
      if (run.outcome.kind !== "completed") return;
      expectTwins(program, run);
    }),
    { numRuns: runs(1_500) },
  );
  // What is compared must be there to compare.
  expect(seen.guarantees).toBeGreaterThan(atLeast(300));
  expect(seen.calls).toBeGreaterThan(atLeast(300));
});

function expectTwins(program: ProgramCase, run: MadeRun): void {
  const { checked, inputs } = program;
  const terms = new Terms();
  const walked = follow(() => walk(checked, terms));
  if (walked === undefined) return;
  const values = constantsOf(program, run);
  const value = (term: Term) => evalTerm(term, (name) => values.get(name));
  try {
    const made = walked.facts.filter((fact) => value(fact.guard) === true);
    // Where elements of a list are only there on some paths, the proof numbers its calls in another way.
    if (made.some(({ id, indices }, i) => isNumberedApart(run.trace[i], id, indices))) return;
    expect(made.map((fact) => fact.tool.name)).toEqual(run.trace.map((entry) => entry.tool));
    made.forEach((fact, i) => {
      expect(keyOf(fact.args, value)).toBe(valueKey(run.trace[i]!.args));
      seen.calls++;
    });
    for (const assumption of walked.assumptions) expect(value(assumption)).toBe(true);
  } catch (thrown) {
    if (!(thrown instanceof Unassigned)) throw thrown;
  }
  for (const { formula } of checked.document.guarantees) {
    if (formula === undefined) continue;
    const goal = follow(() => formulaTerm(checked, terms, walked, formula));
    const verdict = judge(checked, formula, { inputs, trace: run.trace }, caseLimits);
    if (goal === undefined || verdict.kind === "unknown") continue;
    try {
      expect(value(goal), printExpr(formula)).toBe(verdict.kind === "holds");
      seen.guarantees++;
    } catch (thrown) {
      if (!(thrown instanceof Unassigned)) throw thrown;
    }
  }
}

function isNumberedApart(
  entry: MadeRun["trace"][number] | undefined,
  id: string,
  indices: readonly number[],
): boolean {
  return entry?.id === id && entry.indices.join() !== indices.join();
}

function follow<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof NotFollowed || thrown instanceof LimitReached) return undefined;
    throw thrown;
  }
}

/** Returns the run's values of the proof's unknowns. */
function constantsOf({ document, inputs, checked }: ProgramCase, run: MadeRun): Map<string, Value> {
  const values = new Map<string, Value>();
  const type = recordOf(document.program.inputs);
  for (const field of type.fields) {
    const value = inputs.fields[field.name];
    const read = field.optional ? (value === undefined ? none : some(value)) : value!;
    assign(values, inputName(field.name), readType(fieldOf(type, field.name)!), read);
  }
  for (const entry of run.trace) {
    const { outcome } = entry;
    values.set(`failed@${resultName(entry)}`, outcome.kind === "failed");
    const result = checked.tools.get(entry.tool)?.result;
    if (outcome.kind === "returned" && result !== undefined && outcome.result !== undefined) {
      assign(values, resultName(entry), result, outcome.result);
    }
  }
  return values;
}

/** The same names as `fresh` gives. */
function assign(values: Map<string, Value>, name: string, type: Type, value: Value): void {
  if (sortOf(type) !== undefined) values.set(name, value);
  else if (type.kind === "option" && isOption(value)) {
    values.set(`${name}?`, value.kind === "some");
    if (value.kind === "some") assign(values, `${name}!`, type.value, value.value);
  } else if (type.kind === "record" && isRecord(value)) {
    for (const field of type.fields) {
      const at = `${name}.${escaped(field.name)}`;
      const found = value.fields[field.name];
      if (field.optional) values.set(`${at}?`, found !== undefined);
      if (found !== undefined) assign(values, at, field.type, found);
    }
  } else if (type.kind === "list" && isList(value)) values.set(`length@${name}`, BigInt(value.length));
}

/** The key of what a symbolic value stands for. */
function keyOf(symbolic: Symbolic, value: (term: Term) => Value): string {
  return valueKey(concrete(symbolic, value));
}

function concrete(symbolic: Symbolic, value: (term: Term) => Value): Value {
  switch (symbolic.kind) {
    case "scalar":
      return value(termOf(symbolic));
    case "option":
      return value(symbolic.present) === true && symbolic.value !== undefined
        ? some(concrete(symbolic.value, value))
        : none;
    case "record": {
      const fields: Record<string, Value> = Object.create(null);
      for (const [name, field] of symbolic.fields) {
        if (value(field.present) === true) fields[name] = concrete(field.value, value);
      }
      return { kind: "record", fields };
    }
    case "list":
      return symbolic.items
        .filter(({ present }) => value(present) === true)
        .map((item) => concrete(item.value, value));
    case "opaque":
      throw new Unassigned(symbolic.key);
  }
}
