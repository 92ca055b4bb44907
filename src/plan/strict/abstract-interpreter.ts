/**
 * Goes through a plan along its row and keeps what is known of every key.
 *
 * What an action does when it is reached: all it asks (`reach.ts`) is looked at once. If something does not hold it
 * fails. A tool call may fail for reasons of its own; nothing else may. An action that fails ends the plan (`abort`, and
 * `retry` after its last try) or is skipped (`skip`), and then each of its effects has happened or has not.
 * SOUNDNESS: by the theorem in `graph.ts` one schedule stands for all; see `abstract-state.ts` for what is kept.
 */
import type { Json } from "../../ir/index.ts";
import { hasMarks, isKeptKey, possibleAt, unknownKey } from "../../run/index.ts";
import { type Action, keyOf, type Plan, type State } from "../plan.ts";
import { hasReference } from "../references.ts";
import { sameValue } from "../values.ts";
import {
  type AbstractValue,
  absentAtStart,
  atStart,
  doubted,
  inTheDark,
  isDoubtful,
  type Judgment,
  join,
  onlyValue,
  type Possibility,
  unknownAtStart,
} from "./abstract-state.ts";
import type { Ask, Keys } from "./access-sets.ts";
import type { Graph } from "./graph.ts";
import type { Happening, Happenings } from "./happenings.ts";
import { settingsOf } from "./keepable.ts";
import { type Around, type Reached, reach } from "./reach.ts";
import { anyShape, given, nothing, type Output, possibleValues, type Shape } from "./shapes.ts";
import type { CallModel, Requirement, ToolBook } from "./tool-book.ts";

export type Fate =
  /** It runs and has its effects if the plan gets there and its tool does not fail. */
  | "runs"
  /** It runs, or is skipped. */
  | "may be skipped"
  | "is skipped"
  /** It ends the plan if it is reached. */
  | "ends the plan"
  /** Something before it ends the plan. */
  | "is not reached";

export interface Watcher {
  /** Something that an action asks does not hold, or not for sure. */
  readonly unmet?: (
    action: number,
    ask: Ask,
    judgment: Exclude<Judgment, { kind: "holds" }>,
    /** True if the compared value is known only in a run. */
    valueIsOpen: boolean,
  ) => void;
  /** An output that an action refers to may not be there, or a part of one (`reference`). */
  readonly noOutput?: (action: number, of: number, never: boolean, reference: string | undefined) => void;
  /** A tool cannot receive a parameter exactly, or not for sure. */
  readonly misfit?: (action: number, kind: "fails" | "open", parameter: string, what: string) => void;
  /** A tool would set a value that is not exact, or possibly not exact. */
  readonly inexact?: (action: number, kind: "fails" | "open", key: string) => void;
  /** Every kernel refuses the action; whether the plan may end by that although the action could be skipped. */
  readonly refused?: (action: number, why: string, mayEnd: boolean) => void;
  /** A kernel may refuse what the action sets, for a reason that no verdict speaks of. */
  readonly fragile?: (action: number) => void;
  /** A requirement of the tool fails, or may fail. */
  readonly required?: (action: number, requirement: Requirement) => void;
  /** An action claims of a tool what the tool's module does not say, or says otherwise (`is`). */
  readonly disputed?: (action: number, effect: number, is: Json | undefined) => void;
  /** Something was decided with what tool calls claim, for an action that asks for it. */
  readonly claimed?: (knowledge: AbstractValue, key: number, action: number) => void;
}

export interface Walked {
  readonly fates: readonly Fate[];
  /** At the end, by the number of the key. */
  readonly knowledge: readonly AbstractValue[];
}

export interface Scene {
  readonly plan: Plan;
  readonly graph: Graph;
  readonly keys: Keys;
  readonly numbers: ReadonlyMap<string, number>;
  /** Undefined: nothing is known of it. */
  readonly initial: State | undefined;
  readonly tools?: Tools;
  /** For each action that was gone past what it leaves. */
  readonly left: Map<number, ReadonlyMap<number, AbstractValue>>;
  /** Those of which it is not sure that all is met that they ask, besides conditions on the state. */
  readonly doubtful: Set<number>;
}

/** The calls of declared tools. */
export interface Tools {
  readonly book: ToolBook;
  readonly calls: ReadonlyMap<number, CallModel>;
}

export function walk(scene: Scene, watcher: Watcher): Walked {
  const { plan, graph, keys, initial } = scene;
  const knowledge: AbstractValue[] = keys.names.map(knowledgeAtStart(initial));
  const dark = darkKeys(scene);
  const fates: Fate[] = new Array(plan.actions.length).fill("runs");
  const outputs: (Output | undefined)[] = new Array(plan.actions.length).fill(undefined);
  for (const i of graph.order) {
    const action = plan.actions[i];
    if (action === undefined) continue;
    let reached: Reached | undefined;
    const fate = fateOf(scene, i, action, fates, () => {
      reached = reach(scene, i, action, { knowledge, fates, outputs }, watcher);
      return reached;
    });
    fates[i] = fate;
    if (fate !== "runs" && fate !== "may be skipped") continue;
    outputs[i] = outputOf(scene, i, action, knowledge);
    const left = leftBy(scene, i, { knowledge, fates, outputs }, reached?.happenings, watcher);
    scene.left.set(i, left);
    for (const [key, now] of left) {
      if (dark.has(key)) continue;
      const before = knowledge[key] ?? unknownAtStart;
      knowledge[key] = fate === "may be skipped" ? maybe(action, before, now) : now;
    }
  }
  return { fates, knowledge };
}

/**
 * Returns the value of a key if an action may be skipped. A failed call may have had its effect; any other skipped
 * action has done nothing, and the run knows that.
 */
function maybe({ type }: Action, before: AbstractValue, now: AbstractValue): AbstractValue {
  const both = join(before, now);
  return type === "tool_call" ? doubted(both) : both;
}

/** Keys with unknown values for every writer: the run's own marks, and cells of a fluent that is marked as a whole. */
export function darkKeys({ keys, initial }: Scene): ReadonlySet<number> {
  const marked = (name: string): boolean => {
    const open = name.endsWith("]") ? name.indexOf("[") : -1;
    return open > 0 && initial?.has(unknownKey(name.slice(0, open))) === true;
  };
  return new Set(keys.names.flatMap((name, i) => (isKeptKey(name) || marked(name) ? [i] : [])));
}

export function knowledgeAtStart(initial: State | undefined): (name: string) => AbstractValue {
  if (initial === undefined) return (name) => (isKeptKey(name) ? inTheDark(atStart) : unknownAtStart);
  const isCertain = !hasMarks(initial.keys());
  return (name) => {
    if (isKeptKey(name)) return inTheDark(atStart);
    if (isCertain) return contentAtStart(initial.get(name));
    const possible = possibleAt(name, (key) => initial.get(key));
    if (possible === "anything") return inTheDark(atStart);
    const known = possible.flatMap(contentAtStart);
    return possible.length > 1 ? doubted(known) : known;
  };
}

function contentAtStart(value: Json | undefined): AbstractValue {
  return value === undefined ? absentAtStart : [{ kind: "value", value, source: atStart, claim: false }];
}

function fateOf(
  { graph }: Scene,
  i: number,
  { failureBehavior, type }: Action,
  fates: readonly Fate[],
  reached: () => Reached,
): Fate {
  for (const one of graph.before[i] ?? []) {
    if (fates[one] === "ends the plan" || fates[one] === "is not reached") return "is not reached";
  }
  const { fails, open, isFatal } = reached();
  const skips = failureBehavior === "skip";
  if (isFatal) return "ends the plan";
  if (fails) return skips ? "is skipped" : "ends the plan";
  return skips && (open || type === "tool_call") ? "may be skipped" : "runs";
}

/** Returns the output of an action in the current abstract state. */
function outputOf(scene: Scene, i: number, action: Action, knowledge: readonly AbstractValue[]): Output {
  switch (action.type) {
    case "tool_call": {
      const model = scene.tools?.calls.get(i);
      const result = model?.tool.result;
      if (model === undefined) return { shapes: [given], isResult: true };
      return { shapes: [result === undefined ? nothing : { kind: "typed", type: result }], isResult: true };
    }
    case "state_read": {
      const known = knowledge[scene.keys.find(keyOf(action) ?? "") ?? -1] ?? unknownAtStart;
      return { shapes: known.flatMap(shapeOf), isResult: false };
    }
    case "state_write":
    case "assertion":
      return { shapes: [nothing], isResult: false };
  }
}

function shapeOf(one: Possibility): Shape[] {
  if (one.kind === "absent") return [];
  return [one.kind === "any" ? (one.shape ?? anyShape) : { kind: "is", value: one.value }];
}

/** Returns the values that an action writes, by key number. */
function leftBy(
  scene: Scene,
  i: number,
  around: Around,
  found: Happenings | undefined,
  watcher: Watcher,
): ReadonlyMap<number, AbstractValue> {
  const action = scene.plan.actions[i];
  const call = scene.tools?.calls.get(i);
  if (action === undefined) return nobody;
  if (found !== undefined && call !== undefined) return toolEffects(scene, call, i, around, found, watcher);
  return effectsOf(scene, action, i, around.outputs);
}

/**
 * Returns the effects of a call of a declared tool: the tool's `sets`, not the action's own claim. SOUNDNESS: an
 * effect that only the action claims may happen or not. A retried call may have happened more than once, and the run
 * does not know how often.
 */
function toolEffects(
  scene: Scene,
  call: CallModel,
  i: number,
  { knowledge, outputs }: Around,
  { each: [first, ...others], isCut }: Happenings,
  watcher: Watcher,
): ReadonlyMap<number, AbstractValue> {
  const { plan, keys } = scene;
  const left = new Map<number, AbstractValue>();
  const action = plan.actions[i];
  if (action === undefined) return left;
  const before = (key: number): AbstractValue => knowledge[key] ?? unknownAtStart;
  const isDark = call.reads.some((name) => isDoubtful(before(keys.find(name) ?? -1)));
  for (const name of action.writeSet) left.set(keys.find(name) ?? -1, anything(i));
  for (const [at, { happens, value }] of first.updates.entries()) {
    const key = keys.find(call.writes[at] ?? "") ?? -1;
    if (happens === "never") continue;
    const now: Possibility =
      value === undefined
        ? { kind: "any", source: i, claim: false }
        : { kind: "value", value, source: i, claim: false };
    // The run works nothing out from what it does not know: it marks what it cannot tell for sure.
    if (isDark && (happens === "maybe" || value === undefined)) left.set(key, inTheDark(i));
    else left.set(key, happens === "always" ? [now] : join(left.get(key) ?? before(key), [now]));
  }
  for (const name of new Set(call.writes)) {
    const key = keys.find(name) ?? -1;
    const now = left.get(key);
    if (now !== undefined && others.length > 0) left.set(key, timesAgain(now, name, i, others, isCut));
  }
  for (const [at, { key: name, value }] of action.expectedEffects.entries()) {
    const key = keys.find(name) ?? -1;
    const now = left.get(key);
    const claimed = valueFrom(scene, action, value, i, true, outputs);
    if (now === undefined) {
      watcher.disputed?.(i, at, undefined);
      left.set(key, join(before(key), claimed));
      continue;
    }
    const [is, said] = [onlyValue(now), onlyValue(claimed)];
    if (is !== undefined && (said === undefined || !sameValue(is, said))) watcher.disputed?.(i, at, is);
  }
  return left;
}

/** Returns the value of a key after a call that may have happened several times. */
function timesAgain(
  once: AbstractValue,
  name: string,
  source: number,
  others: readonly Happening[],
  isCut: boolean,
): AbstractValue {
  let known = once;
  for (const { cells } of others) {
    const value = cells.get(name);
    if (cells.has(name) && value === undefined) return inTheDark(source);
    if (value !== undefined) known = join(known, [{ kind: "value", value, source, claim: false }]);
  }
  if (known.length === once.length) return once;
  return isCut ? inTheDark(source) : doubted(known);
}

/** Returns the values of the keys that an action declares to write. */
function effectsOf(
  scene: Scene,
  action: Action,
  i: number,
  outputs: readonly (Output | undefined)[],
): ReadonlyMap<number, AbstractValue> {
  const writes = scene.graph.uses[i]?.writes ?? [];
  if (writes.length === 0) return nobody;
  const { type, writeSet } = action;
  const left = new Map<number, AbstractValue>();
  // What is said last of a key counts: a claim says more than a write set.
  for (let j = 0; j < writeSet.length; j++) left.set(writes[j] ?? -1, anything(i));
  let at = writeSet.length;
  for (const { value } of settingsOf(action)) {
    left.set(writes[at++] ?? -1, valueFrom(scene, action, value, i, type === "tool_call", outputs));
  }
  return left;
}

const nobody: ReadonlyMap<number, AbstractValue> = new Map();

function valueFrom(
  { numbers }: Scene,
  { references }: Action,
  value: Json,
  source: number,
  claim: boolean,
  outputs: readonly (Output | undefined)[],
): AbstractValue {
  if (references.length === 0 || !hasReference(value)) return [{ kind: "value", value, source, claim }];
  const { shapes } = possibleValues(value, (id) => outputs[numbers.get(id) ?? -1]);
  const found = shapes.map((shape): Possibility => {
    if (shape.kind === "is") return { kind: "value", value: shape.value, source, claim };
    return { kind: "any", shape, source, claim };
  });
  return found.length === 0 ? [{ kind: "any", source, claim }] : found;
}

/** A key that an action says it writes, and does not say what. */
function anything(source: number): AbstractValue {
  return [
    { kind: "absent", source, claim: false },
    { kind: "any", source, claim: false },
  ];
}
