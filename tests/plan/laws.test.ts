/** Laws of strict mode, held against the reference executor on random plans. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/ir/json/json.ts";
import { simulate, type Verification, verify } from "../../src/plan/index.ts";
import type { Action, Plan } from "../../src/plan/plan.ts";
import { sameValue } from "../../src/plan/values.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { anyPlanData, anyState } from "./arbitrary-plan.ts";
import { allSchedules, effectKeys, execute, mustPrecede, randomSchedule, type World } from "./executor.ts";
import { plainState, readData, stateOf } from "./plans.ts";

const options = { timeout: timeout(60) };

/** A generator of chance with a seed; small, and good enough to shuffle. */
function chanceFrom(seed: number): () => number {
  let at = seed | 0;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let t = Math.imul(at ^ (at >>> 15), 1 | at);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const someValues: readonly (Json | undefined)[] = [
  undefined,
  null,
  true,
  "a",
  ...stateOf({ n: 0, m: 2, l: ["a"] }).values(),
];

function worldOf(chance: () => number): World {
  return {
    toolFails: () => chance() < 0.3,
    leaves: () => chance() < 0.5,
    chosen: () => someValues[Math.floor(chance() * someValues.length)],
  };
}

function withoutErrors(found: Verification): boolean {
  return !found.findings.some(({ severity }) => severity === "error");
}

describe("valid", () => {
  test("means that no schedule finds a precondition unmet, for the state that was given", options, () => {
    let valid = 0;
    fc.assert(
      fc.property(anyPlanData({ actions: 6 }), anyState(), fc.integer(), (data, initial, seed) => {
        const { plan } = readData(data);
        const state = stateOf(initial);
        const found = verify(plan, { state });
        expect(found.valid).toBe(withoutErrors(found));
        if (!found.valid) return;
        valid++;
        tryOut(plan, state, seed, 4);
      }),
      { numRuns: runs(2_500) },
    );
    expect(valid).toBeGreaterThan(atLeast(120));
  });

  test("without a state it means that for every state", options, () => {
    let valid = 0;
    fc.assert(
      fc.property(anyPlanData({ actions: 5 }), anyState(), fc.integer(), (data, initial, seed) => {
        const { plan } = readData(data);
        if (!verify(plan).valid) return;
        valid++;
        tryOut(plan, stateOf(initial), seed, 4);
      }),
      { numRuns: runs(1_500) },
    );
    expect(valid).toBeGreaterThan(atLeast(20));
  });

  test("also where actions depend on later ones", options, () => {
    let valid = 0;
    fc.assert(
      fc.property(
        anyPlanData({ actions: 5, backwards: true }),
        anyState(),
        fc.integer(),
        (data, initial, seed) => {
          const { plan } = readData(data);
          const state = stateOf(initial);
          if (!verify(plan, { state }).valid) return;
          valid++;
          tryOut(plan, state, seed, 4);
        },
      ),
      { numRuns: runs(1_000) },
    );
    expect(valid).toBeGreaterThan(atLeast(25));
  });
});

function tryOut(plan: Plan, state: ReadonlyMap<string, Json>, seed: number, times: number): void {
  const precedes = mustPrecede(plan);
  const chance = chanceFrom(seed);
  for (let i = 0; i < times; i++) {
    const schedule = randomSchedule(plan, precedes, chance);
    const { unmet } = execute(schedule, state, worldOf(chance));
    expect(
      unmet,
      `${schedule.map(({ id }) => id)} from ${JSON.stringify(plainState(state))}`,
    ).toBeUndefined();
  }
}

describe("a witness", () => {
  test("fails where its finding says, on the executor", options, () => {
    let [shown, found] = [0, 0];
    fc.assert(
      fc.property(anyPlanData({ actions: 6 }), fc.option(anyState(), { nil: undefined }), (data, initial) => {
        const { plan } = readData(data);
        const { findings } = verify(plan, initial === undefined ? {} : { state: stateOf(initial) });
        for (const { code, actionId, witness, tier } of findings) {
          if (!/^FC310[1-5]$/.test(code)) continue;
          found++;
          if (witness === undefined) continue;
          shown++;
          expect(["decided", "heuristic"]).toContain(tier);
          const { state, schedule, failed, written } = witness;
          const actions = schedule.map((id) => plan.actions.find((one) => one.id === id)!);
          const { unmet, outcomes } = execute(actions, state, {
            toolFails: ({ id }) => failed.includes(id),
            leaves: () => false,
            chosen: ({ id }, key) => written.find((one) => one.actionId === id && one.key === key)?.value,
          });
          expect(schedule.at(-1)).toBe(actionId);
          expect(outcomes.get(actionId)).toBe("skipped");
          // Optional actions can be unmet before it.
          if (unmet !== actionId) expect(outcomes.get(unmet ?? "")).toBe("skipped");
        }
      }),
      { numRuns: runs(1_500) },
    );
    expect(shown / found).toBeGreaterThan(0.6);
  });
});

describe("the order within a level does not matter", () => {
  test("all schedules end in the same state, for the same tools", options, () => {
    fc.assert(
      fc.property(anyPlanData({ actions: 5 }), anyState(), fc.integer(), (data, initial, seed) => {
        const { plan } = readData(data);
        const tools = fixedWorld(plan, seed);
        const ends: (readonly [Map<string, Json>, boolean])[] = [];
        for (const schedule of allSchedules(plan, mustPrecede(plan))) {
          const { state, endedBy } = execute(schedule, stateOf(initial), tools);
          ends.push([state, endedBy === undefined]);
          if (ends.length > 200) break;
        }
        // Where one ends the plan, the others may not have begun.
        const whole = ends.filter(([, all]) => all).map(([state]) => state);
        for (const state of whole) expect(isSame(state, whole[0]!)).toBe(true);
        expect(whole.length === 0 || whole.length === ends.length).toBe(true);
      }),
      { numRuns: runs(400) },
    );
  });

  test("the levels are exactly the longest paths of the contract's order", options, () => {
    fc.assert(
      fc.property(anyPlanData({ actions: 7 }), (data) => {
        const { plan } = readData(data);
        const precedes = mustPrecede(plan);
        const level = plan.actions.map(() => 0);
        for (let round = 0; round < plan.actions.length; round++)
          for (const a of plan.actions.keys())
            for (const b of plan.actions.keys())
              if (precedes(a, b)) level[b] = Math.max(level[b]!, level[a]! + 1);
        const levels = verify(plan).levels;
        for (const [i, { id }] of plan.actions.entries()) expect(levels[level[i]!]).toContain(id);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("permuting independent actions", () => {
  test("changes no verdict and no finding", options, () => {
    fc.assert(
      fc.property(
        anyPlanData({ actions: 6, backwards: true }),
        fc.option(anyState(), { nil: undefined }),
        fc.integer(),
        (data, initial, seed) => {
          const { plan } = readData(data);
          const given = initial === undefined ? {} : { state: stateOf(initial) };
          const found = verify(plan, given);
          if (found.levels.length === 0) return; // it does not hang together
          const schedule = randomSchedule(plan, mustPrecede(plan), chanceFrom(seed));
          const other = readData({
            actions: schedule.map(({ id }) => data.actions.find((one) => one.id === id)),
          });
          const again = verify(other.plan, given);
          expect(again.valid).toBe(found.valid);
          expect(again.levels.map((one) => [...one].sort())).toEqual(
            found.levels.map((one) => [...one].sort()),
          );
          expect(summary(again)).toEqual(summary(found));
          expect(plainState(again.state)).toEqual(plainState(found.state));
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});

function summary({ findings }: Verification): string[] {
  return findings
    .filter(({ code }) => code !== "FC3107")
    .map(({ actionId, code, key }) => `${code} ${code === "FC3108" ? "" : actionId} ${key ?? ""}`)
    .sort();
}

describe("simulate", () => {
  test("gives what every run to the end leaves", options, () => {
    fc.assert(
      fc.property(anyPlanData({ actions: 6 }), anyState(), fc.integer(), (data, initial, seed) => {
        const { plan } = readData(data);
        const state = stateOf(initial);
        const result = simulate(plan, { state });
        if (result.kind !== "simulated") throw new Error("it hangs together");
        const { simulation } = result;
        const chance = chanceFrom(seed);
        for (let i = 0; i < 3; i++) {
          const schedule = randomSchedule(plan, mustPrecede(plan), chance);
          const world = worldOf(chance);
          const executed = execute(schedule, state, {
            ...world,
            toolFails: (action: Action) => action.failureBehavior === "skip" && world.toolFails(action),
          });
          const { endedBy } = executed;
          const isForeseen = simulation.blocked.some(
            ({ actionId, always, endsPlan }) => actionId === endedBy && always && endsPlan,
          );
          if (endedBy !== undefined && !isForeseen) continue;
          for (const [key, value] of simulation.state) {
            expect(executed.state.has(key) && sameValue(executed.state.get(key)!, value), key).toBe(true);
          }
          for (const key of executed.state.keys()) {
            expect(simulation.state.has(key) || simulation.unknown.includes(key), key).toBe(true);
          }
        }
      }),
      { numRuns: runs(1_000) },
    );
  });
});

function fixedWorld(plan: Plan, seed: number): World {
  const chance = chanceFrom(seed);
  const fails = new Map(plan.actions.map(({ id }) => [id, chance() < 0.3]));
  const leaves = new Map<string, boolean>();
  const chosen = new Map<string, Json | undefined>();
  for (const action of plan.actions) {
    for (const key of [...effectKeys(action)]) {
      leaves.set(`${action.id} ${key}`, chance() < 0.5);
      chosen.set(`${action.id} ${key}`, someValues[Math.floor(chance() * someValues.length)]);
    }
  }
  return {
    toolFails: ({ id }) => fails.get(id) ?? false,
    leaves: ({ id }, key) => leaves.get(`${id} ${key}`) ?? false,
    chosen: ({ id }, key) => chosen.get(`${id} ${key}`),
  };
}

function isSame(a: ReadonlyMap<string, Json>, b: ReadonlyMap<string, Json>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && sameValue(value, b.get(key)!));
}
