/** One random case held against every law, so that tests and the soak ask the same. */
import fc from "fast-check";
import { verify } from "../../../src/plan/index.ts";
import { anyCase, type Case, mended, type PlanData, planFrom, stateFrom, textOfPlan } from "./generate.ts";
import {
  againstSame,
  againstSimulation,
  againstValid,
  isSaidEquivalent,
  optimized,
  optionsFor,
} from "./laws.ts";
import { type Scene, sceneOf } from "./simulator.ts";
import { anyVariation, type Variation, varied } from "./vary.ts";

export interface Trial {
  readonly one: Case;
  /** True if the analyses get the initial state. */
  readonly hasState: boolean;
  readonly seed: number;
  readonly variation: Variation;
}

export function anyTrial(most: number): fc.Arbitrary<Trial> {
  return fc.record({ one: anyCase(most), hasState: fc.boolean(), seed: fc.nat(), variation: anyVariation });
}

export interface Broken {
  readonly law: "valid" | "simulate" | "equivalent" | "optimize";
  readonly why: string;
  readonly plans: readonly string[];
}

/** Actions may depend on later ones of the list, too. */
function shuffled(one: Case, { places }: Variation): Case {
  return { ...one, ...varied(one, { places, isRenamed: false, change: "nothing", at: 0 }) };
}

/** Notes what was exercised, and gives the first thing of each law that is broken. */
export function tried(trial: Trial, note: (what: string) => void): Broken[] {
  const { hasState, seed, variation } = trial;
  const one = seed % 5 === 4 ? shuffled(trial.one, variation) : trial.one;
  const broken: Broken[] = [];
  const { isDeclared } = one;
  const state = stateFrom(one.state);
  const given = hasState ? state : undefined;
  const options = optionsFor(isDeclared, given);
  const states = hasState ? [state] : [state, stateFrom({}), stateFrom({ x: 1, y: "a", z: 0 })];
  const found = (law: Broken["law"], [why]: readonly string[], ...plans: readonly PlanData[]): void => {
    if (why !== undefined) broken.push({ law, why, plans: plans.map(textOfPlan) });
  };
  note("plans");
  const whole = sceneFrom(one, isDeclared);
  if (whole !== undefined) {
    note("simulated");
    found("simulate", againstSimulation(whole, given, states, seed), { actions: one.actions });
  }
  const data = mended(one, options);
  const scene = data && sceneFrom(data, isDeclared);
  if (data !== undefined && scene !== undefined) {
    const verification = verify(scene.plan, options);
    note("valid");
    if (verification.tier === "heuristic") note("valid by claims");
    found("valid", againstValid(scene, verification, states, seed), data);
    const better = optimized(scene, given);
    if (better !== undefined) {
      const other = sceneOf(better.plan, isDeclared);
      const same = againstSame(scene, other, [state, stateFrom({})], worldsFrom(seed));
      if (same.worlds > 0) note("optimized");
      found("optimize", [...better.broken, ...same.broken], data);
    }
  }
  const isMended = seed % 2 === 0 && data !== undefined;
  const [first, base] = isMended ? [data, scene] : [{ actions: one.actions }, whole];
  const second = varied(first, variation);
  const other = base && sceneFrom(second, isDeclared);
  if (base !== undefined && other !== undefined && isSaidEquivalent(base.plan, other.plan, isDeclared)) {
    const same = againstSame(base, other, [state, stateFrom({})], worldsFrom(seed));
    if (same.worlds > 0) note("equivalent");
    found("equivalent", same.broken, first, second);
  }
  return broken;
}

function worldsFrom(seed: number): number[] {
  return [seed, seed + 1, seed + 2];
}

/** Undefined for a plan that does not hang together. */
function sceneFrom(data: PlanData, isDeclared: boolean): Scene | undefined {
  if (data.actions.length === 0) return undefined;
  const plan = planFrom(data);
  return verify(plan, optionsFor(isDeclared, undefined)).levels.length === 0
    ? undefined
    : sceneOf(plan, isDeclared);
}
