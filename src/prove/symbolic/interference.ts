/**
 * Interference of concurrent calls through the state. SOUNDNESS: a branch may be anywhere while another makes a call.
 * So a cell that another branch may set is havocked at every call of this one; a cell that no other branch can set
 * keeps this branch's value. Part of what must be trusted.
 */
import {
  type Argument,
  type CallCommand,
  type Checked,
  type Command,
  commandsIn,
  type Expr,
  exprsIn,
  type Fluent,
  printExpr,
  type Update,
  type Value,
} from "../../ir/index.ts";
import { termOf } from "./compile.ts";
import { areApart, type State, type SymbolicWrite } from "./fluent-state.ts";
import { keyOf } from "./shape.ts";
import type { Progress } from "./symbolic-state.ts";
import { known } from "./symbolic-value.ts";

/** Maps each fluent that may be set to its keys, or to `any` where they are not known. */
export type Touched = ReadonlyMap<string, ReadonlySet<Value> | "any">;

export const untouched: Touched = new Map();

/** Returns the cells that calls of these commands may set, whether they are reached or not. */
export function touchedIn(commands: readonly Command[], checked: Checked): Touched {
  const found = new Map<string, Set<Value> | "any">();
  for (const command of commandsIn(commands)) {
    if (command.kind !== "call") continue;
    for (const update of checked.tools.get(command.tool)?.sets ?? []) {
      const key = constantKey(command, update);
      const keys = found.get(update.fluent) ?? new Set();
      if (key === undefined || keys === "any") found.set(update.fluent, "any");
      else found.set(update.fluent, keys.add(key));
    }
  }
  return found;
}

/** The key, if it is written in the tool or in the call. */
function constantKey({ args }: CallCommand, { key }: Update): Value | undefined {
  if (key.kind !== "var") return literalOf(key);
  const given: Argument | undefined = args.find(({ name }) => name === key.name);
  return given === undefined || given.optional ? undefined : literalOf(given.value);
}

function literalOf(expr: Expr): Value | undefined {
  return expr.kind === "bool" || expr.kind === "number" || expr.kind === "string" ? expr.value : undefined;
}

export function bothTouched(...all: readonly Touched[]): Touched {
  const found = new Map<string, ReadonlySet<Value> | "any">();
  for (const touched of all) {
    for (const [fluent, keys] of touched) {
      const known = found.get(fluent) ?? new Set();
      found.set(fluent, keys === "any" || known === "any" ? "any" : new Set([...known, ...keys]));
    }
  }
  return found;
}

/**
 * The fluents that the commands leave alike in whatever order they are run: all writes of one leave the same constant, and
 * none depends on the state.
 * SOUNDNESS: only of calls whose failure nothing catches. In a run that goes on none of these has failed, and one that is
 * caught may have left anything.
 */
export function commutingIn(commands: readonly Command[], checked: Checked): ReadonlySet<string> {
  const left = new Map<string, Set<string>>();
  const other = new Set<string>();
  for (const command of commandsIn(commands)) {
    if (command.kind !== "call") continue;
    for (const { fluent, key, value, when } of checked.tools.get(command.tool)?.sets ?? []) {
      const isPlain = literalOf(value) !== undefined && !readsState(key) && !readsState(when);
      if (!isPlain || command.catch !== undefined) other.add(fluent);
      left.set(fluent, (left.get(fluent) ?? new Set()).add(printExpr(value)));
    }
  }
  return new Set([...left].flatMap(([name, values]) => (values.size > 1 || other.has(name) ? [] : [name])));
}

function readsState(expr: Expr | undefined): boolean {
  return [...exprsIn(expr)].some(({ kind }) => kind === "cell");
}

/** The state as it may be by now: what others may have set holds anything. */
export function interfered(progress: Progress, state: State, others: Touched): State {
  let now = state;
  for (const [name, keys] of others) {
    const fluent = fluentOf(progress, name);
    if (keys === "any") now = forget(progress, now, name);
    else for (const key of keys) now = now.after(name, anythingAt(progress, fluent, key));
  }
  return now;
}

function forget(progress: Progress, state: State, fluent: string): State {
  return state.forgotten(fluent, `between-${progress.number()}`, () => {});
}

function anythingAt(progress: Progress, { key: type, value }: Fluent, key: Value): SymbolicWrite {
  const { terms } = progress;
  return {
    guard: terms.true,
    key: termOf(known(terms, key, type)),
    value: progress.fresh(`between@${progress.number()}`, value),
  };
}

function fluentOf({ checked }: Progress, name: string): Fluent {
  const fluent = checked.fluents.get(name);
  if (fluent === undefined) throw new TypeError(`there is no fluent \`${name}\``);
  return fluent;
}

/** A branch that has ended: what it may have set, what it wrote, and the state that it leaves if no other were there. */
export interface Ended {
  readonly touched: Touched;
  readonly writes: readonly Wrote[];
  readonly state: State;
}

/** A write of a fluent, or undefined where more was written than is known. */
export interface Wrote {
  readonly fluent: string;
  readonly write: SymbolicWrite | undefined;
}

/** LIMIT: of writes whose order is not known, and of those that are compared; of more, what they leave is forgotten. */
const mostWrites = 24;
const mostCompared = 400;

/**
 * The state after all branches. A fluent that one of them sets is as that one leaves it.
 * SOUNDNESS: where several set it, the last to return wins, and which one that is is unknown. If any two writes of
 * different branches are of different keys, or leave the same value, every order leaves what the written one leaves.
 * Otherwise any of the writes may be the last of its key: each is made again, or not.
 */
export function joined(progress: Progress, before: State, branches: readonly Ended[]): State {
  let after = before;
  for (const fluent of bothTouched(...branches.map(({ touched }) => touched)).keys()) {
    const setting = branches.filter(({ touched }) => touched.has(fluent));
    const [only, ...more] = setting;
    if (only !== undefined && more.length === 0) {
      after = after.with(fluent, only.state);
      continue;
    }
    after = afterAny(
      progress,
      after,
      fluent,
      setting.map(({ writes }) => writes.filter((one) => one.fluent === fluent)),
    );
  }
  return after;
}

function afterAny(
  progress: Progress,
  before: State,
  fluent: string,
  branches: readonly (readonly Wrote[])[],
): State {
  const known = branches.map((writes) => writes.flatMap(({ write }) => write ?? []));
  const all = known.flat();
  const isCertain =
    all.length <= mostCompared &&
    known.every((one, i) => known.slice(i + 1).every((other) => commute(one, other)));
  if (all.length < branches.flat().length || (!isCertain && all.length > mostWrites)) {
    progress.wrote(fluent, undefined);
    return forget(progress, before, fluent);
  }
  const again = isCertain ? [] : all.map((write) => perhaps(progress, write));
  for (const write of again) progress.wrote(fluent, write);
  return [...all, ...again].reduce((state, write) => state.after(fluent, write), before);
}

function perhaps(progress: Progress, write: SymbolicWrite): SymbolicWrite {
  const { terms } = progress;
  const isLast = terms.constant(`last@${progress.number()}`, "Bool");
  return { ...write, guard: terms.and(write.guard, isLast) };
}

function commute(these: readonly SymbolicWrite[], those: readonly SymbolicWrite[]): boolean {
  return these.every((one) => those.every((other) => areApart(one.key, other.key) || isAlike(one, other)));
}

function isAlike(one: SymbolicWrite, other: SymbolicWrite): boolean {
  return keyOf(one.value) === keyOf(other.value);
}
