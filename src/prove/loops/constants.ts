/** Constants of a document, for invariant candidates. Not trusted. */
import {
  type Checked,
  clausesOf,
  commandsIn,
  type Expr,
  exprsIn,
  type Guarantee,
  type Num,
  type OpExpr,
  printExpr,
  programExprs,
  valueKey,
  variablesOf,
} from "../../ir/index.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";

/** Operators whose numbers may bound something; those that say where a text is cut, or what an hour is, do not. */
const bounding = new Set(["<", "<=", ">", ">=", "==", "!=", "min", "max", "+", "-", "*", "if"]);
/** LIMIT: of numbers that guesses are made with. */
const mostConstants = 12;
const constants = new WeakMap<object, readonly Num[]>();

/** Numbers that the document names, for guesses: those of the guarantees first. */
export function constantsOf(checked: Checked, terms: Terms): readonly Term[] {
  return numbersOf(checked).map((value) => terms.literal(value, "Real"));
}

/** Those of them that can be keys. */
export function integersOf(checked: Checked, terms: Terms): readonly Term[] {
  return numbersOf(checked).flatMap((value) =>
    typeof value === "bigint" ? [terms.literal(value, "Int")] : [],
  );
}

function numbersOf({ document, types }: Checked): readonly Num[] {
  const known = constants.get(document);
  if (known !== undefined) return known;
  const { guarantees, tools, program } = document;
  const plain = new Map<string, Num>([0n, 1n].map((value) => [valueKey(value), value]));
  const add = (exprs: readonly Expr[]) => {
    for (const expr of exprs) if (expr.kind === "number") plain.set(valueKey(expr.value), expr.value);
  };
  add([...exprsIn(...stated(guarantees))]);
  const commands = [...commandsIn(program.body)];
  const called = new Set(commands.flatMap((command) => (command.kind === "call" ? [command.tool] : [])));
  const clauses = tools.filter(({ name }) => called.has(name)).flatMap(clausesOf);
  // Where a list is cut says how often a loop over it is gone through.
  const isBounding = ({ op, args: [of] }: OpExpr) =>
    bounding.has(op) || (op === "slice" && of !== undefined && types.get(of)?.kind === "list");
  const others = [...exprsIn(...programExprs(document), ...clauses)];
  const left = new Set(others.flatMap((expr) => (expr.kind === "op" && !isBounding(expr) ? expr.args : [])));
  add(others.filter((expr) => !left.has(expr)));
  const found = [...plain.values()].slice(0, mostConstants);
  constants.set(document, found);
  return found;
}

/** LIMIT: of numbers that what is found by going through a list is compared with. */
const mostBounds = 3;
const bounds = new WeakMap<object, readonly Num[]>();

/** Numbers that may bound what is found by going through a list: zero, and those of guarantees and of clauses of tools. */
export function boundsIn({ document }: Checked, terms: Terms): readonly Term[] {
  if (document.guarantees.length === 0) return [];
  let found = bounds.get(document);
  if (found === undefined) {
    const { tools, guarantees, program } = document;
    const called = new Set(
      [...commandsIn(program.body)].flatMap((command) => (command.kind === "call" ? [command.tool] : [])),
    );
    const clauses = tools.filter(({ name }) => called.has(name)).flatMap(clausesOf);
    const all = new Map<string, Num>([[valueKey(0n), 0n]]);
    for (const expr of exprsIn(...stated(guarantees), ...clauses))
      if (expr.kind === "number") all.set(valueKey(expr.value), expr.value);
    found = [...all.values()].slice(0, mostBounds);
    bounds.set(document, found);
  }
  return found.map((value) => terms.literal(value, "Real"));
}

const mostTexts = 6;
const texts = new WeakMap<object, readonly string[]>();

/** Texts that the tools and the guarantees name, for guesses about cells. */
export function textsOf({ document }: Checked, terms: Terms): readonly Term[] {
  let found = texts.get(document);
  if (found === undefined) {
    const { tools, guarantees } = document;
    const all = new Set<string>();
    for (const expr of exprsIn(...tools.flatMap(clausesOf), ...stated(guarantees)))
      if (expr.kind === "string") all.add(expr.value);
    found = [...all].slice(0, mostTexts);
    texts.set(document, found);
  }
  return found.map((value) => terms.literal(value, "String"));
}

/** LIMIT: of conditions on the inputs that guesses are made with. */
const mostConditions = 3;
const conditions = new WeakMap<object, readonly Expr[]>();

/** Returns the guarantees' conditions on the inputs alone. */
export function inputConditions({ document, types }: Checked): readonly Expr[] {
  const known = conditions.get(document);
  if (known !== undefined) return known;
  const inputs = new Set(document.program.inputs.map(({ name }) => name));
  const found = new Map<string, Expr>();
  const visit = (expr: Expr): void => {
    if (expr.kind !== "op") return;
    const names = [...variablesOf(expr)];
    const isOfInputs = names.length > 0 && names.every((name) => inputs.has(name)) && isPlain(expr);
    if (isOfInputs && types.get(expr)?.kind === "bool") found.set(printExpr(expr), expr);
    else expr.args.forEach(visit);
  };
  for (const { formula } of document.guarantees) if (formula !== undefined) visit(formula);
  const few = [...found.values()].slice(0, mostConditions);
  conditions.set(document, few);
  return few;
}

function isPlain(expr: Expr): boolean {
  if (expr.kind === "op") return expr.args.every(isPlain);
  return ["bool", "number", "string", "var"].includes(expr.kind);
}

/** Returns the arguments and formulas of the guarantees. */
function stated(guarantees: readonly Guarantee[]): readonly (Expr | undefined)[] {
  return guarantees.flatMap(({ args, formula }) => [...args, formula]);
}
