/**
 * Strict verification agrees with the executor: if a plan is valid, no run of it fails a precondition, for any
 * schedule and any failing tools.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/ir/json/json.ts";
import { simulate, ToolBook, verify } from "../../src/plan/index.ts";
import { sameValue } from "../../src/plan/values.ts";
import { randomFrom } from "../support/random.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { anyPlanData, anyState } from "./arbitrary-plan.ts";
import { mustPrecede } from "./executor.ts";
import { plainState, readData, stateOf } from "./plans.ts";
import { type RandomPlan, validPlan } from "./random-plan.ts";
import {
  declarationsFor,
  doubtful,
  JumpingClock,
  kernelWith,
  never,
  type PlanTool,
  statuses,
  toolsFor,
  tryPlan,
} from "./running.ts";

const options = { timeout: timeout(180) };

interface Went {
  readonly began: string[];
  readonly ended: Set<string>;
  /** Those that began before something ended that they wait for. */
  readonly early: string[];
  now: number;
  most: number;
}

/** A run with delays and failures by chance; what is looked at is what tools see. */
async function went(
  data: unknown,
  initial: Readonly<Record<string, unknown>>,
  seed: number,
  failing: number,
) {
  const { plan } = readData(data);
  const chance = randomFrom(seed);
  const clock = new JumpingClock();
  const precedes = mustPrecede(plan);
  const numbers = new Map(plan.actions.map(({ id }, i) => [id, i]));
  const seen: Went = { began: [], ended: new Set(), early: [], now: 0, most: 0 };
  const tool: PlanTool = {
    run: async (_, { actionId, attempt }) => {
      const me = numbers.get(actionId) ?? -1;
      if (attempt === 1) seen.began.push(actionId);
      for (const [i, { id }] of plan.actions.entries()) {
        if (precedes(i, me) && !seen.ended.has(id)) seen.early.push(`${actionId} before ${id}`);
      }
      seen.most = Math.max(seen.most, ++seen.now);
      await clock.sleep(Math.floor(chance() * 20), never);
      seen.now--;
      if (chance() < failing) throw new Error("by chance");
      return chance() < 0.5 ? null : { some: "thing" };
    },
  };
  const kernel = await kernelWith({ state: initial });
  const tools = Object.fromEntries(
    plan.actions.flatMap(({ tool: name }) => (name === undefined ? [] : [[name, tool]])),
  );
  const result = await tryPlan(plan, {
    kernel,
    tools,
    options: {
      concurrency: 1 + Math.floor(chance() * 4),
      clock,
      random: chance,
      onProgress: (one) => {
        const again = /, try [0-9]+$/;
        if (one.kind === "ended") seen.ended.add(one.actionId.replace(again, ""));
      },
    },
  });
  const book = ToolBook.from(declarationsFor(plan, toolsFor(plan, tools)));
  if (!book.ok) throw new Error(JSON.stringify(book.problems));
  return { plan, result, seen, kernel, book: book.value };
}

function someValidPlan(seed: number): RandomPlan {
  const chance = randomFrom(seed);
  for (;;) {
    const made = validPlan(chance);
    if (made === undefined) continue;
    // What a plan claims of calls counts for nothing in a run.
    const actions = made.actions.map(({ expected_effects: _, ...action }) => action);
    const { plan } = readData({ actions });
    const book = ToolBook.from(declarationsFor(plan, toolsFor(plan)));
    if (book.ok && verify(plan, { state: stateOf(made.state), book: book.value }).valid)
      return { ...made, actions };
  }
}

describe("a valid plan", () => {
  test("never finds anything unmet, and keeps to its order, in any run", options, async () => {
    const counts = { stopped: 0, skipped: 0, asked: 0, together: 0 };
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const { actions, state: initial } = someValidPlan(seed);
        const { result, seen } = await went({ actions }, initial, seed, 0.25);
        if (!result.ok) throw new Error(JSON.stringify(result.problems));
        const { value } = result;
        // Tools may fail, and have no `undo`; nothing else goes wrong.
        expect(value.problems.filter(({ code }) => code !== "FC1504" && code !== "FC4511")).toEqual([]);
        expect(value.endedBy?.message ?? "`t` failed: by chance").toMatch(/^`t[0-9]*` failed: by chance$/);
        expect(seen.early).toEqual([]);
        expect(doubtful(value)).toEqual([]);
        if (value.kind === "stopped") expect(plainState(value.state)).toEqual(initial);
        if (value.kind === "stopped") counts.stopped++;
        if (value.actions.some(({ status }) => status === "skipped")) counts.skipped++;
        if (readData({ actions }).plan.actions.some(({ preconditions }) => preconditions.length > 0))
          counts.asked++;
        if (seen.most > 1) counts.together++;
      }),
      { numRuns: runs(1_000) },
    );
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(atLeast(50));
  });

  test("that is not valid is not begun", options, async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(anyPlanData({ actions: 6 }), anyState(), fc.integer(), async (data, initial, seed) => {
        const { plan, result, kernel, book } = await went(data, initial, seed, 0.25);
        expect(result.ok).toBe(verify(plan, { state: stateOf(initial), book }).valid);
        if (result.ok) return;
        refused++;
        expect(kernel.status().seq).toBe(1);
      }),
      { numRuns: runs(200) },
    );
    expect(refused).toBeGreaterThan(atLeast(80));
  });

  test("leaves what simulation says, if no tool fails", options, async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const { actions, state: initial } = someValidPlan(seed);
        const { plan, result, book } = await went({ actions }, initial, seed, 0);
        if (!result.ok) throw new Error(JSON.stringify(result.problems));
        const { value } = result;
        expect([value.kind, statuses(value)]).toEqual([
          "done",
          plan.actions.map(({ id }) => `${id} done`).join(", "),
        ]);
        const simulated = simulate(plan, { state: stateOf(initial), book });
        if (simulated.kind !== "simulated") throw new Error("it hangs together");
        const { state, unknown } = simulated.simulation;
        for (const [key, expected] of state) {
          const found: Json | undefined = value.state.get(key);
          expect(found !== undefined && sameValue(found, expected), key).toBe(true);
          compared++;
        }
        for (const key of value.state.keys()) expect(state.has(key) || unknown.includes(key), key).toBe(true);
      }),
      { numRuns: runs(300) },
    );
    expect(compared).toBeGreaterThan(atLeast(300));
  });
});
