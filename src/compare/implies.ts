/**
 * Decides whether some guarantees imply another on every trace that the tools allow, for any program. A trace is a finite
 * sequence of calls with arguments that meet `requires` and results that meet `ensures`, from the state that fluents are
 * declared to begin with; a call may fail, and has then had its effect or not.
 *
 * - **no** comes with a trace, which was judged before it is shown.
 * - **yes** is one of three proofs: by its form; of all traces of so few calls as it takes (`small-model.ts`); or of the most
 *   general program (`most-general-program.ts`), by induction over its calls.
 * - **unknown** is everything else, with the reason.
 */
import { type Expr, type Field, printExpr } from "../ir/index.ts";
import type { ProveOptions, Verdict } from "../prove/index.ts";
import { type Asked, byFewCalls } from "./by-small-model.ts";
import { decided } from "./decided.ts";
import { type Layer, relevant } from "./layer.ts";
import { implied } from "./logic.ts";
import { anyProgram, asCalled, fewCalls } from "./most-general-program.ts";
import { inlined, normal } from "./names.ts";
import { Shown, type Witness } from "./witness.ts";

export type { Layer } from "./layer.ts";
export type { Witness } from "./witness.ts";

export interface Question {
  readonly given: readonly Expr[];
  readonly goal: Expr;
  /** Parameters that the formulas speak of by name: it is asked for all of their values. */
  readonly params?: readonly Field[];
}

export type Answer =
  | { readonly kind: "yes"; readonly by: "form" | "calls" | "induction" }
  | { readonly kind: "no"; readonly witness: Witness }
  | { readonly kind: "unknown"; readonly why: string };

export interface RelateOptions extends ProveOptions {
  /** Leaves questions unknown that few calls do not decide. */
  readonly quick?: boolean;
}

export async function implies(question: Question, layer: Layer, options: RelateOptions): Promise<Answer> {
  const params = question.params ?? [];
  const given = question.given.map((one) => normal(inlined(one))).filter((one) => !isTrue(one));
  const goal = normal(inlined(question.goal));
  const near = relevant(layer, [...given, goal]);
  const shown = new Shown(near, params, given, goal);
  if (!shown.isClear) return { kind: "unknown", why: "the formulas could not be put side by side" };
  const text = printExpr(goal);
  if (isTrue(goal) || given.some((one) => printExpr(one) === text)) return { kind: "yes", by: "form" };
  const asked = { given, goal, params };
  const few = await byFewCalls(asked, near, options);
  if (few?.kind === "proved") return { kind: "yes", by: "calls" };
  const first = few?.kind === "refuted" ? shown.by(few.run) : undefined;
  if (first !== undefined) return { kind: "no", witness: first };
  const short = await byTrying(asked, near, shown, options);
  if (short !== undefined) return { kind: "no", witness: short };
  if (options.quick) return { kind: "unknown", why: "a few calls do not show it" };
  const any = await byAnyCalls(asked, near, options);
  if (any.kind === "proved") return { kind: "yes", by: "induction" };
  const second = any.kind === "refuted" ? shown.by(any.run) : undefined;
  if (second !== undefined) return { kind: "no", witness: second };
  return {
    kind: "unknown",
    why: any.kind === "unknown" ? any.why : "the trace that was found does not show it",
  };
}

function isTrue(expr: Expr): boolean {
  return expr.kind === "bool" && expr.value;
}

/** LIMIT: of calls that are tried for a trace that shows it, with all that they need and set. */
const tried = [
  { calls: 1, mayFail: false },
  { calls: 2, mayFail: false },
  { calls: 3, mayFail: false },
  { calls: 2, mayFail: true },
];
const mostTried = 12;

/** A trace of a few calls, with real states. That there is none says nothing. */
async function byTrying(
  { given, goal, params }: Asked,
  near: Layer,
  shown: Shown,
  options: RelateOptions,
): Promise<Witness | undefined> {
  const tools = asCalled(near.tools);
  for (const { calls, mayFail } of options.quick ? tried.slice(0, 2) : tried) {
    if (calls > 1 && calls * tools.length > mostTried) continue;
    const program = fewCalls(near.tools, calls, params, mayFail);
    const found = await decided(tools, near.fluents, program, implied(given, goal), options);
    const witness = found.kind === "refuted" ? shown.by(found.run) : undefined;
    if (witness !== undefined || tools.length === 0) return witness;
  }
  return undefined;
}

/** SOUNDNESS: the most general program; see there. */
async function byAnyCalls(
  { given, goal, params }: Asked,
  near: Layer,
  options: ProveOptions,
): Promise<Verdict> {
  const program = anyProgram(near.tools, params);
  return decided(asCalled(near.tools), near.fluents, program, implied(given, goal), options);
}
