/**
 * Relations of formulas on every trace, against all short traces of a small world: no "yes" that a trace contradicts,
 * and no "no" without a trace that shows it.
 */
import { afterAll, describe, expect, it } from "vitest";
import { implies } from "../../src/compare/implies.ts";
import { inlined, normal } from "../../src/compare/names.ts";
import { keptTogether } from "../../src/compare/small-model.ts";
import { check, type Expr, judge, type RecordedRun } from "../../src/ir/index.ts";
import { type Solver, unknown } from "../../src/prove/decide/solver/port.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import {
  chanceFrom,
  formula,
  holdsOn,
  isAllowed,
  traces,
  worldWith,
} from "../support/relations/small-world.ts";
import { atLeast, runs, seed } from "../support/runs.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

/** Most is decided without being asked; what is not is left open here, which is quick. */
const nobody: Solver = {
  name: "nobody",
  version: async () => "0",
  check: async () => unknown("incomplete", "nobody is asked"),
  close: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};
const asking = { solver: async () => solver, limits: { timeoutMs: 400, resources: 60_000 } };
const looking = { solver: async () => nobody, limits: { timeoutMs: 40, resources: 1 }, quick: true };

it("says yes only where no trace contradicts, and no only with a trace that does", async () => {
  const from = seed() ?? 20_260_101;
  const chance = chanceFrom(from);
  const pool = Array.from({ length: 240 }, () => formula(chance));
  const { checked, formulas } = worldWith(pool);
  const all = traces(checked, chance, 500);
  const layer = { tools: checked.document.tools, fluents: checked.document.fluents };
  const vectors = formulas.map((one) => holdsOn(checked, one, all));
  const counts = { yes: 0, no: 0, unknown: 0 };
  // Only an answer can agree or not: what is left open counts for nothing.
  for (let round = 0; counts.yes + counts.no < runs(1_000); round++) {
    const given = Array.from({ length: 1 + chance(2) }, () => chance(pool.length));
    const goal = chance(pool.length);
    const denies = chance(6) === 0;
    const said = formulas[goal];
    if (said === undefined) throw new Error("there is a goal");
    const against = all.findIndex(
      (_, t) => given.every((i) => vectors[i]?.[t]) && vectors[goal]?.[t] === denies,
    );
    const question = {
      given: given.flatMap((i) => formulas[i] ?? []),
      goal: denies ? ({ kind: "op", op: "not", args: [said] } as const) : said,
    };
    const text = `seed ${from}: ${given.map((i) => pool[i]).join(" AND ")} |- ${denies ? "not " : ""}${pool[goal]}`;
    const answer = await implies(question, layer, round % 25 === 0 ? asking : looking);
    counts[answer.kind]++;
    if (answer.kind === "yes") expect(against, `yes by ${answer.by}: ${text}`).toBe(-1);
    if (answer.kind !== "no") continue;
    const { checked: own, run } = answer.witness;
    const verdicts = own.document.guarantees.map(({ formula: one }) => one && judge(own, one, run).kind);
    expect(isAllowed(own, run), text).toBe(true);
    expect(verdicts.at(-1), text).toBe("violated");
    expect(
      verdicts.slice(0, -1).every((one) => one === "holds"),
      text,
    ).toBe(true);
  }
  expect(counts.yes).toBeGreaterThan(atLeast(50));
  expect(counts.no).toBeGreaterThan(atLeast(500));
});

it("keeps what is assumed on some part of the trace with as few calls as it says", () => {
  const from = seed() ?? 7_001;
  const chance = chanceFrom(from);
  const isOfCalls = (text: string) => !text.includes("t.open");
  const pool = Array.from({ length: 300 }, () => formula(chance)).filter(isOfCalls);
  const world = worldWith(pool);
  const all = traces(world.checked, chance, 300);
  let seen = 0;
  for (let round = 0; round < runs(300); round++) {
    const [a, b] = [chance(pool.length), chance(pool.length)];
    const [given, goal] = [world.formulas[a], world.formulas[b]];
    if (given === undefined || goal === undefined) throw new Error("there are formulas");
    const isAdding = () => true;
    const assumed = [[normal(inlined(given)), true] as const, [normal(inlined(goal)), false] as const];
    const { exprs, calls } = keptTogether(assumed, isAdding);
    const guarantees = exprs.map((formula) => ({ name: "t.kept", args: [], formula }));
    const checked = check({ ...world.checked.document, guarantees });
    if (!checked.ok) throw new Error(`${JSON.stringify(checked.problems)} ${pool[a]} |- ${pool[b]}`);
    const isKept = (run: RecordedRun) =>
      exprs.every((expr, i) => judge(checked.value, expr, run).kind === (i === 0 ? "holds" : "violated"));
    const holds = (one: Expr, run: RecordedRun) => judge(world.checked, one, run).kind === "holds";
    const found = all.filter((run) => holds(given, run) && !holds(goal, run)).slice(-4);
    for (const run of found) {
      seen++;
      const text = `seed ${from}: ${pool[a]} |- ${pool[b]} with ${calls} calls of ${JSON.stringify(run.trace.map((one) => one.tool))}`;
      expect(partsOf(run, calls).some(isKept), text).toBe(true);
    }
  }
  expect(seen).toBeGreaterThan(atLeast(150));
});

/** The run with all but a few of its calls omitted, in every way. */
function partsOf(run: RecordedRun, calls: number): RecordedRun[] {
  const { trace } = run;
  const found: RecordedRun[] = [];
  for (let mask = 0; mask < 2 ** trace.length; mask++) {
    const chosen = trace.filter((_, i) => (mask >> i) % 2 === 1);
    if (chosen.length <= calls) found.push({ ...run, trace: chosen });
  }
  return found;
}

describe("what is easily got wrong", () => {
  const told = "forall x in t.pay: exists y in t.ask: precedes(y, x) and x.to == y.to";
  const both = '(exists x in t.pay: x.to == "x") and (exists x in t.pay: x.to == "y")';
  it.each([
    ["a row of its own for each row", told, `not (${both})`, "no"],
    ["as many rows as keys", "forall n = count(x in t.pay by x.to): n == 2", "count(x in t.pay) <= 2", "no"],
    ["what an empty relation is", "max(x in t.pay: x.n else 5) <= 3", "exists x in t.pay: true", "yes"],
    ["a result that there is not", "true", "forall x in t.ask: isSome(result(x))", "no"],
    ["a result that is ensured", "true", 'forall x in t.ask where x.to == "x": result(x) != some(2)', "yes"],
    ["one that is ensured for others", "true", "forall x in t.ask: result(x) != some(2)", "no"],
    ["what a failed call left", "count(x in t.lower) >= 1", "count(x in t.lift) >= 1", "unknown"],
    ["what another tool sets", "true", "count(x in t.lower) == 0", "no"],
    ["the state at the beginning", "true", 'initial t.open["x"] == false', "yes"],
    ["states between", 'always(not now t.open["x"])', 'final t.open["x"] == false', "yes"],
    ["the end is not always", 'final t.open["x"] == false', 'always(not now t.open["x"])', "no"],
    [
      "every key but one",
      'forall c in final t.open: c.key == "x" or not c.value',
      "count(c in final t.open where c.value) <= 1",
      "yes",
    ],
    [
      "two keys",
      "count(c in final t.open where c.value) <= 1",
      'not (final t.open["x"] and final t.open["y"])',
      "yes",
    ],
    [
      "two keys that may be one",
      "count(c in final t.open where c.value) <= 2",
      'not (final t.open["x"] and final t.open["y"])',
      "no",
    ],
    ["part of a sum", "sum(x in t.pay: x.n) <= 4", 'sum(x in t.pay where x.to == "x": x.n) <= 4', "yes"],
    ["more than a sum", 'sum(x in t.pay where x.to == "x": x.n) <= 4', "sum(x in t.pay: x.n) <= 4", "no"],
    ["a sum of nothing", "count(x in t.pay) == 0", "sum(x in t.pay: x.n) == 0", "yes"],
    [
      "where a value came from",
      "forall x in t.pay: not flows(x.n, tool t.ask)",
      "count(x in t.pay) == 0",
      "unknown",
    ],
    [
      "the same, said twice",
      "forall x in t.pay: not flows(x.n, tool t.ask)",
      "forall y in t.pay: not flows(y.n, tool t.ask)",
      "yes",
    ],
    [
      "influence, which is more than data",
      "forall x in t.pay: not influenced(x, tool t.ask)",
      "forall x in t.pay: not flows(x.n, tool t.ask)",
      "unknown",
    ],
    ["who may read, of no calls", "count(x in t.pay) == 0", 'forall x in t.pay: mayRead(x.n, "me")', "yes"],
    [
      "an automaton that allows no call",
      'automaton(states "a", "b" start "a" on "a" x in t.pay -> "b" error "b")',
      "count(x in t.pay) == 0",
      "yes",
    ],
    [
      "an automaton that allows one call",
      'automaton(states "a", "b", "c" start "a" on "a" x in t.pay -> "b" on "b" x in t.pay -> "c" error "c")',
      "count(x in t.pay) == 0",
      "no",
    ],
    [
      "a call before each",
      "forall x in t.pay: exists y in t.ask: precedes(y, x)",
      "count(x in t.pay) == 0 or count(x in t.ask) >= 1",
      "yes",
    ],
    [
      "a call before each, with its key",
      "forall x in t.pay: exists y in t.ask: precedes(y, x) and x.to == y.to",
      '(forall x in t.pay: x.to != "x") or (exists x in t.ask: x.to == "x")',
      "yes",
    ],
    [
      "a chain that has no end",
      "forall x in t.pay: exists y in t.pay: y.n == x.n + 1",
      "count(x in t.pay) == 0",
      "unknown",
    ],
  ] as const)("%s", async (_, given, goal, expected) => {
    const { checked, formulas } = worldWith([given, goal]);
    const [first, second] = formulas;
    if (first === undefined || second === undefined) throw new Error("there are formulas");
    const layer = { tools: checked.document.tools, fluents: checked.document.fluents };
    const limits = { timeoutMs: 5_000, resources: 5_000_000 };
    const answer = await implies({ given: [first], goal: second }, layer, { ...asking, limits });
    expect(answer.kind).toBe(expected);
  });
});
