/**
 * Runs keep the proved guarantees of a plan: random plans, random schedules, failures, retries and compensations;
 * calls are judged as a recorded run, which knows nothing of plans.
 */
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { check } from "../../src/ir/check/index.ts";
import { judge } from "../../src/ir/eval/formula.ts";
import { printExpr } from "../../src/ir/text/printer.ts";
import { record } from "../../src/ir/value.ts";
import { checkLowered, type Lowered, lower, provePlan } from "../../src/plan/index.ts";
import { structureOf } from "../../src/plan/strict/structure.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { byLooking, wrongProofs } from "../support/net/attempt.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { book, declarations, guaranteesFrom, runInLab } from "./lab.ts";
import { type ActionData, pre, readData, stateOf } from "./plans.ts";

const solver = z3Wasm();
afterAll(() => solver.close());
const limits = { timeoutMs: 1_000, resources: 200_000 };

const place = fc.constantFrom("a", "b");
const small = fc.integer({ min: 0, max: 3 });

function anyAction(i: number): fc.Arbitrary<ActionData> {
  const earlier = i === 0 ? undefined : fc.nat(i - 1).map((j) => `s${j}`);
  const number =
    earlier === undefined ? small : fc.oneof({ weight: 3, arbitrary: small }, reference(earlier));
  const common = {
    id: fc.constant(`s${i}`),
    failure_behavior: fc.constantFrom("abort", "abort", "retry", "skip"),
    max_retries: fc.integer({ min: 0, max: 2 }),
    dependencies:
      earlier === undefined
        ? fc.constant([])
        : sometimes(
            earlier.map((id) => [id]),
            [],
            2,
          ),
    preconditions: sometimes(
      fc.constantFrom(pre("x", "eq", 1), pre("x", "exists"), pre("y", "not_exists")).map((one) => [one]),
      [],
      5,
    ),
  };
  const undo = fc.oneof(
    fc.record({
      type: fc.constant("tool"),
      tool: fc.constant("lab.send"),
      parameters: fc.record({ to: place, n: small }),
    }),
    fc.record({
      type: fc.constant("tool"),
      tool: fc.constant("lab.enter"),
      parameters: fc.record({ at: place }),
    }),
    ...(earlier === undefined ? [] : [fc.record({ type: fc.constant("action_ref"), action_id: earlier })]),
  );
  const call = (tool: string, parameters: fc.Arbitrary<object>) =>
    fc.record({
      ...common,
      type: fc.constant("tool_call"),
      tool: fc.constant(`lab.${tool}`),
      parameters,
      compensation: sometimes<unknown>(undo, null, 5),
    });
  return fc.oneof(
    { weight: 4, arbitrary: call("send", fc.record({ to: place, n: number })) },
    call("look", fc.record({ at: place })),
    call("unlock", fc.record({ at: place })),
    call("lock", fc.record({ at: place })),
    { weight: 2, arbitrary: call("add", fc.record({ at: place, n: number })) },
    call("enter", fc.record({ at: place })),
    fc.record({
      ...common,
      type: fc.constant("state_write"),
      parameters: fc.record({ key: fc.constantFrom("x", "y"), value: fc.constantFrom(0, 1) }),
    }),
  );
}

function reference(earlier: fc.Arbitrary<string>) {
  return { weight: 1, arbitrary: earlier.map((id) => `$${id}.output`) };
}

function sometimes<T>(arbitrary: fc.Arbitrary<T>, otherwise: T, seldom: number): fc.Arbitrary<T> {
  return fc.oneof({ weight: seldom, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });
}

const stated = fc.oneof(
  fc
    .tuple(fc.constantFrom("maxSum", "minSum"), fc.integer({ min: 0, max: 12 }))
    .map(([f, n]) => `${f}(${n})`),
  fc
    .tuple(
      fc.constantFrom("atMost", "atLeast", "perKey", "noneLarge", "largest", "levelAtMost", "enters"),
      fc.nat(4),
    )
    .map(([f, n]) => `${f}(${n})`),
  fc.constantFrom("distinct()", 'only(["a"])', 'someTo("a")', "looksFirst()", "noSendOnceOpen()"),
  fc.constantFrom("allLocked()", 'openAtEnd("a")', 'levelIs("b", 0)', 'levelIs("a", 3)', "neverOpen()"),
);

/** The number of the action that a place of the document comes from. */
function actionAt({ document, actionOf }: Lowered, path: readonly (string | number)[]): number {
  let [node, action]: [unknown, number] = [document, -1];
  for (const step of path) {
    if (typeof node !== "object" || node === null) break;
    node = Reflect.get(node, step);
    if (typeof node === "object" && node !== null) action = actionOf(node) ?? action;
  }
  return action;
}

test("no run of a plan breaks what is proved of it", { timeout: timeout(120) }, async () => {
  const counts = new Map<string, number>();
  const note = (what: string): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  };
  await fc.assert(
    fc.asyncProperty(
      fc
        .integer({ min: 1, max: 5 })
        .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => anyAction(i)))),
      fc.uniqueArray(stated, { minLength: 5, maxLength: 5 }),
      fc.constantFrom({}, { x: 1 }, { x: 1, y: 0 }),
      fc.infiniteStream(fc.nat(9_999)),
      async (actions, promised, initial, chances) => {
        const { plan } = readData({ actions });
        const structure = structureOf(plan, { book });
        if (structure.kind === "broken") return note("broken");
        const lowered = lower(plan, structure, { book, declarations, guarantees: guaranteesFrom(promised) });
        if (lowered.kind === "refused") return note("refused");
        const checked = checkLowered(lowered);
        if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
        const { document } = lowered;
        const bare = check({ ...document, program: { inputs: [], body: [] } });
        if (!bare.ok) throw new Error(JSON.stringify(bare.problems));
        const proof = await provePlan(lowered, checked.value.checked, { solver: async () => solver, limits });
        for (const { verdict, interruption } of proof.guarantees) {
          note(verdict.kind);
          if (interruption !== undefined) note(interruption.kind);
        }
        const proved = proof.guarantees.filter(({ verdict }) => verdict.kind === "proved");
        const unsure = new Set(
          proof.obligations.flatMap(({ obligation, verdict }) => {
            const number = actionAt(lowered, obligation.path);
            return verdict.kind === "proved" ? [] : [plan.actions[number]?.id ?? ""];
          }),
        );
        const chance = () => chances.next().value / 10_000;
        const whole = check(document);
        if (!whole.ok) throw new Error(JSON.stringify(whole.problems));
        expect(await wrongProofs(whole.value, chances.next().value, byLooking, counts)).toEqual([]);
        // Single calls start in the order written, which the lab does not know: what speaks of order is looked at in the row.
        const { order, before: any } = structure.graph;
        const inRow = plan.actions.map((_, i) => order.slice(0, order.indexOf(i)));
        for (let round = 0; round < 8; round++) {
          const isRow = round % 2 === 0;
          const run = runInLab(plan, isRow ? inRow : any, stateOf(initial), chance);
          const { whole, trace, resolution, refused } = run;
          if (whole) note("whole runs");
          if (refused !== undefined) note("refused calls");
          // A call is refused only where the proof of what its tool requires is missing.
          if (refused !== undefined) expect(unsure, `${refused} was refused`).toContain(refused);
          for (const { guarantee, interruption, verdict } of proved) {
            if (guarantee.formula === undefined || (!whole && interruption?.kind !== "safe")) continue;
            if (!isRow && /precedes|always|automaton/.test(printExpr(guarantee.formula))) continue;
            const found = judge(bare.value, guarantee.formula, {
              inputs: record([]),
              trace,
              resolution,
            });
            const what = `${printExpr(guarantee.formula)} was ${JSON.stringify(verdict)}`;
            expect(found.kind, `${what}; ${trace.map(({ id }) => id)}`).not.toBe("violated");
          }
        }
      },
    ),
    { numRuns: runs(250) },
  );
  for (const what of [
    "proved",
    "refuted",
    "unknown",
    "safe",
    "open",
    "whole runs",
    "refused calls",
    "attempted",
  ])
    expect(counts.get(what) ?? 0, what).toBeGreaterThan(atLeast(20));
});
