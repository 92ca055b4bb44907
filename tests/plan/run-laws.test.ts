/**
 * What strict verification says of a plan is true of the executor: if a plan is valid, no run of it fails a precondition,
 * whatever the schedule, and whichever tools fail.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/ir/json/json.ts";
import { type PlanTool, runPlan, simulate, verify } from "../../src/plan/index.ts";
import { sameValue } from "../../src/plan/values.ts";
import { randomFrom } from "../support/random.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { anyPlanData, anyState } from "./arbitrary-plan.ts";
import { mustPrecede } from "./executor.ts";
import { plainState, readData, stateOf } from "./plans.ts";
import { type RandomPlan, validPlan } from "./random-plan.ts";
import { JumpingClock, kernelWith, never, statuses } from "./running.ts";

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
  const result = await runPlan(plan, {
    kernel,
    tools: new Map(plan.actions.flatMap(({ tool: name }) => (name === undefined ? [] : [[name, tool]]))),
    runId: "r",
    believeClaims: true,
    concurrency: 1 + Math.floor(chance() * 4),
    clock,
    random: chance,
    onProgress: (one) => {
      if (one.kind === "ended") seen.ended.add(one.actionId);
    },
  });
  return { plan, result, seen, kernel };
}

/** What is known of a state, and the keys of which nothing is. */
function apart(state: Readonly<Record<string, unknown>>) {
  const mark = "unknown ";
  const entries = Object.entries(state);
  return {
    known: Object.fromEntries(entries.filter(([key]) => !key.startsWith(mark))),
    marked: entries.flatMap(([key]) => (key.startsWith(mark) ? [key.slice(mark.length)] : [])),
  };
}

function someValidPlan(seed: number): RandomPlan {
  const chance = randomFrom(seed);
  for (;;) {
    const made = validPlan(chance);
    if (made !== undefined) return made;
  }
}

describe("a valid plan", () => {
  test("never finds anything unmet, and keeps to its order, in any run", options, async () => {
    const counts = { aborted: 0, skipped: 0, asked: 0, together: 0, marked: 0 };
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const { actions, state: initial } = someValidPlan(seed);
        const { result, seen } = await went({ actions }, initial, seed, 0.25);
        if (!result.ok) throw new Error(JSON.stringify(result.problems));
        const { value } = result;
        // Tools may fail, and nothing else goes wrong.
        expect(value.problems.filter(({ code }) => code !== "FC3312")).toEqual([]);
        expect(seen.early).toEqual([]);
        expect(value.inDoubt).toEqual([]);
        // Exactly as it was, but for what is in the world as a call has left it, and so is not known.
        const { known, marked } = apart(plainState(value.state));
        if (value.kind === "aborted") expect(known).toEqual(initial);
        const claimed = readData({ actions }).plan.actions.flatMap(({ id, expectedEffects }) =>
          seen.began.includes(id) ? expectedEffects.map(({ key }) => key) : [],
        );
        for (const key of marked) expect(claimed).toContain(key);
        if (value.kind === "aborted") expect(new Set(marked)).toEqual(new Set(claimed));
        if (marked.length > 0) counts.marked++;
        if (value.kind === "aborted") counts.aborted++;
        if (value.actions.some(({ status }) => status === "skipped")) counts.skipped++;
        if (readData({ actions }).plan.actions.some(({ preconditions }) => preconditions.length > 0))
          counts.asked++;
        if (seen.most > 1) counts.together++;
      }),
      { numRuns: runs(2_000) },
    );
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(atLeast(100));
  });

  test("that is not valid is not begun", options, async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(anyPlanData({ actions: 6 }), anyState(), fc.integer(), async (data, initial, seed) => {
        const { plan, result, kernel } = await went(data, initial, seed, 0.25);
        expect(result.ok).toBe(verify(plan, { state: stateOf(initial) }).valid);
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
        const { plan, result } = await went({ actions }, initial, seed, 0);
        if (!result.ok) throw new Error(JSON.stringify(result.problems));
        const { value } = result;
        expect([value.kind, statuses(value)]).toEqual([
          "done",
          plan.actions.map(({ id }) => `${id} done`).join(", "),
        ]);
        const simulated = simulate(plan, { state: stateOf(initial) });
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
