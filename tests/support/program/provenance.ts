/** Random well-typed formulas about where values come from, about readers, and about the order of calls. */
import { misplacedIn } from "../../../src/ir/check/polarity.ts";
import { type Path, Trail } from "../../../src/ir/diagnostic.ts";
import type { AutomatonExpr, Expr, Selection, Source, Tool, Transition } from "../../../src/ir/document.ts";
import { bool, listOf, string } from "../../../src/ir/type.ts";
import { partAt, replaced } from "../walk.ts";
import type { Scope, Typed, Variable, Writer } from "./expressions.ts";

export function someFlows(writer: Writer, scope: Scope, fuel: number): Typed {
  const plain: Scope = { ...scope, view: "values" };
  const { expr } = writer.infer(writer.someType(plain), plain, fuel - 1);
  return maybeNot(writer, { kind: "flows", value: expr, from: someSource(writer) });
}

export function someInfluenced(writer: Writer, calls: readonly Variable[]): Typed {
  const call = writer.chance.pick(calls).name;
  return maybeNot(writer, { kind: "influenced", call, from: someSource(writer) });
}

export function someMayRead(writer: Writer, scope: Scope, fuel: number): Typed {
  const plain: Scope = { ...scope, view: "values" };
  const value = writer.infer(writer.someType(plain), plain, fuel - 1).expr;
  const type = writer.chance.odds(50) ? string : listOf(string);
  return { expr: { kind: "mayRead", value, reader: writer.expect(type, plain, fuel - 1) }, type: bool };
}

/** `select` gives calls, with a condition that reads them and the inputs. */
export function someAutomaton(writer: Writer, select: () => Selection | undefined): Typed | undefined {
  const { chance } = writer;
  const states = ["idle", "asked", "b a d"].slice(0, chance.int(1, 3));
  const on: Transition[] = [];
  for (let i = chance.int(0, 3); i > 0; i--) {
    const over = select();
    if (over === undefined) return undefined;
    // From what was reached, or it could never be taken.
    const from = chance.pick(["idle", ...on.map(({ to }) => to)]);
    on.push({ from, over, to: chance.pick(states) });
  }
  const error = chance.odds(70) ? states.slice(-1) : states;
  const expr: AutomatonExpr = { kind: "automaton", states, start: "idle", on, error };
  return { expr, type: bool };
}

/** The formula with the opposite, or a constant, in the place of what says what may be where no guarantee can rest on it. */
export function withoutMisplaced(formula: Expr): Expr {
  const turned = misplaced(formula).reduce(
    (expr, path) => replaced(expr, path, { kind: "op", op: "not", args: [partAt(expr, path)] }),
    formula,
  );
  return misplaced(turned).reduce(
    (expr, path) => replaced(expr, path, { kind: "bool", value: false }),
    turned,
  );
}

function misplaced(formula: Expr): Path[] {
  return misplacedIn(formula, Trail.root).map(({ trail }) => trail.path());
}

function maybeNot({ chance }: Writer, expr: Expr): Typed {
  return { expr: chance.odds(70) ? { kind: "op", op: "not", args: [expr] } : expr, type: bool };
}

/** Picks a source of one kind after the other, as far as there are any. */
function someSource({ chance, declared: { inputs, tools } }: Writer): Source {
  const kinds: (readonly Source[])[] = [
    tools.map(({ name }) => ({ kind: "tool", tool: name })),
    tools.flatMap((tool) => fieldsOf(tool).map((field) => ({ kind: "tool", tool: tool.name, field }))),
    tools.flatMap(({ labels }) => labels.map((label) => ({ kind: "label", label }))),
    inputs.map(({ name }) => ({ kind: "input", input: name })),
    [{ kind: "input" }],
    [{ kind: "untrusted" }],
  ];
  return chance.pick(chance.pick(kinds.filter((sources) => sources.length > 0)));
}

function fieldsOf({ result }: Tool): string[] {
  const held = result?.kind === "list" ? result.element : result;
  return held?.kind === "record" ? held.fields.map(({ name }) => name) : [];
}
