/** Joins paths: merges the values of names, arrays and objects. */
import type { Expr } from "../../ir/index.ts";
import { choose, same } from "../build.ts";
import { Refusal, refuse } from "../refusal.ts";
import { isMaybeNaN, isNothing, isNumber, type Ty, tyText } from "../ty.ts";
import {
  type DataVal,
  data,
  type ErrorVal,
  type Link,
  promiseLater,
  type RefVal,
  undefinedVal,
  unreachable,
  type Val,
} from "../value.ts";
import { nameOf } from "./caught.ts";
import { type Exit, isAtom, type Lowering, type State } from "./core.ts";
import { describe, mixed, reify, unified } from "./data.ts";
import { classTag } from "./error-class.ts";
import { withoutNaN } from "./not-a-number.ts";
import { chosenPlace, depthOf, isMutable, letGo, samePath, share } from "./own.ts";
import { tasksOf } from "./tasks.ts";

type At = { readonly start: number; readonly end: number };

export interface Alternative {
  readonly guard: Expr;
  readonly state: State;
  readonly value?: Val;
}

/** Runs both sides, each on its path, and merges what they leave behind and what they give. */
export function branch(
  low: Lowering,
  condition: Expr,
  node: At,
  hint: string,
  yes: () => Val,
  no: () => Val,
): Val {
  if (condition.kind === "bool") return condition.value ? yes() : no();
  const chosen = isNegatedAtom(condition) ? condition : low.named(condition, hint, node);
  const before = { path: low.path, state: low.state };
  const yesPath = low.narrowed(chosen, hint, node);
  const noPath = low.narrowed(
    opposite(chosen),
    hint.startsWith("not_") ? hint.slice(4) : `not_${hint}`,
    node,
  );
  const first = side(low, yesPath, before.state, yes);
  const second = side(low, noPath, before.state, no);
  const firstDead = isFalse(first.path);
  const secondDead = isFalse(second.path);
  if (firstDead) {
    low.state = second.state;
    low.path = second.path;
    return second.value;
  }
  if (secondDead) {
    low.state = first.state;
    low.path = first.path;
    return first.value;
  }
  const whole = first.path === yesPath && second.path === noPath;
  const selector = first.path === yesPath ? chosen : second.path === noPath ? opposite(chosen) : first.path;
  low.path = whole ? before.path : low.named(choose(chosen, first.path, second.path), "going", node);
  const flipped = first.path !== yesPath && second.path === noPath;
  const [a, b] = flipped ? [second, first] : [first, second];
  low.state = mergeStates(low, selector, a.state, b.state, before.state, node);
  return mergeValues(low, selector, a.value, b.value, node, hint);
}

function isNegatedAtom(expr: Expr): boolean {
  return expr.kind === "op" && expr.op === "not" && expr.args[0] !== undefined && isAtom(expr.args[0]);
}

function side(low: Lowering, path: Expr, state: State, body: () => Val) {
  low.path = path;
  low.state = new Map(state);
  const value = body();
  return { path: low.path, state: low.state, value };
}

function opposite(condition: Expr): Expr {
  if (condition.kind === "op" && condition.op === "not" && condition.args[0] !== undefined)
    return condition.args[0];
  return { kind: "op", op: "not", args: [condition] };
}

export function isFalse(path: Expr): boolean {
  return path.kind === "bool" && !path.value;
}

/** All ways in which something was left, as one state and one value. Guards exclude one another. */
export function mergeAll(
  low: Lowering,
  ways: readonly Alternative[],
  node: At,
  hint: string,
): { readonly state: State; readonly value: Val | undefined } | undefined {
  const last = ways.at(-1);
  if (last === undefined) return undefined;
  let state: State = last.state;
  let value: Val | undefined = last.value;
  for (let i = ways.length - 2; i >= 0; i--) {
    const way = ways[i];
    if (way === undefined) continue;
    state = mergeStates(low, way.guard, way.state, state, way.state, node);
    if (value !== undefined && way.value !== undefined)
      value = mergeValues(low, way.guard, way.value, value, node, hint);
  }
  return { state, value };
}

export function alternatives(exits: readonly Exit[], kind: Exit["kind"]): Exit[] {
  return exits.filter((exit) => exit.kind === kind);
}

export function mergeStates(
  low: Lowering,
  condition: Expr,
  a: State,
  b: State,
  before: State,
  node: At,
): State {
  const merged: State = new Map(b);
  low.state = merged;
  const links: (readonly [number, Val, Val])[] = [];
  for (const [slot, mine] of a) {
    const theirs = b.get(slot);
    if (theirs === undefined) merged.set(slot, mine);
    else if (theirs !== mine && (isLinked(mine) || isLinked(theirs))) links.push([slot, mine, theirs]);
    else if (theirs !== mine) {
      const outside: MergeSides = { a, b };
      merged.set(
        slot,
        mergeValues(
          low,
          condition,
          mine,
          theirs,
          node,
          low.slotNames.get(slot) ?? hintFor(before.get(slot)),
          outside,
        ),
      );
    }
  }
  for (const [slot, mine, theirs] of links)
    merged.set(slot, mergeLinked(low, condition, mine, theirs, { a, b }, node));
  return merged;
}

function isLinked(val: Val): val is DataVal & { readonly hold: Link } {
  return val.kind === "data" && typeof val.hold === "object";
}

/** A value that is part of another on both paths still is, if it is the same part; otherwise nobody may use it. */
function mergeLinked(
  low: Lowering,
  condition: Expr,
  mine: Val,
  theirs: Val,
  sides: MergeSides,
  node: At,
): Val {
  if (isLost(mine, sides.a) || isLost(theirs, sides.b)) return lostPlace;
  if (isLinked(mine) && isLinked(theirs)) {
    const one: Link = mine.hold;
    const other: Link = theirs.hold;
    const seen = low.state.get(one.slot);
    if (one.slot === other.slot && samePath(one.path, other.path) && seen !== undefined) {
      const merged = mergeData(low, condition, mine, theirs, node, "merged");
      if (merged.kind !== "data") return merged;
      return { ...merged, hold: { ...one, guard: choose(condition, one.guard, other.guard), seen } };
    }
  }
  return mergeValues(low, condition, stripped(low, mine), stripped(low, theirs), node, "merged", sides);
}

/** Returns true if it is part of a value that has changed since. */
function isLost(val: Val, side: State): boolean {
  return isLinked(val) && side.get(val.hold.slot) !== val.hold.seen;
}

/** A value that is no longer known to be part of another, which is told. */
function stripped(low: Lowering, val: Val): Val {
  if (!isLinked(val)) return val;
  const { hold, ...plain } = val;
  share(low, hold.slot, depthOf(hold.path));
  return plain;
}

const lostPlace: Val = {
  kind: "poison",
  why: (spot) =>
    refuse(
      spot,
      "FC2312",
      "this may have been changed on one path and not on another",
      "take it out of the object or `Map` again where it is used",
    ),
};

function hintFor(before: Val | undefined): string {
  return before?.kind === "data" && before.expr.kind === "var"
    ? before.expr.name.replace(/_\d+$/, "")
    : "merged";
}

interface MergeSides {
  readonly a: State;
  readonly b: State;
}

/** Merges two values by the condition that chose between them. */
export function mergeValues(
  low: Lowering,
  condition: Expr,
  a: Val,
  b: Val,
  node: At,
  hint: string,
  sides?: MergeSides,
): Val {
  if (a === b || b === unreachable) return a;
  if (a === unreachable) return b;
  const chosen = mergePlaces(low, condition, a, b, node, hint);
  if (chosen !== undefined) return chosen;
  if (a.kind === "data" && b.kind === "data")
    return mergeData(low, condition, owned(low, a), owned(low, b), node, hint);
  if (a.kind === "promise" || b.kind === "promise") {
    const lists = [a, b].map((one) => one.kind === "promise" && one.many === true);
    const isSettled = [a, b].some((one) => one.kind === "promise" && one.isSettled);
    const isMixed = isSettled && ![a, b].every((one) => one.kind === "promise" && one.isSettled);
    if (lists[0] !== lists[1] || isMixed) return mismatch(a, b);
    const held = (val: Val) => (val.kind === "promise" ? val.of() : val);
    return {
      ...promiseLater(() => mergeValues(low, condition, held(a), held(b), node, hint, sides)),
      ...tasksOf(a, b),
      ...(lists[0] ? { many: true } : {}),
      ...(isSettled ? { isSettled } : {}),
    };
  }
  for (const one of [a, b]) if (one.kind === "items") low.count(node, one.items.length);
  if (a.kind === "items" && b.kind === "items" && a.items.length === b.items.length) {
    const items = a.items.map((item, i) => {
      const other = b.items[i];
      return other === undefined ? item : mergeValues(low, condition, item, other, node, hint, sides);
    });
    return { kind: "items", items };
  }
  if ([a, b].some((one) => one.kind === "items" && one.items.some(({ kind }) => kind === "promise")))
    return morePromises;
  if (a.kind === "ref" && b.kind === "ref") return mergeRefs(low, condition, a, b, node, hint, sides);
  if (a.kind === "error" && b.kind === "error")
    return {
      ...a,
      ...mergedClass(low, condition, a, b, node, hint, sides),
      name: a.name === b.name ? a.name : choose(condition, nameOf(a), nameOf(b)),
      message: mergeValues(low, condition, a.message, b.message, node, hint, sides),
    };
  if (isCallable(a) && isCallable(b)) return { kind: "choice", condition, yes: a, no: b };
  if (isReifiable(a) && isReifiable(b)) {
    try {
      const first = within(low, sides?.a, () => reify(low, a, node, true));
      const second = within(low, sides?.b, () => reify(low, b, node, true));
      return mergeData(low, condition, first, second, node, hint);
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.diagnostic === undefined) throw thrown;
      return mismatch(a, b);
    }
  }
  return mismatch(a, b);
}

/** The class and the fields of one of two errors; a field that one of them lacks is `undefined` there. */
function mergedClass(
  low: Lowering,
  condition: Expr,
  a: ErrorVal,
  b: ErrorVal,
  node: At,
  hint: string,
  sides: MergeSides | undefined,
): Pick<ErrorVal, "of" | "fields"> {
  if (a.of === undefined && b.of === undefined) return {};
  const names = new Set([...(a.fields?.keys() ?? []), ...(b.fields?.keys() ?? [])]);
  const fields = [...names].map((name) => {
    const [mine, theirs] = [a.fields?.get(name) ?? undefinedVal, b.fields?.get(name) ?? undefinedVal];
    return [name, mergeValues(low, condition, mine, theirs, node, hint, sides)] as const;
  });
  return { of: choose(condition, classTag(a), classTag(b)), fields: new Map(fields) };
}

/** `map.get(key) ?? []`: what is given can be changed where it was taken from, or as something new. */
function mergePlaces(
  low: Lowering,
  condition: Expr,
  a: Val,
  b: Val,
  node: At,
  hint: string,
): Val | undefined {
  const [placed, other, guard] =
    a.kind === "data" && a.place !== undefined ? [a, b, condition] : [b, a, opposite(condition)];
  if (placed.kind !== "data" || placed.place === undefined || !isMutable(placed.type)) return undefined;
  if (other.kind !== "ref" || other.shape.kind === "date") return undefined;
  const { place, hold: _, ...plain } = placed;
  // From now on the chosen one stands for the other, which is copied into nothing else.
  const value = low.carrying(() => reify(low, other, node, true));
  const merged = mergeData(low, guard, plain, value, node, hint);
  return merged.kind === "data" ? chosenPlace(low, guard, place, merged, other) : undefined;
}

/** A value as one that is chosen between: its receiver may keep it. */
function owned(low: Lowering, val: DataVal): DataVal {
  const plain = letGo(low, val);
  return plain.kind === "data" ? plain : val;
}

function within<T>(low: Lowering, state: State | undefined, body: () => T): T {
  const before = low.state;
  if (state !== undefined) low.state = state;
  try {
    return body();
  } finally {
    low.state = before;
  }
}

function mergeData(low: Lowering, condition: Expr, a: DataVal, b: DataVal, node: At, hint: string): Val {
  const both = unified(low, a, b, node) ?? withoutUnreal(low, condition, a, b, node);
  if (both === undefined) return mismatch(a, b);
  const [x, y, type] = both;
  const merged = same(x, y) ? data(x, type) : low.namedData(data(choose(condition, x, y), type), hint, node);
  return a.hold === "own" && b.hold === "own" ? { ...merged, hold: "own" } : merged;
}

/** A number beside values of other kinds must be one, since JSON has no `NaN`. */
function withoutUnreal(
  low: Lowering,
  condition: Expr,
  a: DataVal,
  b: DataVal,
  node: At,
): readonly [Expr, Expr, Ty] | undefined {
  if (low.mode.kind !== "program") return undefined;
  const [p, q] = [sureTy(a.type), sureTy(b.type)];
  if ((p === undefined && q === undefined) || mixed(p ?? a.type, q ?? b.type) === undefined) return undefined;
  const what = "a value beside those of other kinds";
  const first = low.implies(condition, () => withoutNaN(low, a, node, what)) ?? a;
  const second = low.implies(opposite(condition), () => withoutNaN(low, b, node, what)) ?? b;
  return unified(low, first, second, node);
}

/** The number without `NaN`; undefined if it is no number that may be `NaN`. */
function sureTy(type: Ty): Ty | undefined {
  return isMaybeNaN(type) && !isNothing(type) && isNumber(type.value) ? type.value : undefined;
}

/**
 * Two arrays or objects become a third. Where one of them is chosen on the way, a change of it is written to both, by the
 * condition; elsewhere the two themselves must not change any more, since it would not follow.
 */
function mergeRefs(
  low: Lowering,
  condition: Expr,
  a: RefVal,
  b: RefVal,
  node: At,
  hint: string,
  sides: MergeSides | undefined,
): Val {
  const [left, right] = [a.shape, b.shape];
  const read = (state: State | undefined, slot: number): Val =>
    low.isStale(slot) ? low.read(slot) : ((state ?? low.state).get(slot) ?? low.read(slot));
  const isFollowed = sides === undefined && low.mode.kind !== "formula";
  const chosen = (value: Val, yes: number, no: number): number => {
    const slot = low.newSlot(value);
    if (isFollowed) low.chose(slot, { condition, yes, no });
    else low.mayBe(slot, [yes, no]);
    return slot;
  };
  const freeze = (...slots: readonly number[]) => {
    if (!isFollowed) for (const slot of slots) low.supersede(slot);
  };
  if (left.kind === "object" && right.kind === "object") {
    const names = [...left.fields.keys()];
    if (names.length === right.fields.size && names.every((name) => right.fields.has(name))) {
      const fields = new Map<string, number>();
      for (const name of names) {
        const [mine, theirs] = [left.fields.get(name) ?? -1, right.fields.get(name) ?? -1];
        if (mine !== theirs) freeze(mine, theirs);
        const value = mergeValues(
          low,
          condition,
          read(sides?.a, mine),
          read(sides?.b, theirs),
          node,
          name,
          sides,
        );
        fields.set(name, mine === theirs ? mine : chosen(value, mine, theirs));
      }
      if (left.of?.node !== right.of?.node) return mismatch(a, b);
      const others = [...right.fields.keys()];
      const isMixed = left.unordered || right.unordered || names.some((name, i) => others[i] !== name);
      return { kind: "ref", shape: { ...left, fields, ...(isMixed ? { unordered: true as const } : {}) } };
    }
    return mergeReified(low, condition, a, b, node, hint, sides);
  }
  if (left.kind !== "object" && right.kind !== "object" && left.kind === right.kind) {
    if (left.slot === right.slot) return a;
    freeze(left.slot, right.slot);
    const value = mergeValues(
      low,
      condition,
      read(sides?.a, left.slot),
      read(sides?.b, right.slot),
      node,
      hint,
      sides,
    );
    return { kind: "ref", shape: { kind: left.kind, slot: chosen(value, left.slot, right.slot) } };
  }
  return mismatch(a, b);
}

function mergeReified(
  low: Lowering,
  condition: Expr,
  a: Val,
  b: Val,
  node: At,
  hint: string,
  sides: MergeSides | undefined,
): Val {
  const first = within(low, sides?.a, () => reify(low, a, node, true));
  const second = within(low, sides?.b, () => reify(low, b, node, true));
  return mergeData(low, condition, first, second, node, hint);
}

function isCallable(val: Val): boolean {
  return ["function", "tool", "choice", "builtin"].includes(val.kind);
}

function isReifiable(val: Val): boolean {
  return val.kind === "data" || val.kind === "items" || val.kind === "ref" || val.kind === "regex";
}

const morePromises: Val = {
  kind: "poison",
  why: (spot) =>
    refuse(
      spot,
      "FC2311",
      "this list holds more promises on one path than on another",
      "put one in on every path, such as `ready ? call() : undefined`",
    ),
};

function mismatch(a: Val, b: Val): Val {
  const kind = (val: Val) => (val.kind === "data" ? `\`${tyText(val.type)}\`` : describe(val));
  return {
    kind: "poison",
    why: (spot) =>
      refuse(
        spot,
        "FC2107",
        `this is ${kind(a)} on one path and ${kind(b)} on another`,
        "give it values of one type on every path",
      ),
  };
}
