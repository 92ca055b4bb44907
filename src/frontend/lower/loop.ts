/**
 * Loops over lists whose length is not known: one `for` of the IR. Whatever the body changes outside itself is
 * carried; which that is, and of what type, is found by compiling the body until nothing new turns up.
 */
import {
  append,
  type Carry,
  type Command,
  commandsIn,
  type Expr,
  exprsOf,
  variablesOf,
  type WhileCommand,
} from "../../ir/index.ts";
import { and, anyOf, choose, no, none, not, op, same, some, variable, yes } from "../build.ts";
import {
  bool,
  int,
  isNothing,
  joinTy,
  type ListTy,
  never,
  optionTy,
  sameForm,
  type Ty,
  toIr,
  tyText,
} from "../ty.ts";
import { type DataVal, data, undefinedVal, type Val } from "../value.ts";
import { newList } from "./access.ts";
import { wrapped } from "./callback.ts";
import { type Exit, Impure, type Lowering, type State } from "./core.ts";
import { asType, reify } from "./data.ts";
import { noteKeys } from "./dict.ts";
import { type Alternative, mergeAll } from "./merge.ts";
import { depthOf, partAt, samePath, share } from "./own.ts";
import { rejoin, takeExits } from "./rejoin.ts";

type At = { readonly start: number; readonly end: number };

export interface LoopNames {
  readonly item: string;
  /** Absent if the position is not used. */
  readonly index?: string;
}

/** True if iterations run at the same time, which the first pass over the body finds out. */
export interface LoopKind {
  isParallel: boolean;
}

export interface Carried {
  readonly hint: string;
  type: Ty;
  /** A variable that holds an array: carried as its list, and an array again in each iteration. */
  readonly isArray: boolean;
  /** The arrays that it may be after the loop. */
  readonly origins: Set<number>;
}

export type Flag = "break" | "return" | "throw";
const flagNames: Readonly<Record<Flag, string>> = { break: "stopped", return: "returned", throw: "thrown" };

interface Plan {
  readonly carried: Map<number, Carried>;
  /** Variables that are part of what another slot holds, in which each turn finds them again as values of that type. */
  readonly relinked: Map<number, Ty | "lost">;
  readonly flags: Set<Flag>;
  answer: Ty | undefined;
  /** True if every array that it returns was made in the function, so that a caller may change it. */
  isFresh: boolean;
}

interface Pass<Head> {
  readonly carry: Carry[];
  readonly names: Map<number, string>;
  readonly flags: Map<Flag, string>;
  readonly answer: string | undefined;
  readonly head: Head;
  readonly body: Command[];
}

/** LIMIT: each pass finds at least one more thing to carry or a wider type. */
const maxPasses = 24;

/** A kind of loop: how a turn of it is compiled, and the command that it becomes. */
export interface LoopForm<Head> {
  readonly kind: LoopKind;
  /** True if a turn that follows one that left the loop is made, and does nothing. */
  readonly hasIdleTurns: boolean;
  /** Compiles a turn, from the state at its beginning. @param left what is true once a turn has left the loop */
  turn(left: readonly string[], taken: Taken): Head;
  /** True if the turns follow one another in the function that is being compiled. */
  readonly mayRelink?: boolean;
  /** Returns whether the turn has shown something that it should have been compiled with. */
  needsMore?(): boolean;
  commands(
    head: Head,
    parts: Pick<WhileCommand, "carry" | "body">,
    flags: ReadonlySet<string>,
  ): readonly Command[];
}

/** Loop-carried slots, and their names. */
export interface Taken {
  readonly carried: ReadonlyMap<number, Carried>;
  readonly names: ReadonlyMap<number, string>;
  readonly flags: ReadonlyMap<Flag, string>;
}

export function dynamicLoop(
  low: Lowering,
  list: DataVal & { readonly type: ListTy },
  hints: LoopNames,
  node: At,
  body: (item: Val, index: Val) => void,
  kind: LoopKind = { isParallel: false },
): void {
  mayLoop(low, node);
  if (!low.isReached) return;
  const source = low.named(list.expr, "list", node);
  loopOf<{ readonly item: string; readonly index: string | undefined }>(low, node, {
    kind,
    hasIdleTurns: true,
    mayRelink: true,
    turn(left) {
      const item = low.names.fresh(hints.item);
      low.nameTypes.set(item, toIr(list.type.element));
      noteKeys(low, source, item);
      const index = hints.index === undefined ? undefined : low.names.fresh(hints.index);
      if (index !== undefined) low.nameTypes.set(index, toIr(int));
      // After an iteration that left the loop, the others do nothing; those at the same time have begun.
      if (!kind.isParallel)
        for (const name of left) low.path = low.narrowed(not(variable(name)), "going", node);
      const value = data(variable(item), list.type.element);
      body(value, index === undefined ? undefinedVal : data(variable(index), int));
      return { item, index };
    },
    commands({ item, index }, parts) {
      const position = index === undefined ? {} : { index };
      const parallel = kind.isParallel ? { parallel: true as const } : {};
      return [{ kind: "for", var: item, ...position, list: source, ...parallel, ...parts }];
    },
  });
}

/** A loop with a condition, whose number of turns is unknown. */
export interface Turning {
  /** The condition before each iteration; absent if the body tests it. */
  readonly test?: () => Expr;
  readonly body: () => void;
  /** Comes after the body, also where that was left by `continue`. */
  readonly after: () => void;
}

/** One `while` of the IR. Its condition says that no turn has left it, so all commands of a turn are made. */
export function unboundedLoop(low: Lowering, node: At, { test, body, after }: Turning): void {
  mayLoop(low, node);
  if (!low.isReached) return;
  const { path: entry, given } = low;
  let isEndless = false;
  try {
    loopOf<Expr>(low, node, {
      kind: { isParallel: false },
      hasIdleTurns: false,
      mayRelink: true,
      turn(left, { flags }) {
        low.path = yes;
        low.given = [...given, entry];
        const going = left.map((name) => not(variable(name)));
        const holds = test === undefined ? { expr: yes, known: yes } : beforeTurn(low, node, test);
        low.given = [...low.given, holds.known];
        isEndless = holds.expr === yes && !flags.has("break");
        const before = low.path;
        const exits = low.collectExits(body);
        const isWhole = exits.every((exit) => exit.kind === "continue");
        rejoin(low, takeExits(low, exits, ["continue"]), isWhole ? before : undefined, node);
        if (low.isReached) after();
        return and(entry, ...going, holds.expr);
      },
      commands: (head, parts) => [{ kind: "while", condition: head, ...parts }],
    });
  } finally {
    low.given = given;
  }
  // `while (true)` without `break` is left by `return` and `throw` alone.
  if (isEndless) low.path = no;
}

/**
 * Compiles what must hold before a turn. As an expression over what is carried if it does nothing else; otherwise the turn
 * begins with it, and leaves the loop where it does not hold.
 */
function beforeTurn(
  low: Lowering,
  node: At,
  test: () => Expr,
): { readonly expr: Expr; readonly known: Expr } {
  const [buffer, length, before] = [low.buffer, low.buffer.length, low.state];
  low.state = new Map(before);
  const { path } = low;
  let known: Expr = yes;
  const exits = low.collectExits(() => {
    known = test();
  });
  const made = low.buffer.slice(length);
  const isPure =
    exits.length === 0 &&
    low.path === path &&
    low.buffer === buffer &&
    made.every(({ kind }) => kind === "let") &&
    [...before].every(([slot, value]) => low.state.get(slot) === value);
  if (isPure) {
    low.buffer.length = length;
    return { expr: wrapped(made, known), known };
  }
  append(low.exits, exits);
  if (low.isReached) leaveUnless(low, known, node);
  return { expr: yes, known: yes };
}

/** Goes on only where the condition holds, and leaves the loop elsewhere. */
export function leaveUnless(low: Lowering, holds: Expr, node: At): void {
  if (holds.kind === "bool" && holds.value) return;
  const test = low.named(holds, "goes_on", node);
  const before = low.path;
  low.path = low.narrowed(op("not", test), "done", node);
  low.leave("break");
  low.path = before;
  low.path = low.narrowed(test, "goes_on", node);
}

function mayLoop(low: Lowering, node: At): void {
  if (low.mode.kind === "lambda") throw new Impure();
  if (low.mode.kind === "formula")
    low.refuse(
      node,
      "FC2209",
      "there is no loop with effects here",
      "use `every`, `some`, `map` or `filter`",
    );
}

/** Compiles turns until nothing new turns up that goes from one to the next, and then makes the commands. */
export function loopOf<Head>(low: Lowering, node: At, form: LoopForm<Head>): void {
  const start = low.state;
  const before = low.names;
  const plan: Plan = {
    carried: new Map(),
    relinked: new Map(),
    flags: new Set(),
    answer: undefined,
    isFresh: true,
  };
  const tasks = low.tasks.snapshot();
  for (let pass = 0; pass < maxPasses; pass++) {
    low.names = before.copy();
    const mark = low.problems.mark();
    const done = onePass(low, plan, start, node, form);
    low.state = start;
    if (done === undefined) {
      low.tasks.restore(tasks);
      // What was wrong with too little carried may be right with more, and otherwise turns up again.
      low.problems.forget(mark);
      continue;
    }
    low.tasks.noneSince(tasks.underWay);
    low.tasks.restore(tasks);
    finish(low, plan, form.kind.isParallel ? atTheSameTime(low, done, node) : done, start, node, form);
    return;
  }
  low.refuse(node, "FC2313", "what this loop changes does not settle", "give its variables one type each");
}

/** Compiles the body once. Undefined if something more must be carried. */
function onePass<Head>(
  low: Lowering,
  plan: Plan,
  start: State,
  node: At,
  form: LoopForm<Head>,
): Pass<Head> | undefined {
  return low.tasks.inLoop(low, () => {
    const { path, loopStart } = low;
    low.loopStart = low.nextSlot;
    const names = new Map([...plan.carried].map(([slot, { hint }]) => [slot, low.names.fresh(hint)]));
    const flags = new Map([...plan.flags].map((flag) => [flag, low.names.fresh(flagNames[flag])]));
    const answer = plan.answer && low.names.fresh("answer");
    for (const [slot, name] of names) low.nameTypes.set(name, toIr(plan.carried.get(slot)?.type ?? never));
    for (const name of flags.values()) low.nameTypes.set(name, toIr(bool));
    if (answer !== undefined && plan.answer)
      low.nameTypes.set(answer, toIr(optionTy(plan.answer, "undefined")));
    try {
      low.state = new Map(start);
      for (const [slot, { type, isArray }] of plan.carried)
        low.state.set(
          slot,
          carriedValue(low, variable(names.get(slot) ?? ""), type, isArray, start.get(slot)),
        );
      relink(low, plan, start);
      const opening = low.state;
      low.state = new Map(opening);
      const heads: Head[] = [];
      const exits = low.collectExits(() => {
        heads.push(form.turn([...flags.values()], { carried: plan.carried, names, flags }));
      });
      const idle = form.hasIdleTurns && !form.kind.isParallel && plan.flags.size > 0;
      const ending = ends(low, idle, exits, opening, node);
      const hasMore = form.needsMore?.() ?? false;
      const mayRelink = form.mayRelink === true && !form.kind.isParallel;
      if (needsMore(low, plan, exits, start, opening, ending, mayRelink, node) || hasMore) return undefined;
      const carry = carries(low, plan, { names, flags, answer }, exits, start, ending, node);
      const [head] = heads;
      if (head === undefined) throw new TypeError("a turn was compiled");
      return { carry, names, flags, answer, head, body: low.buffer };
    } finally {
      low.path = path;
      // What was made in a turn has no name in the next one.
      for (const slots of low.stored.values())
        for (const slot of slots) if (slot >= low.loopStart) slots.delete(slot);
      low.loopStart = loopStart;
    }
  });
}

/**
 * Returns the value of a loop-carried slot.
 * @param first its value before the loop
 */
export function carriedValue(
  low: Lowering,
  expr: Expr,
  type: Ty,
  isArray: boolean,
  first: Val | undefined,
): Val {
  const value = data(expr, type);
  const hold = first?.kind === "data" ? first.hold : undefined;
  // SOUNDNESS: what is part of another would have to be found there again after each turn, so it cannot be changed.
  if (typeof hold === "object") {
    share(low, hold.slot, depthOf(hold.path));
    return value;
  }
  if (!isArray) return hold === undefined ? value : { ...value, hold };
  const array = newList(low, value);
  // Shared with its holder before the loop: replacing it is fine, changing it would be seen there.
  if (array.shape.kind === "array") low.supersede(array.shape.slot);
  return array;
}

/** Merges the states at the end of an iteration over all its exits. */
function ends(low: Lowering, isIdle: boolean, exits: readonly Exit[], opening: State, node: At): State {
  const ways: Alternative[] = exits.map(({ guard, state }) => ({ guard, state }));
  if (low.isReached) ways.push({ guard: low.path, state: low.state });
  if (isIdle) ways.push({ guard: yes, state: opening });
  return mergeAll(low, ways, node, "merged")?.state ?? opening;
}

function needsMore(
  low: Lowering,
  plan: Plan,
  exits: readonly Exit[],
  start: State,
  opening: State,
  ending: State,
  mayRelink: boolean,
  node: At,
): boolean {
  let more = false;
  for (const exit of exits) {
    if (exit.kind !== "continue" && !plan.flags.has(exit.kind)) {
      plan.flags.add(exit.kind);
      more = true;
    }
    if (exit.kind === "return" && localArray(low, exit.value) === undefined) plan.isFresh = false;
    const type = exit.kind === "return" ? answerType(low, exit, plan.answer, node) : undefined;
    if (type !== undefined && (plan.answer === undefined || !sameForm(type, plan.answer))) {
      plan.answer = type;
      more = true;
    }
  }
  for (const slot of start.keys()) {
    const [first, was, now] = [start.get(slot), opening.get(slot), ending.get(slot)];
    if (first === undefined || was === undefined || now === undefined) continue;
    const known = plan.relinked.get(slot);
    if (known === undefined ? !unchanged(was, now) && mayRelink : known !== "lost") {
      const still = isSamePart(low, first, now, ending) ? now.type : "lost";
      plan.relinked.set(slot, still);
      const isKnown = still === known || (isTy(still) && isTy(known) && sameForm(still, known));
      if (!isKnown) more = true;
      if (still !== "lost") continue;
    }
    if (unchanged(was, now)) continue;
    if (carryMore(low, plan, slot, first, now, ending, start, node)) more = true;
  }
  return more;
}

/**
 * Sets each variable that is part of what another slot holds to that part, as it is now.
 * SOUNDNESS: at the end of every turn the variable was found to be that part still.
 */
function relink(low: Lowering, plan: Plan, start: State): void {
  const done = new Set<number>();
  const set = (slot: number): void => {
    if (done.has(slot)) return;
    done.add(slot);
    const first = start.get(slot);
    const type = plan.relinked.get(slot);
    if (first?.kind !== "data" || typeof first.hold !== "object" || !isTy(type)) return;
    const { hold } = first;
    set(hold.slot);
    const seen = low.state.get(hold.slot);
    const part = seen?.kind === "data" ? partAt(low, seen, hold.path, type) : undefined;
    if (seen === undefined || part === undefined) return;
    low.state.set(slot, { ...part, hold: { ...hold, seen } });
  };
  for (const slot of plan.relinked.keys()) set(slot);
}

function isTy(type: Ty | "lost" | undefined): type is Ty {
  return typeof type === "object";
}

/** Returns true if the variable is part of the same slot's value as before the loop, in the same place, and up to date. */
function isSamePart(low: Lowering, first: Val, now: Val, ending: State): now is DataVal {
  if (first.kind !== "data" || typeof first.hold !== "object" || first.hold.isArray) return false;
  if (now.kind !== "data" || typeof now.hold !== "object") return false;
  const [before, after] = [first.hold, now.hold];
  if (before.slot !== after.slot || !samePath(before.path, after.path)) return false;
  if (before.guard !== yes || after.guard !== yes) return false;
  const seen = ending.get(after.slot);
  if (seen?.kind !== "data" || seen !== after.seen) return false;
  return partAt(low, seen, after.path, now.type) !== undefined;
}

function unchanged(a: Val, b: Val): boolean {
  return (
    a === b || (a.kind === "data" && b.kind === "data" && same(a.expr, b.expr) && sameForm(a.type, b.type))
  );
}

function carryMore(
  low: Lowering,
  plan: Plan,
  slot: number,
  first: Val,
  now: Val,
  ending: State,
  start: State,
  node: At,
): boolean {
  const initial = low.carrying(() => reifyIn(low, start, first, node));
  const next = low.carrying(() => reifyIn(low, ending, now, node));
  const known = plan.carried.get(slot);
  for (const one of [first, now])
    if (one.kind === "ref" && one.shape.kind === "array") known?.origins.add(one.shape.slot);
  const joined = joinTy(known?.type ?? initial.type, next.type);
  if (joined === undefined) {
    return low.refuse(
      node,
      "FC2107",
      `a variable of this loop is \`${tyText(initial.type)}\` before it and \`${tyText(next.type)}\` after`,
      "give it values of one type",
    );
  }
  if (known !== undefined) {
    if (sameForm(known.type, joined)) return false;
    known.type = joined;
    return true;
  }
  const isArray =
    first.kind === "ref" && first.shape.kind === "array" && now.kind === "ref" && now.shape.kind === "array";
  plan.carried.set(slot, { hint: hintOf(low, slot, now), type: joined, isArray, origins: new Set() });
  return true;
}

/** The value as data of the run, in that state. */
export function reifyIn(low: Lowering, state: State, val: Val, node: At): DataVal {
  const before = low.state;
  low.state = state;
  try {
    return reify(low, val, node, true);
  } finally {
    low.state = before;
  }
}

/** The variable's own name, as far as it is known. */
function hintOf(low: Lowering, slot: number, now: Val): string {
  const named = low.slotNames.get(slot);
  if (named !== undefined) return named;
  return now.kind === "data" && now.expr.kind === "var" ? now.expr.name.replace(/_\d+$/, "") : "held";
}

function answerType(low: Lowering, exit: Exit, before: Ty | undefined, node: At): Ty | undefined {
  const value = answerOf(low, exit, node);
  if (value === undefined) return before;
  const type = before === undefined ? value.type : joinTy(before, value.type);
  return (
    type ??
    low.refuse(node, "FC2107", "the loop returns values of different types", "return values of one type")
  );
}

function answerOf(low: Lowering, exit: Exit, node: At): DataVal | undefined {
  const value = exit.value?.kind === "promise" ? exit.value.of() : exit.value;
  if (value === undefined) return undefined;
  const slot = localArray(low, value);
  // A function that returns an array of its own changes it no more.
  const held = slot === undefined ? value : (exit.state.get(slot) ?? value);
  const found = reifyIn(low, exit.state, held, node);
  return isNothing(found.type) ? undefined : found;
}

/** The slot of an array that was made in the function that is being compiled, and that nothing else holds. */
function localArray(low: Lowering, value: Val | undefined): number | undefined {
  if (value?.kind !== "ref" || value.shape.kind !== "array") return undefined;
  const { slot } = value.shape;
  const isLocal = slot >= (low.stack.at(-1)?.firstSlot ?? Number.POSITIVE_INFINITY);
  const isOther = low.frozen.has(slot) || low.isStale(slot) || low.origins.has(slot) || low.choices.has(slot);
  return isLocal && !isOther ? slot : undefined;
}

function carries(
  low: Lowering,
  plan: Plan,
  names: { names: Map<number, string>; flags: Map<Flag, string>; answer: string | undefined },
  exits: readonly Exit[],
  start: State,
  ending: State,
  node: At,
): Carry[] {
  const carry: Carry[] = [];
  for (const [slot, { type }] of plan.carried) {
    const name = names.names.get(slot) ?? "";
    const heldIn = (state: State) =>
      as(
        low,
        low.carrying(() => reifyIn(low, state, state.get(slot) ?? undefinedVal, node)),
        type,
        node,
      );
    const [init, next] = [heldIn(start), heldIn(ending)];
    carry.push({ name, type: toIr(type), init, next });
  }
  for (const [flag, name] of names.flags) {
    const taken = exits.filter((exit) => exit.kind === flag).map((exit) => exit.guard);
    carry.push({ name, type: { kind: "bool" }, init: no, next: anyOf([variable(name), ...taken]) });
  }
  if (names.answer !== undefined && plan.answer !== undefined) {
    const type = optionTy(plan.answer, "undefined");
    let next: Expr = variable(names.answer);
    for (const exit of exits.filter((one) => one.kind === "return")) {
      const value = answerOf(low, exit, node);
      if (value !== undefined) next = choose(exit.guard, some(as(low, value, plan.answer, node)), next);
    }
    carry.push({ name: names.answer, type: toIr(type), init: none, next });
  }
  return carry;
}

function as(low: Lowering, value: DataVal, type: Ty, node: At): Expr {
  return (
    asType(low, value, type) ??
    low.refuse(node, "FC2107", `this loop carries \`${tyText(value.type)}\` as \`${tyText(type)}\``)
  );
}

function finish<Head>(
  low: Lowering,
  plan: Plan,
  pass: Pass<Head>,
  start: State,
  node: At,
  form: LoopForm<Head>,
): void {
  const { carry, head, body } = pass;
  const flags = new Set(pass.flags.values());
  for (const command of form.commands(head, { carry, body }, flags)) low.emit(command, node);
  low.state = new Map(start);
  for (const [slot, { type, isArray, origins }] of plan.carried) {
    const value = data(variable(pass.names.get(slot) ?? ""), type);
    const first = start.get(slot);
    const hold = first?.kind === "data" ? first.hold : undefined;
    const array = isArray ? newList(low, value) : undefined;
    if (array?.shape.kind === "array") low.mayBe(array.shape.slot, [...origins]);
    const after = hold === "own" ? { ...value, hold } : value;
    low.state.set(slot, array ?? after);
  }
  relink(low, plan, start);
  const returned = pass.flags.get("return");
  const thrown = pass.flags.get("throw");
  const entry = low.path;
  if (returned !== undefined) {
    const given =
      pass.answer === undefined || plan.answer === undefined
        ? undefinedVal
        : data({ kind: "op", op: "value", args: [variable(pass.answer)] }, plan.answer);
    const value =
      plan.isFresh && given.type.kind === "list" && given.type.as === undefined ? newList(low, given) : given;
    low.exits.push({ kind: "return", guard: variable(returned), state: new Map(low.state), value });
  }
  if (thrown !== undefined)
    low.exits.push({ kind: "throw", guard: variable(thrown), state: new Map(low.state) });
  const left = [returned, thrown].filter((name) => name !== undefined).map((name) => not(variable(name)));
  if (left.length > 0) low.path = low.named(and(entry, ...left), "going", node);
}

/**
 * Takes out of the body what it computes from what is carried, which only `next` may read. Where more than that depends
 * on it, an iteration would see what another has done.
 */
function atTheSameTime<Head>(low: Lowering, pass: Pass<Head>, node: At): Pass<Head> {
  const carried = new Set(pass.carry.map(({ name }) => name));
  const moved: Command[] = [];
  const body = pass.body.filter((command) => {
    const read = [...commandsIn([command])].flatMap(exprsOf);
    const reads = read.some((expr) => [...variablesOf(expr)].some((name) => carried.has(name)));
    if (!reads) return true;
    if (command.kind !== "let")
      low.refuse(
        node,
        "FC2324",
        "each of these calls reads a variable that the one before it changes",
        "use the position, `list.map(async (x, i) => …)`, or loop with `for (const x of xs) await …`",
      );
    carried.add(command.name);
    moved.push(command);
    return false;
  });
  const carry = pass.carry.map((one) => ({ ...one, next: wrapped(moved, one.next) }));
  return { ...pass, body, carry };
}
