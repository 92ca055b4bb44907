/** Recognizes formulas about calls before other calls. Part of what must be trusted. */
import { type Expr, printExpr, type QuantifierExpr, type Type } from "../../ir/index.ts";
import type { Counted } from "../loops/totals.ts";
import { compile, compileBool, type Scene } from "../symbolic/compile.ts";
import { equalTerm } from "../symbolic/shape.ts";
import { scalar, sortOf } from "../symbolic/symbolic-value.ts";
import type { Term } from "../terms/term.ts";

/** A count of calls of one kind before a call of another, for formulas about the order of the two. */
export interface EarlierCalls {
  readonly total: Omit<Counted, "kind">;
  /** The formula about the order: such calls exist, or none does. */
  readonly said: QuantifierExpr;
  /** The expression over the later call that equals the counted key. */
  readonly key?: Expr;
}

/** `forall x: exists y: precedes(y, x) and …`, or `forall x: forall y: not (precedes(y, x) and …)`. */
export function earlierCalls(
  expr: QuantifierExpr,
  inputs: ReadonlySet<string>,
  types: ReadonlyMap<Expr, Type>,
): EarlierCalls | undefined {
  const { quantifier, body: said } = expr;
  if (quantifier !== "forall" || said.kind !== "quantifier") return undefined;
  const { var: later } = expr.over;
  const { var: earlier } = said.over;
  const isOrder = (part: Expr) => part.kind === "precedes" && part.first === earlier && part.second === later;
  // SOUNDNESS: of the whole, so that what is said of two kinds of later calls has two keys.
  const id = `before ${printExpr(expr)}`;
  const parts = said.quantifier === "exists" ? conjuncts(said.body) : denied(said.body);
  if (!parts.some(isOrder)) return undefined;
  const { where, ...over } = said.over;
  const only: Expr[] = [];
  let key: { readonly mine: Expr; readonly theirs: Expr } | undefined;
  for (const part of [...(where === undefined ? [] : conjuncts(where)), ...parts]) {
    if (isOrder(part)) continue;
    if (speaksOf(part, earlier, inputs)) {
      only.push(part);
      continue;
    }
    const [a, b] = part.kind === "op" && part.op === "==" ? part.args : [];
    if (key !== undefined || a === undefined || b === undefined) return undefined;
    if (speaksOf(a, earlier, inputs) && speaksOf(b, later, inputs)) key = { mine: a, theirs: b };
    else if (speaksOf(b, earlier, inputs) && speaksOf(a, later, inputs)) key = { mine: b, theirs: a };
    else return undefined;
  }
  if (key === undefined) return { total: { id, over, only }, said };
  const type = types.get(key.mine);
  const sort = type && sortOf(type);
  if (sort === undefined) return undefined;
  const total = { id, over, only, key: { of: key.mine, name: `key@${id}`, sort } };
  return { total, said, key: key.theirs };
}

/** Returns the negated parts. */
function denied(expr: Expr): readonly Expr[] {
  const [part] = expr.kind === "op" && expr.op === "not" ? expr.args : [];
  return part === undefined ? [] : conjuncts(part);
}

function conjuncts(expr: Expr): readonly Expr[] {
  return expr.kind === "op" && expr.op === "and" ? expr.args.flatMap(conjuncts) : [expr];
}

/** Returns true if the expression mentions only the row and inputs. */
export function speaksOf(expr: Expr, row: string, inputs: ReadonlySet<string>): boolean {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
      return true;
    case "var":
      return expr.name === row || inputs.has(expr.name);
    case "op":
      return expr.args.every((arg) => speaksOf(arg, row, inputs));
    case "field":
      return speaksOf(expr.of, row, inputs);
    case "list":
      return expr.items.every((item) => speaksOf(item, row, inputs));
    default:
      return false;
  }
}

/**
 * Returns the term "there are earlier calls", or "there are none", by their count or by instantiation. SOUNDNESS: a
 * formula about every later call is equivalent to one about the calls with one key, for some key.
 * @param before the count before the later call
 */
export function saidOf(before: Term | undefined, { total, said, key }: EarlierCalls, scene: Scene): Term {
  const { terms } = scene;
  if (before === undefined) throw new TypeError("what was counted is known at every call");
  const number =
    said.quantifier === "exists"
      ? terms.apply("<=", terms.int(1), before)
      : terms.apply("<=", before, terms.int(0));
  if (key === undefined || total.key === undefined) return terms.or(number, compileBool(said, scene));
  const one = terms.constant(total.key.name, total.key.sort);
  const isIt = equalTerm(terms, compile(key, scene), scalar(one));
  return terms.or(terms.not(isIt), number, compileBool(said, scene));
}
