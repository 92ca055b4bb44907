/**
 * The most that a program may do of something, as far as it is found: a number for which it is proved, the least tried.
 * SOUNDNESS: a bound holds wherever a run may stop, since a run that stops has done what it did.
 */

import { spoken, term } from "../explain/index.ts";
import {
  type AggregateExpr,
  add,
  type Checked,
  check,
  checkExpr,
  commandsIn,
  compare,
  type Document,
  type Expr,
  exprsIn,
  exprsOf,
  isAdditive,
  isLoop,
  type Num,
  numText,
  printExpr,
} from "../ir/index.ts";
import { type GuaranteeProof, type ProveOptions, prove } from "../prove/index.ts";
import { freshPrefix, inlined, normal, openNames } from "./names.ts";
import { called } from "./new-calls.ts";

/** A quantity that is counted or added up. */
export interface Measure {
  /** The tool whose calls are counted; absent of what a guarantee adds up. */
  readonly tool?: string;
  readonly number: AggregateExpr;
}

/** The count of calls of each tool, and every count and sum that a guarantee speaks of. */
export function measuresIn(documents: readonly Document[]): Measure[] {
  const found = new Map<string, Measure>();
  const prefix = freshPrefix(documents);
  for (const tool of new Set(documents.flatMap((one) => [...called(one).keys()]))) {
    const over = { var: `${prefix}v0`, in: { kind: "calls", tool } } as const;
    const number: AggregateExpr = { kind: "aggregate", aggregate: "count", over };
    found.set(printExpr(normal(number)), { tool, number });
  }
  for (const { guarantees } of documents)
    for (const { formula } of guarantees)
      for (const expr of exprsIn(formula && inlined(formula))) {
        if (expr.kind !== "aggregate" || !isAdditive(expr.aggregate)) continue;
        if (expr.over.in.kind === "cells" || openNames(expr).size > 0) continue;
        const text = printExpr(normal(expr));
        // In one document a name may be taken that is bound in the other.
        const number = normal(expr, new Map(), prefix);
        if (!found.has(text) && number.kind === "aggregate") found.set(text, { number });
      }
  return [...found.values()];
}

/** `the sum of \`amount\` over all calls of \`bank.pay\``. */
export function measureWords({ number }: Measure, checked: Checked): string {
  const typed = checkExpr(checked, number, "trace");
  return spoken(number, typed.ok ? typed.value : checked, {}, (scene) => term(number, scene).text);
}

/** LIMIT: of numbers that are tried, and of those for a program with loops, where each takes longer. */
const mostTried = 48;
const mostInLoops = 10;

export interface Bound {
  readonly most: Num;
  /** True if some run is known to do as much, at its end or where it may stop. */
  readonly isReached: boolean;
}

/** Returns for each the least of the tried numbers that is proved never to be exceeded. */
export async function boundsOf(
  checked: Checked,
  measures: readonly Measure[],
  options: ProveOptions,
): Promise<(Bound | undefined)[]> {
  const tried = candidates(checked.document);
  const asked = measures.flatMap(({ number }) => tried.map((most) => compared("<=", number, most)));
  const found = await provedOf(checked, asked, { ...options, stops: "omitted", search: "short" });
  const left = measures.map((measure, m) => ({
    ...measure,
    m,
    most: tried.filter((_, i) => found[m * tried.length + i]?.verdict.kind === "proved"),
  }));
  const bounds: (Bound | undefined)[] = measures.map(() => undefined);
  let open = left.filter(({ most }) => most.length > 0);
  while (open.length > 0) {
    const pairs = open.flatMap(({ number, most: [least = 0n] }) => [
      compared("<=", number, least),
      compared("<", number, least),
    ]);
    const proofs = await provedOf(checked, pairs, options);
    for (const [
      i,
      {
        m,
        number,
        most: [least = 0n],
      },
    ] of open.entries()) {
      if (proofs[2 * i]?.interruption?.kind !== "safe") continue;
      bounds[m] = { most: least, isReached: isNothing(number, least) || isBroken(proofs[2 * i + 1]) };
    }
    open = open
      .filter(({ m }) => bounds[m] === undefined)
      .map((one) => ({ ...one, most: one.most.slice(1) }));
    open = open.filter(({ most }) => most.length > 0);
  }
  return bounds;
}

/** A count of at most nothing is nothing. */
function isNothing({ aggregate }: AggregateExpr, most: Num): boolean {
  return aggregate === "count" && compare(most, 0n) === 0;
}

/** Returns true if a known run breaks it, at its end or where it may stop. */
function isBroken(proof: GuaranteeProof | undefined): boolean {
  if (proof?.verdict.kind === "refuted") return true;
  return proof?.interruption?.kind === "open" && proof.interruption.at.some(({ certain }) => certain);
}

async function provedOf(
  { document }: Checked,
  formulas: readonly Expr[],
  options: ProveOptions,
): Promise<readonly GuaranteeProof[]> {
  const guarantees = formulas.map((formula) => ({ name: "bound", args: [], formula }));
  const checked = check({ ...document, guarantees });
  if (!checked.ok) throw new TypeError(`a made-up formula does not check: ${checked.problems[0]?.message}`);
  return (await prove(checked.value, options)).guarantees;
}

function compared(op: "<" | "<=", number: AggregateExpr, most: Num): Expr {
  return { kind: "op", op, args: [number, { kind: "number", value: most }] };
}

/** Small numbers, those that the program names, and sums of those; the least first. */
function candidates({ program, guarantees }: Document): Num[] {
  const named = new Map<string, Num>();
  const note = (value: Num) => {
    if (compare(value, 0n) >= 0) named.set(numText(value), value);
  };
  const commands = [...commandsIn(program.body)];
  const loops = commands.some(isLoop);
  const roots = [
    ...commands.flatMap(exprsOf),
    ...guarantees.flatMap(({ formula, args }) => [...args, formula]),
  ];
  for (const expr of exprsIn(...roots)) if (expr.kind === "number") note(expr.value);
  const own = [...named.values()];
  const few = own.slice(0, 6);
  const sums = loops ? [] : few.flatMap((a, i) => few.slice(0, i + 1).map((b) => add(a, b)));
  const small = Array.from({ length: loops ? 3 : 9 }, (_, i) => BigInt(i));
  const all = new Map([...small, ...own, ...sums].map((one) => [numText(one), one]));
  const most = loops ? mostInLoops : mostTried;
  return [...all.values()].slice(0, most).sort(compare);
}
