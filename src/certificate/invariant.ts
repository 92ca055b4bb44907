/**
 * Loop invariants: Effect IR expressions over the inputs, the loop-carried variables (now and at entry), the number
 * of iterations, the totals of calls, and any cell of a fluent. Part of what must be trusted.
 */
import {
  type Checked,
  checkExpr,
  type Expr,
  type Fluent,
  type ForCommand,
  int,
  parseExpr,
  printExpr,
  type Type,
  variablesOf,
} from "../ir/index.ts";
import type { Names } from "./compile.ts";
import type { Term } from "./encode.ts";
import { nowhere, type Walk } from "./symbolic-executor.ts";
import { type Plain, plain } from "./symbolic-value.ts";
import type { TotalType } from "./totals.ts";

/** LIMIT: of invariants of one loop. */
export const mostInvariants = 400;

/**
 * INVARIANT: a name of a program may be one of them too, if it has blanks. Then it is hidden: by the same one in
 * `invariantTypes`, and wherever an invariant is claimed or assumed.
 */
export const invariantNames = {
  index: "the index",
  first: (carried: string) => `first ${carried}`,
  total: (place: number) => `total ${place}`,
  firstTotal: (place: number) => `first total ${place}`,
  /** The key of a per-key total. */
  key: (place: number) => `key ${place}`,
  /** An arbitrary cell of a fluent: its key, its value, and its value before the loop. */
  cellKey: (fluent: string) => `cell key ${fluent}`,
  cell: (fluent: string) => `cell ${fluent}`,
  firstCell: (fluent: string) => `first cell ${fluent}`,
} as const;

export interface Invariant {
  /** The fluent whose every cell satisfies it; undefined if it mentions no cell. */
  readonly fluent: string | undefined;
  readonly at: (names: Names) => Term;
}

interface Start {
  readonly first: readonly Plain[];
  readonly totals: readonly Term[];
}

export interface Moment {
  readonly carried: readonly Plain[];
  readonly index: Term;
  readonly totals: readonly Term[];
}

export function momentOf(walk: Walk, { carry }: ForCommand, start: Start, moment: Moment): Names {
  const names = walk.inputs();
  const { carried, index, totals } = moment;
  const set = (name: string, value: Plain | undefined) => value && names.set(name, value);
  carry.forEach(({ name }, i) => {
    set(name, carried[i]);
    set(invariantNames.first(name), start.first[i]);
  });
  totals.forEach((total, i) => {
    names.set(invariantNames.total(i), plain(total));
  });
  start.totals.forEach((total, i) => {
    names.set(invariantNames.firstTotal(i), plain(total));
    const key = walk.totals.key(i);
    set(invariantNames.key(i), key && plain(key));
  });
  return names.set(invariantNames.index, plain(index));
}

/** The same, with a cell that stands for any of the fluent. */
export function withCell(moment: Names, fluent: string, key: Term, now: Plain, first: Plain): Names {
  return new Map(moment)
    .set(invariantNames.cellKey(fluent), plain(key))
    .set(invariantNames.cell(fluent), now)
    .set(invariantNames.firstCell(fluent), first);
}

/** The types of all that an invariant may name, besides inputs. */
export function invariantTypes(
  fluents: Iterable<Fluent>,
  { carry }: ForCommand,
  totals: readonly TotalType[],
): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>();
  for (const { name, type } of carry) types.set(name, type).set(invariantNames.first(name), type);
  totals.forEach(({ type, key }, i) => {
    types.set(invariantNames.total(i), type).set(invariantNames.firstTotal(i), type);
    if (key !== undefined) types.set(invariantNames.key(i), key);
  });
  types.set(invariantNames.index, int);
  for (const { name, key, value } of fluents)
    types
      .set(invariantNames.cellKey(name), key)
      .set(invariantNames.cell(name), value)
      .set(invariantNames.firstCell(name), value);
  return types;
}

/** Refuses what cannot be one. */
export function invariantsOf(
  walk: Walk,
  command: ForCommand,
  texts: readonly string[],
): readonly Invariant[] {
  const { at, checked, totals } = walk;
  if (texts.length > mostInvariants) at.refuse(`more than ${mostInvariants} invariants`);
  if (texts.length === 0) return [];
  const types = invariantTypes(checked.fluents.values(), command, totals.types);
  return texts.map((text) => {
    const parsed = parseExpr(text);
    if (!parsed.ok) return at.refuse(`the invariant \`${text}\`, which is not an expression`);
    const { expr } = parsed.value;
    if (printExpr(expr) !== text)
      return at.refuse(`the invariant \`${text}\`, which is not in canonical form`);
    const typed = checkExpr(checked, expr, "values", types);
    if (!typed.ok) return at.refuse(`the invariant \`${text}\`: ${typed.problems[0]?.message}`);
    if (typed.value.types.get(expr)?.kind !== "bool")
      return at.refuse(`the invariant \`${text}\`, which is not a condition`);
    at.learn(typed.value.types);
    const [fluent, other] = fluentsIn(checked, expr);
    if (other !== undefined) return at.refuse(`the invariant \`${text}\`, which speaks of two fluents`);
    return { fluent, at: (names) => at.bool(expr, new Map(names), nowhere) };
  });
}

/** Those of whose cells it speaks. */
function fluentsIn({ fluents }: Checked, expr: Expr): readonly string[] {
  const used = variablesOf(expr);
  const { cellKey, cell, firstCell } = invariantNames;
  return [...fluents.keys()].filter((name) => [cellKey, cell, firstCell].some((of) => used.has(of(name))));
}
