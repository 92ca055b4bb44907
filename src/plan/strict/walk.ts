/**
 * Goes through a plan along its row and keeps what is known of every key.
 *
 * What an action does when it is reached: all it asks of the state is looked at once. If something does not hold it
 * fails. A tool call may fail for reasons of its own; nothing else may. An action that fails ends the plan (`abort`, and
 * `retry` after its last try) or is left out (`skip`), and then each of its effects has happened or has not.
 * SOUNDNESS: by the theorem in `graph.ts` one schedule stands for all; see `knowledge.ts` for what is kept.
 */
import type { Json } from "../../ir/json/json.ts";
import { hasMarks, possibleAt } from "../../run/cells.ts";
import { type Action, keyOf, type Plan, type State, writtenValue } from "../plan.ts";
import { hasReference } from "../references.ts";
import { sameValue } from "../values.ts";
import type { Condition } from "./conditions.ts";
import type { Graph } from "./graph.ts";
import {
  absentAtStart,
  atStart,
  type Judgement,
  join,
  judge,
  type Knowledge,
  type Possibility,
  restsOnClaims,
  unknownAtStart,
} from "./knowledge.ts";
import type { CallModel, ReadKey, Requirement, ToolBook } from "./tool-book.ts";
import { type Ask, dependencyAsk, type Keys, ownAsk, preconditionAsk, type Uses } from "./uses.ts";

export type Fate =
  /** It runs and has its effects if the plan gets there and its tool does not fail. */
  | "runs"
  /** It runs, or is left out. */
  | "may be skipped"
  | "is skipped"
  /** It ends the plan if it is reached. */
  | "ends the plan"
  /** Something before it ends the plan. */
  | "is not reached";

export interface Watcher {
  /** Something that an action asks does not hold, or not for sure. */
  readonly unmet?: (action: number, ask: Ask, judgement: Exclude<Judgement, { kind: "holds" }>) => void;
  /** An output that an action refers to may not be there. */
  readonly noOutput?: (action: number, of: number, never: boolean) => void;
  /** What a tool requires does not hold, or not for sure. */
  readonly required?: (action: number, requirement: Requirement) => void;
  /** An action claims of a tool what the tool's module does not say, or says otherwise (`is`). */
  readonly disputed?: (action: number, effect: number, is: Json | undefined) => void;
  /** Something was decided with what tool calls claim, for an action that asks for it. */
  readonly claimed?: (knowledge: Knowledge, key: number, action: number) => void;
}

export interface Walked {
  readonly fates: readonly Fate[];
  /** At the end, by the number of the key. */
  readonly knowledge: readonly Knowledge[];
}

export interface Scene {
  readonly plan: Plan;
  readonly graph: Graph;
  readonly keys: Keys;
  readonly numbers: ReadonlyMap<string, number>;
  /** Undefined: nothing is known of it. */
  readonly initial: State | undefined;
  readonly tools?: Tools;
}

/** The calls of declared tools, and for each that was gone past what it leaves. */
export interface Tools {
  readonly book: ToolBook;
  readonly calls: ReadonlyMap<number, CallModel>;
  readonly left: Map<number, ReadonlyMap<number, Knowledge>>;
  /** Those of which it is not sure that what their tool requires is met. */
  readonly doubtful: Set<number>;
}

export function walk(scene: Scene, watcher: Watcher): Walked {
  const { plan, graph, keys, initial } = scene;
  const knowledge: Knowledge[] = keys.names.map(knowledgeAtStart(initial));
  const fates: Fate[] = new Array(plan.actions.length).fill("runs");
  for (const i of graph.order) {
    const action = plan.actions[i];
    if (action === undefined) continue;
    const fate = fateOf(scene, i, action, fates, knowledge, watcher);
    fates[i] = fate;
    if (fate !== "runs" && fate !== "may be skipped") continue;
    const call = scene.tools?.calls.get(i);
    if (call !== undefined && scene.tools !== undefined) {
      const left = toolEffects(scene, scene.tools, call, i, knowledge, watcher);
      scene.tools.left.set(i, left);
      leave(left, fate === "may be skipped", knowledge);
    } else {
      applyEffects(action, i, fate === "may be skipped", graph.uses[i] ?? nothing, knowledge);
    }
  }
  return { fates, knowledge };
}

export function knowledgeAtStart(initial: State | undefined): (name: string) => Knowledge {
  if (initial === undefined) return () => unknownAtStart;
  const isCertain = !hasMarks(initial.keys());
  return (name) => {
    if (isCertain) return contentAtStart(initial.get(name));
    const possible = possibleAt(name, (key) => initial.get(key));
    return possible === "anything" ? unknownAtStart : possible.flatMap(contentAtStart);
  };
}

function contentAtStart(value: Json | undefined): Knowledge {
  return value === undefined ? absentAtStart : [{ kind: "value", value, source: atStart, claim: false }];
}

function fateOf(
  { graph, keys, numbers, tools }: Scene,
  i: number,
  action: Action,
  fates: readonly Fate[],
  knowledge: readonly Knowledge[],
  watcher: Watcher,
): Fate {
  for (const one of graph.before[i] ?? []) {
    if (fates[one] === "ends the plan" || fates[one] === "is not reached") return "is not reached";
  }
  let fails = false;
  let open = false;
  const { reads } = graph.uses[i] ?? nothing;
  const { preconditions, stateDependencies, readSet } = action;
  for (let j = 0; j < preconditions.length; j++) {
    const one = preconditions[j];
    const judgement = one && judgedAt(one, reads[j] ?? -1, i, knowledge, watcher);
    if (judgement === undefined) continue;
    watcher.unmet?.(i, preconditionAsk(action, j), judgement);
    if (judgement.kind === "fails") fails = true;
    else open = true;
  }
  for (let j = 0; j < stateDependencies.length; j++) {
    const judgement = judgedAt(isThere, reads[preconditions.length + j] ?? -1, i, knowledge, watcher);
    if (judgement === undefined) continue;
    watcher.unmet?.(i, dependencyAsk(action, j), judgement);
    if (judgement.kind === "fails") fails = true;
    else open = true;
  }
  if (action.type === "state_read" || action.type === "assertion") {
    const own = ownAsk(action);
    const at = preconditions.length + stateDependencies.length + readSet.length;
    const judgement = own && judgedAt(own, reads[at] ?? -1, i, knowledge, watcher);
    if (own !== undefined && judgement !== undefined) {
      watcher.unmet?.(i, own, judgement);
      if (judgement.kind === "fails") fails = true;
      else open = true;
    }
  }
  const call = tools?.calls.get(i);
  if (call !== undefined) {
    for (const requirement of tools?.book.unmet(call, readerOf(keys, knowledge)) ?? []) {
      if (requirement.kind === "fails") fails = true;
      else open = true;
      tools?.doubtful.add(i);
      watcher.required?.(i, requirement);
    }
  }
  for (const id of action.references) {
    const of = numbers.get(id) ?? -1;
    const fate = fates[of];
    if (fate !== "may be skipped" && fate !== "is skipped") continue;
    if (fate === "is skipped") fails = true;
    else open = true;
    watcher.noOutput?.(i, of, fate === "is skipped");
  }
  const skips = action.failureBehavior === "skip";
  if (fails) return skips ? "is skipped" : "ends the plan";
  return skips && (open || action.type === "tool_call") ? "may be skipped" : "runs";
}

/** Undefined if it holds. */
function judgedAt(
  condition: Condition,
  key: number,
  i: number,
  knowledge: readonly Knowledge[],
  watcher: Watcher,
): Exclude<Judgement, { kind: "holds" }> | undefined {
  const known = knowledge[key] ?? unknownAtStart;
  const judgement = judge(condition, known);
  if (restsOnClaims(known)) watcher.claimed?.(known, key, i);
  return judgement.kind === "holds" ? undefined : judgement;
}

const nothing: Uses = { reads: [], writes: [] };
const isThere: Condition = { key: "", operator: "exists", value: null };

function applyEffects(
  action: Action,
  i: number,
  mayMiss: boolean,
  { writes }: Uses,
  knowledge: Knowledge[],
): void {
  if (mayMiss || writes.length > 1) leave(effectsOf(action, i, writes), mayMiss, knowledge);
  else if (writes.length === 1) {
    const [key = -1] = writes;
    const [now] = listEffects(action, i);
    if (now !== undefined) knowledge[key] = now;
  }
}

function leave(effects: ReadonlyMap<number, Knowledge>, mayMiss: boolean, knowledge: Knowledge[]): void {
  for (const [key, now] of effects) {
    const before = knowledge[key];
    knowledge[key] = mayMiss && before !== undefined ? join(before, now) : now;
  }
}

/** What the state holds as far as a tool's clauses can use it: one value, or nothing. */
function readerOf(keys: Keys, knowledge: readonly Knowledge[]): ReadKey {
  return (name) => {
    const known = knowledge[keys.find(name) ?? -1];
    const [first] = known ?? [];
    if (known?.length !== 1 || first === undefined || first.kind === "any") return "unknown";
    return { cell: first.kind === "absent" ? undefined : first.value };
  };
}

/**
 * What a call of a declared tool leaves: what the tool sets, in place of what the action claims.
 * SOUNDNESS: a claim that the tool does not make may come true or not.
 */
function toolEffects(
  { plan, keys }: Scene,
  { book }: Tools,
  call: CallModel,
  i: number,
  knowledge: readonly Knowledge[],
  watcher: Watcher,
): ReadonlyMap<number, Knowledge> {
  const left = new Map<number, Knowledge>();
  const action = plan.actions[i];
  const before = (key: number): Knowledge => knowledge[key] ?? unknownAtStart;
  for (const name of action?.writeSet ?? []) left.set(keys.find(name) ?? -1, anything(i));
  for (const [at, { happens, value }] of book.updates(call, readerOf(keys, knowledge)).entries()) {
    const key = keys.find(call.writes[at] ?? "") ?? -1;
    const one: Possibility =
      value === undefined
        ? { kind: "any", source: i, claim: false }
        : { kind: "value", value, source: i, claim: false };
    if (happens === "always") left.set(key, [one]);
    else if (happens === "maybe") left.set(key, join(left.get(key) ?? before(key), [one]));
  }
  for (const [at, { key: name, value }] of (action?.expectedEffects ?? []).entries()) {
    const key = keys.find(name) ?? -1;
    const now = left.get(key);
    const [only] = now ?? [];
    if (now === undefined) {
      watcher.disputed?.(i, at, undefined);
      left.set(key, join(before(key), [{ kind: "value", value, source: i, claim: true }]));
    } else if (now.length === 1 && only?.kind === "value" && !sameValue(only.value, value)) {
      watcher.disputed?.(i, at, only.value);
    }
  }
  return left;
}

/** What is known of each key that an action writes, once it ran. */
export function effectsOf(
  action: Action,
  i: number,
  writes: readonly number[],
): ReadonlyMap<number, Knowledge> {
  // What is said last of a key counts: a claim says more than a write set.
  return new Map(listEffects(action, i).map((now, at) => [writes[at] ?? -1, now]));
}

/** In the order of `Uses.writes`. */
function listEffects(action: Action, i: number): Knowledge[] {
  const { type, expectedEffects, writeSet } = action;
  const effects: Knowledge[] = [];
  for (let j = 0; j < writeSet.length; j++) effects.push(anything(i));
  if (type === "state_write" && keyOf(action) !== undefined) {
    effects.push(valueFrom(action, writtenValue(action), i, false));
  }
  for (const { value } of expectedEffects) effects.push(valueFrom(action, value, i, type === "tool_call"));
  return effects;
}

function valueFrom(action: Action, value: Json, source: number, claim: boolean): Knowledge {
  const isOpen = action.references.length > 0 && hasReference(value);
  const one: Possibility = isOpen ? { kind: "any", source, claim } : { kind: "value", value, source, claim };
  return [one];
}

/** A key that an action says it writes, and does not say what. */
function anything(source: number): Knowledge {
  return [
    { kind: "absent", source, claim: false },
    { kind: "any", source, claim: false },
  ];
}
