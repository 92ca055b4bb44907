/**
 * Formulas as class expressions about the run. A part that description logic cannot express is omitted so that the class
 * only grows: every run that satisfies the formula is in it, and if nothing is omitted, no other is. Omissions are noted.
 * SOUNDNESS: an omitted part becomes ⊤, also below a negation, since negations are pushed to the parts first; so the class
 * always follows from the formula.
 */

import { mentions } from "../explain/index.ts";
import {
  type AggregateExpr,
  bool,
  type Expr,
  floor,
  isNum,
  isSubtype,
  type Num,
  type OpExpr,
  type QuantifierExpr,
  type Relation,
  type Selection,
  type Type,
  type Value,
} from "../ir/index.ts";
import { atomOf } from "./atom.ts";
import type { ClosureName } from "./closure.ts";
import { lossOf } from "./loss.ts";
import { hasEffect, hasRow, type Name, named } from "./names.ts";
import {
  allOf,
  and,
  anyOf,
  atLeast,
  atMost,
  type ClassExpr,
  classOf,
  inverse,
  not,
  nothing,
  only,
  or,
  role,
  some,
  thing,
} from "./owl.ts";
import type { Reading } from "./values.ts";

export interface Given {
  readonly types: ReadonlyMap<Expr, Type>;
  readonly inputs: ReadonlySet<string>;
  readonly constant: (expr: Expr) => Value | undefined;
}

/** LIMIT: of parts that are looked at; `if` and equivalence double what is below them. */
const mostSteps = 20_000;

/** Subject of the translation: the run, or one row of a relation. */
type Scene = { readonly kind: "run" } | RowScene;
interface RowScene {
  readonly kind: "row";
  readonly name: string;
  readonly relation: Relation;
}

const ofRun: Scene = { kind: "run" };

export class Translation {
  /** Reasons for omissions, in the order in which they were met. */
  readonly lost = new Set<string>();
  /** Closure axioms that the translation relies on. */
  readonly closed = new Set<ClosureName>();
  readonly #given: Given;
  #steps = 0;

  constructor(given: Given) {
    this.#given = given;
  }

  /** The class of runs for which the formula is (`yes`) or is not (`!yes`) so, or a larger one. */
  run(expr: Expr, yes: boolean): ClassExpr {
    return this.#say(expr, yes, ofRun);
  }

  /** The rows that are chosen, or fewer. */
  chosen({ var: name, in: relation, where }: Selection): ClassExpr | undefined {
    const rows = this.relation(relation);
    if (rows === undefined || where === undefined) return rows?.of;
    return and(rows.of, not(this.#say(where, false, { kind: "row", name, relation })));
  }

  /** Translates a formula about a row to a class that contains at least its rows. */
  row(expr: Expr, { var: name, in: relation }: Selection): ClassExpr {
    return this.#say(expr, true, { kind: "row", name, relation });
  }

  relation(relation: Relation): { readonly name: Name; readonly of: ClassExpr } | undefined {
    switch (relation.kind) {
      case "calls":
        this.closed.add("effects");
        return { name: hasEffect, of: classOf(named("tool", relation.tool)) };
      case "label":
        this.closed.add("effects").add("tools");
        return { name: hasEffect, of: classOf(named("label", relation.label)) };
      case "rows":
        this.closed.add("rows");
        return { name: hasRow, of: classOf(named("rows", relation.tool)) };
      default:
        return undefined;
    }
  }

  reading(scene: Scene): Reading {
    if (scene.kind === "run") return this.#given;
    const root = scene.relation.kind === "rows" ? "row" : "arg";
    return { ...this.#given, row: { name: scene.name, root } };
  }

  #say(expr: Expr, yes: boolean, scene: Scene): ClassExpr {
    if (++this.#steps > mostSteps) return this.#leave("it is too long");
    if (expr.kind === "bool") return expr.value === yes ? thing : nothing;
    // What is not about the row is about the run that it is a row of.
    if (scene.kind === "row" && isStatement(expr) && !mentions(expr, scene.name))
      return this.#lifted(this.#say(expr, yes, ofRun), scene);
    if (expr.kind === "quantifier") return this.#quantified(expr, yes, scene);
    if (expr.kind === "op") {
      const said = this.#operation(expr, yes, scene);
      if (said !== undefined) return said;
    }
    const constant = this.#given.constant(expr);
    if (typeof constant === "boolean") return constant === yes ? thing : nothing;
    const atom = atomOf(expr, this.reading(scene));
    if (atom === undefined) return this.#leave(lossOf(expr));
    this.closed.add("values");
    const said = yes ? atom.said : not(atom.said);
    return atom.of === "run" ? this.#lifted(said, scene) : said;
  }

  #leave(why: string): ClassExpr {
    this.lost.add(why);
    return thing;
  }

  /** Lifts a class of runs to a class of the current subject. */
  #lifted(said: ClassExpr, scene: Scene): ClassExpr {
    if (scene.kind === "run" || said.kind === "thing" || said.kind === "nothing") return said;
    const of = this.relation(scene.relation);
    return of === undefined ? this.#leave(lossOf(undefined)) : some(inverse(of.name), said);
  }

  #operation(expr: OpExpr, yes: boolean, scene: Scene): ClassExpr | undefined {
    const [a, b, c] = expr.args;
    const parts = () => expr.args.map((part) => this.#say(part, yes, scene));
    switch (expr.op) {
      case "not":
        return a && this.#say(a, !yes, scene);
      case "and":
        return yes ? allOf(parts()) : anyOf(parts());
      case "or":
        return yes ? anyOf(parts()) : allOf(parts());
      case "implies":
        if (a === undefined || b === undefined) return undefined;
        return yes
          ? or(this.#say(a, false, scene), this.#say(b, true, scene))
          : and(this.#say(a, true, scene), this.#say(b, false, scene));
      case "if":
        if (a === undefined || b === undefined || c === undefined) return undefined;
        return or(
          and(this.#say(a, true, scene), this.#say(b, yes, scene)),
          and(this.#say(a, false, scene), this.#say(c, yes, scene)),
        );
      default:
        return a && b && (this.#counted(expr.op, a, b, yes, scene) ?? this.#alike(expr.op, a, b, yes, scene));
    }
  }

  /** Both are so or both are not, or just one of them is. */
  #alike(op: string, a: Expr, b: Expr, yes: boolean, scene: Scene): ClassExpr | undefined {
    if (op !== "==" && op !== "!=") return undefined;
    const type = this.#given.types.get(a);
    if (type === undefined || !isSubtype(type, bool)) return undefined;
    const same = (op === "==") === yes;
    const say = (expr: Expr, so: boolean) => this.#say(expr, so, scene);
    return or(and(say(a, true), say(b, same)), and(say(a, false), say(b, !same)));
  }

  #quantified(expr: QuantifierExpr, yes: boolean, scene: Scene): ClassExpr {
    const { over, body } = expr;
    const rows = this.relation(over.in);
    if (rows === undefined) return this.#leave(lossOf(expr));
    const inner: Scene = { kind: "row", name: over.var, relation: over.in };
    const exists = (expr.quantifier === "exists") === yes;
    const chosen = over.where === undefined ? undefined : this.#say(over.where, exists, inner);
    const said = this.#say(body, yes, inner);
    const whole = exists
      ? some(role(rows.name), and(rows.of, chosen ?? thing, said))
      : only(role(rows.name), or(not(rows.of), chosen ?? nothing, said));
    return this.#lifted(whole, scene);
  }

  /** A number of rows against a constant. */
  #counted(op: string, a: Expr, b: Expr, yes: boolean, scene: Scene): ClassExpr | undefined {
    const [first, second] = [countOf(a), countOf(b)];
    const count = first ?? second;
    const bound = this.#given.constant(first === undefined ? a : b);
    if (count === undefined || bound === undefined || !isNum(bound)) return undefined;
    const rows = this.relation(count.over.in);
    if (rows === undefined) return undefined;
    const { var: name, in: relation, where } = count.over;
    const inner: Scene = { kind: "row", name, relation };
    // At least so many of more rows, at most so many of fewer: both follow.
    const low = (number: bigint) =>
      atLeast(
        number,
        role(rows.name),
        and(rows.of, where === undefined ? thing : this.#say(where, true, inner)),
      );
    const high = (number: bigint) =>
      atMost(
        number,
        role(rows.name),
        and(rows.of, where === undefined ? thing : not(this.#say(where, false, inner))),
      );
    const said = numberOfRows(yes ? op : (opposite[op] ?? op), first === undefined, bound, low, high);
    if (said === undefined) return undefined;
    this.closed.add("names");
    return this.#lifted(said, scene);
  }
}

type Bounded = (number: bigint) => ClassExpr;

/** @param turned whether the number of rows stands on the right */
function numberOfRows(
  op: string,
  turned: boolean,
  bound: Num,
  low: Bounded,
  high: Bounded,
): ClassExpr | undefined {
  const down = floor(bound);
  const isWhole = typeof bound === "bigint";
  switch (turned ? (mirrored[op] ?? op) : op) {
    case "<=":
      return high(down);
    case "<":
      return high(isWhole ? down - 1n : down);
    case ">=":
      return low(isWhole ? down : down + 1n);
    case ">":
      return low(down + 1n);
    case "==":
      return isWhole ? and(low(down), high(down)) : nothing;
    case "!=":
      return isWhole ? or(high(down - 1n), low(down + 1n)) : thing;
    default:
      return undefined;
  }
}

const mirrored: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const opposite: Readonly<Record<string, string>> = {
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "==": "!=",
  "!=": "==",
};

function countOf(expr: Expr): AggregateExpr | undefined {
  return expr.kind === "aggregate" && expr.aggregate === "count" ? expr : undefined;
}

/** Something that has a place of its own, and is not just looked up. */
function isStatement({ kind }: Expr): boolean {
  return kind === "quantifier" || kind === "op";
}
