/**
 * Simulates a plan without tools: computes the final state, assuming that no plan-ending call fails. Keys that may
 * have more than one value, or may be absent or there, are listed as unknown.
 */
import { hasMarks, markedBy } from "../../run/index.ts";
import type { Finding } from "../findings.ts";
import type { Plan, State } from "../plan.ts";
import { darkKeys, type Fate, knowledgeAtStart, type Scene, walk } from "./abstract-interpreter.ts";
import { type AbstractValue, join, onlyValue } from "./abstract-state.ts";
import { conditionText } from "./conditions.ts";
import { structureOf } from "./structure.ts";
import type { VerifyOptions } from "./verify.ts";
import { knownState, sceneOf } from "./verify.ts";

export interface Blocked {
  readonly actionId: string;
  /** True if the action fails in every run, false if only in some. */
  readonly always: boolean;
  /** True if the plan ends there. */
  readonly endsPlan: boolean;
  /** Conditions that are not met. */
  readonly because: readonly string[];
}

export interface Simulation {
  readonly state: State;
  readonly unknown: readonly string[];
  readonly blocked: readonly Blocked[];
  /** Actions that cannot be reached, because one before them always ends the plan. */
  readonly unreached: readonly string[];
}

export type Simulated =
  | { readonly kind: "simulated"; readonly simulation: Simulation }
  | { readonly kind: "broken"; readonly findings: readonly Finding[] };

export function simulate(plan: Plan, options: VerifyOptions = {}): Simulated {
  const structure = structureOf(plan, options);
  if (structure.kind === "broken") return structure;
  const scene = sceneOf(plan, structure, options);
  const { keys } = scene;
  const reasons = new Map<number, string[]>();
  const note = (i: number, reason: string): void => {
    reasons.set(i, [...(reasons.get(i) ?? []), reason]);
  };
  const mayEnd = new Set<number>();
  const walked = walk(scene, {
    unmet: (i, ask) => note(i, conditionText(ask)),
    required: (i, { text }) => note(i, text),
    noOutput: (i, of, _, reference) => note(i, reference ?? `the output of ${plan.actions[of]?.id ?? ""}`),
    misfit: (i, _, parameter) => note(i, `a value of ${parameter} that its tool can receive exactly`),
    inexact: (i, _, key) => note(i, `an exact value for ${key}`),
    refused: (i, why, ends) => {
      note(i, `what a kernel takes, and ${why}`);
      if (ends) mayEnd.add(i);
    },
  });
  const { fates } = walked;
  const blocked = [...reasons]
    .sort(([a], [b]) => a - b)
    .map(([i, because]): Blocked => {
      const action = plan.actions[i];
      // One that is skipped, or ends the plan if a kernel is asked, does not end it always.
      const always = (fates[i] === "is skipped" && !mayEnd.has(i)) || fates[i] === "ends the plan";
      const endsPlan = mayEnd.has(i) || action?.failureBehavior !== "skip";
      return { actionId: action?.id ?? "", always, endsPlan, because };
    });
  const ends = fates.flatMap((fate, i) => (fate === "ends the plan" ? [i] : []));
  const knowledge = ends.length === 0 ? walked.knowledge : knowledgeOfEnded(scene, fates, ends);
  const ended = { ...walked, knowledge };
  const state = knownState(scene, ended);
  const unknown = [
    ...keys.names.filter((name, i) => !state.has(name) && !isAbsent(knowledge[i])),
    ...unknownBesides(scene),
  ];
  const unreached = fates.flatMap((fate, i) =>
    fate === "is not reached" ? [plan.actions[i]?.id ?? ""] : [],
  );
  return { kind: "simulated", simulation: { state, unknown, blocked, unreached } };
}

/** Keys that the plan does not name and the state at the start does not tell. */
function unknownBesides({ keys, initial }: Scene): string[] {
  if (initial === undefined) return [];
  const at = knowledgeAtStart(initial);
  const names = new Set(Array.from(initial.keys(), (key) => (hasMarks([key]) ? markedBy(key) : key)));
  return [...names].filter((name) => keys.find(name) === undefined && onlyValue(at(name)) === undefined);
}

function isAbsent(knowledge: AbstractValue | undefined): boolean {
  return knowledge?.every(({ kind }) => kind === "absent") ?? false;
}

/**
 * The plan ends at one of these actions, whichever is reached first. Only what must run before each of them has run
 * for sure; anything else has or has not.
 */
function knowledgeOfEnded(
  scene: Scene,
  fates: readonly Fate[],
  ends: readonly number[],
): readonly AbstractValue[] {
  const { graph, keys, initial } = scene;
  const sure = ancestorsOfAll(scene, ends);
  const dark = darkKeys(scene);
  const knowledge: AbstractValue[] = keys.names.map(knowledgeAtStart(initial));
  for (const i of graph.order) {
    const fate = fates[i];
    if (fate !== "runs" && fate !== "may be skipped") continue;
    for (const [key, now] of scene.left.get(i) ?? []) {
      if (dark.has(key)) continue;
      const before = knowledge[key];
      const isSure = fate === "runs" && sure.has(i);
      knowledge[key] = isSure || before === undefined ? now : join(before, now);
    }
  }
  return knowledge;
}

/** LIMIT: with more ends than this nothing counts as sure. */
const mostEnds = 8;

function ancestorsOfAll({ graph }: Scene, ends: readonly number[]): ReadonlySet<number> {
  if (ends.length > mostEnds) return new Set();
  let common: Set<number> | undefined;
  for (const end of ends) {
    const found = new Set<number>();
    const waiting = [end];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const one of graph.before[next] ?? []) {
        if (found.has(one)) continue;
        found.add(one);
        waiting.push(one);
      }
    }
    const others: Set<number> | undefined = common;
    common = others === undefined ? found : new Set([...found].filter((one) => others.has(one)));
  }
  return common ?? new Set();
}
