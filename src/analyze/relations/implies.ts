/**
 * Whether some guarantees imply another on every trace that the tools allow, whatever the program is. A trace is a finite
 * sequence of calls with arguments that meet `requires` and results that meet `ensures`, from the state that fluents are
 * declared to begin with; a call may fail, and has then had its effect or not.
 *
 * - **no** comes with a trace, which was judged before it is shown.
 * - **yes** is one of three proofs: by its form; of all traces of so few calls as it takes (`few-calls.ts`); or of the most
 *   general program (`any-program.ts`), by induction over its calls.
 * - **unknown** is everything else, with the reason.
 */
import { check } from "../../ir/check/index.ts";
import type { AggregateExpr, Document, Expr, Fluent, Program, Tool } from "../../ir/document.ts";
import { printExpr } from "../../ir/text/print-expr.ts";
import type { Field } from "../../ir/type.ts";
import { type ProveOptions, prove, type Verdict } from "../../prove/prove.ts";
import { Opaque } from "../coverage/opaque.ts";
import { visit } from "../spoken.ts";
import { anyProgram, asCalled, fewCalls } from "./any-program.ts";
import { withAnyStates } from "./any-state.ts";
import { withFound } from "./elements.ts";
import { type Kept, kept } from "./few-calls.ts";
import { isOfCalls, isPlain } from "./kinds.ts";
import { type Layer, relevant } from "./layer.ts";
import { anyOf, implied } from "./logic.ts";
import { inlined, normal, openNames, ours } from "./names.ts";
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
  /** Whether what is not seen with a few calls is left unknown. */
  readonly quick?: boolean;
}

/** LIMIT: of calls that are written out at once, over all tools. */
const mostCalls = 24;

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

type Asked = Required<Question>;

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
  options: ProveOptions,
): Promise<Witness | undefined> {
  const tools = asCalled(near.tools);
  for (const { calls, mayFail } of tried) {
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

/**
 * SOUNDNESS: were there a trace that keeps what is given and breaks the goal, then there would be one of so few calls that
 * keeps what is left of it here and breaks what is left of the goal; and what depends on all calls has a name that stands
 * for any value. What is needed of states is left out, as are the states themselves.
 */
async function byFewCalls(
  { given, goal, params }: Asked,
  near: Layer,
  options: ProveOptions,
): Promise<Verdict | undefined> {
  const states = withAnyStates(given.map(withFound), withFound(goal), near.fluents);
  const { assumed, denied, fluents } = states;
  const bare = asCalled(near.tools).map((tool) => ({ ...tool, requires: [], sets: [] }));
  const tools = bare.map(({ cost: _, ...others }: Tool) => others);
  const adding = await addingSums([...assumed, denied], near.tools, tools, fluents, options);
  const isAdding = (sum: AggregateExpr) => adding.has(printExpr(sum));
  const parts = assumed.map((one) => kept(one, true, isAdding));
  const last = kept(denied, false, isAdding);
  const calls = [...parts, last].reduce((sum, one) => sum + one.calls, 0);
  const called = calledIn([...parts, last], near.tools);
  if (calls * called.length > mostCalls) return undefined;
  const names = new Set(params.map(({ name }) => name));
  const opaque = new Opaque(near.fluents, `${ours}p`);
  const whole = [...given.map((one) => opaque.of(one, names)), opaque.of(goal, names)];
  const [named, inputs] = opaque.isWhole ? [whole, opaque.inputs] : [[], []];
  const premises = [
    ...parts.map(({ expr }) => expr),
    ...(opaque.isWhole ? opaque.known : []),
    ...named.slice(0, -1),
  ];
  const goals = [last.expr, ...named.slice(-1)];
  const program = fewCalls(called, calls, [...params, ...states.inputs, ...inputs]);
  return decided(tools, fluents, program, implied(premises, anyOf(goals)), options);
}

/** The tools of which what is left of the formulas still speaks. */
function calledIn(parts: readonly Kept[], tools: readonly Tool[]): readonly Tool[] {
  const words = new Set<unknown>();
  for (const { expr } of parts)
    visit(expr, (node) => {
      for (const slot of ["tool", "label"]) words.add(Reflect.get(node, slot));
    });
  return tools.filter(({ name, labels }) => words.has(name) || labels.some((label) => words.has(label)));
}

/** The sums of which no call can add less than zero, by their text. */
async function addingSums(
  formulas: readonly Expr[],
  tools: readonly Tool[],
  bare: readonly Tool[],
  fluents: readonly Fluent[],
  options: ProveOptions,
): Promise<ReadonlySet<string>> {
  const sums = new Map<string, AggregateExpr>();
  for (const formula of formulas)
    visit(formula, (node) => {
      // SAFETY: nodes of an expression with these kinds are what they say.
      const expr = node as Expr;
      const sum = expr.kind === "aggregate" ? expr : expr.kind === "perKey" ? sumOf(expr) : undefined;
      if (sum?.aggregate === "sum" && isOfCalls(sum.over) && isPlain(sum)) sums.set(printExpr(sum), sum);
    });
  const adding = new Set<string>();
  for (const [text, { over, value }] of sums) {
    if (
      value === undefined ||
      [...openNames({ kind: "aggregate", aggregate: "sum", over, value })].length > 0
    )
      continue;
    const body: Expr = { kind: "op", op: ">=", args: [value, { kind: "number", value: 0n }] };
    const all: Expr = { kind: "quantifier", quantifier: "forall", over, body };
    const called = calledIn([{ expr: all, calls: 1 }], tools);
    const found = await decided(bare, fluents, fewCalls(called, 1, []), all, options);
    if (found.kind === "proved") adding.add(text);
  }
  return adding;
}

function sumOf(expr: Extract<Expr, { readonly kind: "perKey" }>): AggregateExpr | undefined {
  const { aggregate, over, value } = expr;
  return aggregate === "sum" && value !== undefined
    ? { kind: "aggregate", aggregate, over, value }
    : undefined;
}

async function decided(
  tools: readonly Tool[],
  fluents: readonly Fluent[],
  program: Program,
  formula: Expr,
  options: ProveOptions,
): Promise<Verdict> {
  const guarantees = [{ name: "relation", args: [], formula }];
  const document: Document = { effectIr: 1, fluents, tools, program, guarantees };
  const checked = check(document);
  if (!checked.ok) return { kind: "unknown", why: "the formulas could not be put side by side" };
  const proof = await prove(checked.value, { ...options, stops: "left out" });
  return proof.guarantees[0]?.verdict ?? { kind: "unknown", why: "nothing was found" };
}
