/** The most that a program may do of something, as far as it is found: a number for which it is proved, the least tried. */
import { type Checked, check, checkExpr } from "../../ir/check/index.ts";
import type { AggregateExpr, Document, Expr } from "../../ir/document.ts";
import { add, compare, isRatio, type Num, numText } from "../../ir/number.ts";
import { printExpr } from "../../ir/text/print-expr.ts";
import { type ProveOptions, prove } from "../../prove/prove.ts";
import { spoken } from "../english.ts";
import { visit } from "../spoken.ts";
import { term } from "../term.ts";
import { inlined, normal, openNames } from "./names.ts";
import { called } from "./new-calls.ts";

/** What is counted or added up. */
export interface Measure {
  /** The tool whose calls are counted; absent of what a guarantee adds up. */
  readonly tool?: string;
  readonly number: AggregateExpr;
}

/** How often each tool is called, and every count and sum that a guarantee speaks of. */
export function measuresIn(documents: readonly Document[]): Measure[] {
  const found = new Map<string, Measure>();
  for (const tool of new Set(documents.flatMap((one) => [...called(one).keys()]))) {
    const over = { var: "any_v0", in: { kind: "calls", tool } } as const;
    const number: AggregateExpr = { kind: "aggregate", aggregate: "count", over };
    found.set(printExpr(number), { tool, number });
  }
  for (const { guarantees } of documents)
    for (const { formula } of guarantees)
      visit(formula && inlined(formula), (node) => {
        // SAFETY: a node of an expression with this kind is one.
        const expr = node as Expr;
        if (expr.kind !== "aggregate" || (expr.aggregate !== "count" && expr.aggregate !== "sum")) return;
        if (expr.over.in.kind === "cells" || openNames(expr).size > 0) return;
        const text = printExpr(normal(expr));
        if (!found.has(text)) found.set(text, { number: expr });
      });
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

/** Of each, the least of the numbers that are tried for which it is proved that there is no more. */
export async function boundsOf(
  { document }: Checked,
  measures: readonly Measure[],
  options: ProveOptions,
): Promise<(Num | undefined)[]> {
  const tried = candidates(document);
  const asked = measures.flatMap(({ number }) => tried.map((most) => atMost(number, most)));
  const guarantees = asked.map((formula) => ({ name: "bound", args: [], formula }));
  const checked = check({ ...document, guarantees });
  if (!checked.ok) return measures.map(() => undefined);
  const proof = await prove(checked.value, { ...options, stops: "left out" });
  return measures.map((_, m) =>
    tried.find((_most, i) => proof.guarantees[m * tried.length + i]?.verdict.kind === "proved"),
  );
}

function atMost(number: AggregateExpr, most: Num): Expr {
  return { kind: "op", op: "<=", args: [number, { kind: "number", value: most }] };
}

/** Small numbers, those that the program names, and sums of those; the least first. */
function candidates({ program, guarantees }: Document): Num[] {
  const named = new Map<string, Num>();
  const note = (value: Num) => {
    if (compare(value, 0n) >= 0) named.set(numText(value), value);
  };
  let loops = false;
  const look = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (Reflect.get(node, "kind") === "for") loops = true;
    const value: unknown = Reflect.get(node, "value");
    if (Reflect.get(node, "kind") === "number" && (typeof value === "bigint" || isRatio(value))) note(value);
    for (const part of Object.values(node)) look(part);
  };
  look([program, guarantees]);
  const own = [...named.values()];
  const few = own.slice(0, 6);
  const sums = loops ? [] : few.flatMap((a, i) => few.slice(0, i + 1).map((b) => add(a, b)));
  const small = Array.from({ length: loops ? 3 : 9 }, (_, i) => BigInt(i));
  const all = new Map([...small, ...own, ...sums].map((one) => [numText(one), one]));
  const most = loops ? mostInLoops : mostTried;
  return [...all.values()].slice(0, most).sort(compare);
}
