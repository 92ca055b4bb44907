/**
 * Conditions on one text that the guarantees, the clauses of tools and the program name, for guesses about texts that a
 * loop carries: `endsWith(it, "@corp.com")`. Nothing rests on a guess that was not shown.
 */
import {
  type Checked,
  clausesOf,
  commandsIn,
  type Expr,
  exprsIn,
  type ListExpr,
  type OpExpr,
  printExpr,
  programExprs,
  variablesOf,
} from "../../ir/index.ts";
import { compile } from "../symbolic/compile.ts";
import type { Progress } from "../symbolic/symbolic-state.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";

/** INVARIANT: it means the same wherever and whenever it is asked: all else that it reads are inputs. */
export interface TextPredicate {
  readonly id: string;
  readonly holds: (text: Term) => Term;
}

/** LIMIT: of conditions that guesses are made with. */
const mostPredicates = 6;

/** Operators that take a text, with the places of texts that may be asked about, and whether the denial is of use too. */
const asked: ReadonlyMap<string, { readonly places: readonly number[]; readonly denied: boolean }> = new Map([
  ["startsWith", { places: [0], denied: false }],
  ["endsWith", { places: [0], denied: false }],
  ["contains", { places: [0], denied: true }],
  ["matches", { places: [0], denied: false }],
  ["pathInside", { places: [0], denied: false }],
  ["urlInside", { places: [0], denied: false }],
  ["==", { places: [0, 1], denied: true }],
  ["!=", { places: [0, 1], denied: true }],
]);

interface Shape {
  readonly id: string;
  readonly expr: OpExpr;
  /** The place of the text among the operands. */
  readonly place: number;
  readonly isDenied: boolean;
}

const shapes = new WeakMap<object, readonly Shape[]>();

/** Returns the conditions, those of the guarantees first. Obligations of the program seldom need one. */
export function textPredicates(progress: Progress): readonly TextPredicate[] {
  const { terms, checked } = progress;
  const found = checked.document.guarantees.length === 0 ? [] : shapesOf(checked);
  if (found.length === 0) return [];
  const scene = progress.formulaScene(() => {
    throw new TypeError("a condition on a text speaks of inputs alone");
  });
  return found.flatMap(({ id, expr, place, isDenied }): TextPredicate[] => {
    const among = amongTexts(expr);
    if (among !== undefined) {
      const texts = among.list.items.map((item) => compile(item, scene));
      const all = texts.flatMap((text) => (text.kind === "scalar" ? [text.term] : []));
      return [{ id, holds: (it) => terms.any(all.map((text) => terms.equal(it, text))) }];
    }
    const others = expr.args.map((arg, i) => (i === place ? undefined : compile(arg, scene)));
    const known = others.map((one) => (one?.kind === "scalar" ? one.term : undefined));
    if (known.some((one, i) => one === undefined && i !== place)) return [];
    const holds = (text: Term): Term => {
      const args = known.map((one) => one ?? text);
      const said = applied(terms, expr.op, args);
      return isDenied ? terms.not(said) : said;
    };
    return [{ id, holds }];
  });
}

/** A text that is looked for among texts that are written down. */
function amongTexts({ op, args }: OpExpr): { readonly list: ListExpr; readonly text: Expr } | undefined {
  const [list, text] = args;
  if (op !== "contains" || list?.kind !== "list" || text === undefined) return undefined;
  const isKnown = list.items.length > 0 && list.items.every(({ kind }) => kind === "string");
  return isKnown ? { list, text } : undefined;
}

function applied(terms: Terms, op: string, args: readonly Term[]): Term {
  const [a, b] = args;
  if (a !== undefined && b !== undefined) {
    if (op === "==") return terms.equal(a, b);
    if (op === "!=") return terms.not(terms.equal(a, b));
  }
  return terms.apply(op, ...args);
}

function shapesOf(checked: Checked): readonly Shape[] {
  const { document, types } = checked;
  const known = shapes.get(document);
  if (known !== undefined) return known;
  const { guarantees, tools, program } = document;
  const inputs = new Set(program.inputs.map(({ name }) => name));
  const called = new Set(
    [...commandsIn(program.body)].flatMap((command) => (command.kind === "call" ? [command.tool] : [])),
  );
  const clauses = tools.filter(({ name }) => called.has(name)).flatMap(clausesOf);
  const exprs = exprsIn(...guarantees.map(({ formula }) => formula), ...programExprs(document), ...clauses);
  const found = new Map<string, Shape>();
  const isText = (expr: Expr) => types.get(expr)?.kind === "string";
  const isFixed = (expr: Expr): boolean =>
    isPlain(expr) && [...variablesOf(expr)].every((name) => inputs.has(name));
  const add = (shape: Shape) => {
    if (found.size < mostPredicates) found.set(shape.id, shape);
  };
  for (const expr of exprs) {
    if (expr.kind !== "op") continue;
    const among = amongTexts(expr);
    if (among !== undefined && isText(among.text) && !isFixed(among.text))
      add({ id: `contains(${printExpr(among.list)}, it)`, expr, place: 1, isDenied: false });
    const kind = asked.get(expr.op);
    if (kind === undefined || !expr.args.every(isText)) continue;
    for (const place of kind.places) {
      const [subject] = expr.args.slice(place, place + 1);
      const others = expr.args.filter((_, i) => i !== place);
      if (subject === undefined || isFixed(subject) || !others.every(isFixed)) continue;
      const said = `${expr.op}(${expr.args.map((arg, i) => (i === place ? "it" : printExpr(arg))).join(", ")})`;
      add({ id: said, expr, place, isDenied: false });
      if (kind.denied) add({ id: `not ${said}`, expr, place, isDenied: true });
    }
  }
  const all = [...found.values()];
  shapes.set(document, all);
  return all;
}

function isPlain(expr: Expr): boolean {
  if (expr.kind === "op") return expr.op === "++" && expr.args.every(isPlain);
  return expr.kind === "string" || expr.kind === "var";
}

const lengths = new WeakMap<object, boolean>();

/** Returns true if something of the document is about the length of a text. */
export function speaksOfLengths({ document, types }: Checked): boolean {
  const known = lengths.get(document);
  if (known !== undefined) return known;
  const { guarantees, tools, program } = document;
  const called = new Set(
    [...commandsIn(program.body)].flatMap((command) => (command.kind === "call" ? [command.tool] : [])),
  );
  const clauses = tools.filter(({ name }) => called.has(name)).flatMap(clausesOf);
  let found = false;
  for (const expr of exprsIn(...guarantees.map(({ formula }) => formula), ...clauses)) {
    if (expr.kind !== "op" || expr.op !== "length") continue;
    const [of] = expr.args;
    if (of !== undefined && types.get(of)?.kind === "string") found = true;
  }
  lengths.set(document, found);
  return found;
}
