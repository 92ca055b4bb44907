/**
 * Guarantees as axioms, each with how far that goes. `faithful`: a closed trace keeps the guarantee if and only if it keeps
 * the axioms. `explanation only`: every trace that keeps the guarantee keeps them, and others may too. `needs SMT`: no axiom
 * says anything of it.
 */

import { inlined } from "../compare/index.ts";
import {
  append,
  type Checked,
  checkExpr,
  type DistinctExpr,
  type Expr,
  type Guarantee,
  type PerKeyExpr,
  partsOf,
  type QuantifierExpr,
  type Selection,
} from "../ir/index.ts";
import { type ClosureName, closures } from "./closure.ts";
import { constantOf } from "./constant.ts";
import { Translation } from "./formula.ts";
import { losses } from "./loss.ts";
import { type Name, run } from "./names.ts";
import { type Axiom, allOf, anyOf, type ClassExpr, classOf, not } from "./owl.ts";
import { leafRead, leavesOfFields, propertyOf, readOf } from "./values.ts";

export type Faithfulness = "faithful" | "explanation only" | "needs SMT";

export interface GuaranteeView {
  readonly guarantee: Guarantee;
  readonly status: Faithfulness;
  readonly axioms: readonly Axiom[];
  /** Closure axioms that the axioms rely on. */
  readonly closure: readonly ClosureName[];
  /** Omitted parts with reasons; empty if and only if the translation is faithful. */
  readonly reasons: readonly string[];
}

/** LIMIT: of parts with what was given a name in its places. */
const mostParts = 20_000;

export function guaranteeView(checked: Checked, guarantee: Guarantee): GuaranteeView {
  const beyond = (why: string): GuaranteeView => ({
    guarantee,
    status: "needs SMT",
    axioms: [],
    closure: [],
    reasons: [why],
  });
  const { formula } = guarantee;
  if (formula === undefined) return beyond("its formula is that of a contract, which is not in the document");
  if (inlinedSize(formula) > mostParts) return beyond("it is too long");
  const expr = inlined(formula);
  const judged = checkExpr(checked, expr, "trace");
  if (!judged.ok) return beyond("it is too long");
  const claim = new Claim(judged.value);
  const axioms = claim.axioms(expr);
  const reasons = [...claim.said.lost];
  const closure = orderedClosures.filter((name) => claim.said.closed.has(name));
  if (reasons.length === 0) return { guarantee, status: "faithful", axioms, closure, reasons };
  if (axioms.length === 0) return { ...beyond(""), reasons };
  return { guarantee, status: "explanation only", axioms, closure, reasons };
}

// SAFETY: the keys of the table are its own.
const orderedClosures = Object.keys(closures) as ClosureName[];

class Claim {
  readonly said: Translation;
  readonly #checked: Checked;

  constructor(checked: Checked) {
    this.#checked = checked;
    const inputs = new Set(checked.document.program.inputs.map(({ name }) => name));
    const constant = (expr: Expr) => constantOf(checked.types, expr);
    this.said = new Translation({ types: checked.types, inputs, constant });
  }

  /** One for each part that is said for itself. */
  axioms(expr: Expr): readonly Axiom[] {
    if (expr.kind === "op" && expr.op === "and") return expr.args.flatMap((part) => this.axioms(part));
    if (expr.kind === "quantifier" && expr.quantifier === "forall") return this.#every(expr);
    if (expr.kind === "distinct") return this.#key(expr);
    if (expr.kind === "perKey" && isAtMostOnce(expr)) return this.#key(expr);
    return claimed(classOf(run), this.said.run(expr, true));
  }

  #every({ over, body }: QuantifierExpr): readonly Axiom[] {
    const rows = this.said.chosen(over);
    if (rows === undefined) return this.#left(losses.state);
    return claimed(rows, this.said.row(body, over));
  }

  #key({ over, key }: DistinctExpr | PerKeyExpr): readonly Axiom[] {
    const rows = this.said.chosen(over);
    if (rows === undefined) return this.#left(losses.state);
    const properties = this.#keyProperties(key, over);
    if (properties === undefined) return this.#left(losses.key);
    this.said.closed.add("values").add("names").add("named");
    return rows.kind === "nothing" ? [] : [{ kind: "key", of: rows, properties }];
  }

  #left(why: string): readonly Axiom[] {
    this.said.lost.add(why);
    return [];
  }

  /** SOUNDNESS: values that are always there; where one is absent, an axiom about keys does not compare it. */
  #keyProperties(key: Expr, over: Selection): readonly Name[] | undefined {
    const reading = this.said.reading({ kind: "row", name: over.var, relation: over.in });
    const parts = key.kind === "list" ? key.items : key.kind === "record" ? key.fields : [key];
    const found: Name[] = [];
    for (const part of parts) {
      if ("optional" in part && part.optional) return undefined;
      const expr = "kind" in part ? part : part.value;
      const read = readOf(expr, reading);
      if (read === undefined || read.of !== "row" || read.instead !== undefined) return undefined;
      const leaf = leafRead(expr, read, reading);
      if (leaf?.isOption === false) found.push(propertyOf(read.root, read.steps));
      else if (leaf === undefined && read.root === "arg") {
        const leaves = this.#leaves(expr, read.steps);
        if (leaves === undefined) return undefined;
        append(found, leaves);
      } else return undefined;
    }
    return found.length === 0 ? undefined : distinctNames(found);
  }

  /** All values of a record, if they are always there and are all that there is of it. */
  #leaves(expr: Expr, steps: readonly string[]): readonly Name[] | undefined {
    const type = this.#checked.types.get(expr);
    if (type?.kind !== "record" || steps.length > 0) return undefined;
    const leaves = leavesOfFields("arg", type.fields);
    const isWhole = type.fields.every(
      ({ type: { kind } }) => kind !== "record" && kind !== "json" && kind !== "list",
    );
    return isWhole && leaves.every(({ optional, many }) => !optional && !many)
      ? leaves.map(({ property }) => property)
      : undefined;
  }
}

/** Nothing for what always is; what is denied of some goes to the side of those that are spoken of. */
function claimed(sub: ClassExpr, of: ClassExpr): readonly Axiom[] {
  if (of.kind === "thing" || sub.kind === "nothing") return [];
  const parts = of.kind === "or" ? of.parts : [of];
  const denied = parts.filter(({ kind }) => kind === "not");
  const rest = parts.filter(({ kind }) => kind !== "not");
  const isRun = sub.kind === "class" && sub.name === run;
  if (isRun || denied.length === 0 || rest.length === 0) {
    if (of.kind === "and") return of.parts.flatMap((part) => claimed(sub, part));
    return [{ kind: "subclass", sub, of }];
  }
  return [{ kind: "subclass", sub: allOf([sub, ...denied.map(not)]), of: anyOf(rest) }];
}

/** `forall n = count(… by k): n <= 1` says that keys are distinct. */
function isAtMostOnce({ quantifier, aggregate, name, body }: PerKeyExpr): boolean {
  if (quantifier !== "forall" || aggregate !== "count" || body.kind !== "op") return false;
  const [n, bound] = body.args;
  if (n?.kind !== "var" || n.name !== name || bound?.kind !== "number") return false;
  return body.op === "<" ? bound.value === 2n : (body.op === "<=" || body.op === "==") && bound.value === 1n;
}

function distinctNames(names: readonly Name[]): readonly Name[] {
  return [...new Map(names.map((name) => [JSON.stringify(name), name])).values()];
}

/** Counts the nodes of an expression after inlining every `let`. */
function inlinedSize(expr: Expr): number {
  const sizes = new Map<string, number>();
  const size = (node: Expr): number => {
    if (node.kind === "var") return sizes.get(node.name) ?? 1;
    if (node.kind === "let") {
      sizes.set(node.name, size(node.value));
      return size(node.body);
    }
    return partsOf(node).reduce((sum, part) => sum + size(part), 1);
  };
  return size(expr);
}
