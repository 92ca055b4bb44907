/**
 * Compiles formulas that can be monitored incrementally. A formula is standing if its truth on the calls so far can
 * be updated after every call, at constant cost. SOUNDNESS: an unknown form is refused with a reason. Part of what
 * must be trusted.
 */
import type { Checked } from "../check/index.ts";
import type { AlwaysExpr, Expr, QuantifierExpr, Relation, Selection, TraceExpr } from "../document.ts";
import { exprsIn, namesBoundBy, namesReadBy, partsOf } from "../visit.ts";
import type { AlwaysParts } from "./always.ts";
import type { Question } from "./earlier-calls.ts";

/** The parts of a formula that have a value of their own. */
export interface StandingPlan {
  /** Parts over the whole trace. */
  readonly leaves: readonly LeafPlan[];
  /** Questions of those rows about other calls. */
  readonly questions: readonly Question[];
}

export type LeafPlan =
  | { readonly kind: "rows"; readonly expr: Exclude<TraceExpr, { kind: OutOfReach | "always" }> }
  | { readonly kind: "always"; readonly expr: AlwaysExpr; readonly parts: AlwaysParts };

type OutOfReach = "precedes" | "result" | "flows" | "influenced" | "mayRead";

/** Why a formula cannot be standing. */
export class NotStanding {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

/** The parts that keep the formula, or why there are none. */
export function planFor(checked: Checked, formula: Expr): StandingPlan | NotStanding {
  try {
    const planner = new Planner(checked);
    planner.whole(formula);
    return { leaves: planner.leaves, questions: planner.questions };
  } catch (thrown) {
    if (thrown instanceof NotStanding) return thrown;
    throw thrown;
  }
}

const endState = "it is about the state at the end, and a session can end at any call";
const provenance = "it is about provenance, and a session does not show where its arguments come from";
const results = "it is about the result of a call, and a call cannot be refused after it was made";
const later = "it asks for a later call, and a session can end before it";
const pairs = "it compares calls with one another in another way than by equal values and their order";
const aggregates = "it counts or orders calls for each of the other calls";

class Planner {
  readonly leaves: LeafPlan[] = [];
  readonly questions: Question[] = [];
  readonly #checked: Checked;
  readonly #inputs: ReadonlySet<string>;

  constructor(checked: Checked) {
    this.#checked = checked;
    this.#inputs = new Set(checked.document.program.inputs.map(({ name }) => name));
  }

  /** A part of the formula outside all others. */
  whole(expr: Expr): void {
    switch (expr.kind) {
      case "quantifier":
      case "aggregate":
      case "perKey":
      case "distinct":
        this.#closed(expr);
        this.#rows(expr.over, partsOf(expr), expr.kind === "quantifier" ? expr.body : undefined);
        this.leaves.push({ kind: "rows", expr });
        return;
      case "automaton":
        this.#closed(expr);
        for (const { over } of expr.on) this.#relation(over.in);
        this.leaves.push({ kind: "rows", expr });
        return;
      case "always":
        this.#closed(expr);
        this.leaves.push({ kind: "always", expr, parts: this.#always(expr.body) });
        return;
      case "cell":
        if (expr.at !== "initial") throw new NotStanding(endState);
        this.whole(expr.key);
        return;
      case "flows":
      case "influenced":
      case "mayRead":
        throw new NotStanding(provenance);
      case "precedes":
      case "result":
        throw new NotStanding(pairs);
      default:
        for (const part of partsOf(expr)) this.whole(part);
    }
  }

  /** A part is looked at for one call, so it must not read what the formula around it has named. */
  #closed(expr: Expr): void {
    const bound = new Set([...exprsIn(expr)].flatMap(namesBoundBy));
    for (const one of exprsIn(expr))
      for (const name of namesReadBy(one))
        if (!bound.has(name) && !this.#inputs.has(name))
          throw new NotStanding("a part of it reads what another part has found out about the whole session");
  }

  #relation(relation: Relation): void {
    if (relation.kind === "cells") throw new NotStanding(endState);
    if (relation.kind === "rows") throw new NotStanding(results);
  }

  #rows(over: Selection, parts: readonly Expr[], promise: Expr | undefined): void {
    this.#relation(over.in);
    for (const part of parts) this.#row(part, over, part === promise);
  }

  /**
   * Compiles the part that is evaluated at the call of the row.
   * @param isPromise true if the whole can become true only together with this part
   */
  #row(expr: Expr, over: Selection, isPromise: boolean): void {
    switch (expr.kind) {
      case "quantifier":
        this.#question(expr, over, isPromise);
        return;
      case "cell":
        if (expr.at !== "initial") throw new NotStanding(endState);
        break;
      case "result":
        throw new NotStanding(results);
      case "precedes":
        throw new NotStanding(pairs);
      case "flows":
      case "influenced":
      case "mayRead":
        throw new NotStanding(provenance);
      case "aggregate":
      case "perKey":
      case "distinct":
      case "always":
      case "automaton":
        throw new NotStanding(aggregates);
      case "op":
        expr.args.forEach((arg, i) => {
          this.#row(arg, over, isPromise && keeps(expr.op, i));
        });
        return;
      default:
        break;
    }
    for (const part of partsOf(expr)) this.#row(part, over, isPromise && expr.kind === "let");
  }

  #question(expr: QuantifierExpr, asking: Selection, isPromise: boolean): void {
    const { over, body } = expr;
    if (over.in.kind === "cells") throw new NotStanding(endState);
    const atoms = [
      ...(over.where === undefined ? [] : conjuncts(over.where)),
      ...(expr.quantifier === "exists" ? conjuncts(body) : negated(body)),
    ];
    const own: Expr[] = [];
    const ofAsking: Expr[] = [];
    const same: (readonly [Expr, Expr])[] = [];
    let isEarlier = false;
    for (const atom of atoms) {
      if (atom.kind === "precedes") {
        if (atom.first !== over.var || atom.second !== asking.var) throw new NotStanding(later);
        isEarlier = true;
        continue;
      }
      this.#plain(atom, over);
      const reads = this.#reads(atom, over.var);
      if (!reads.others) own.push(atom);
      else if (!reads.theirs) ofAsking.push(atom);
      else same.push(this.#equal(atom, over.var));
    }
    const overlaps = () => this.#toolsOf(over.in).some((tool) => this.#toolsOf(asking.in).includes(tool));
    const searches = expr.quantifier === "exists" && isPromise && !overlaps();
    if (!isEarlier && !searches) throw new NotStanding(pairs);
    const theirs = [...own, ...same.map(([one]) => one)];
    const readsResult = [...exprsIn(...theirs)].some(({ kind }) => kind === "result");
    this.questions.push({ expr, own, asking: ofAsking, same, isEarlier, readsResult });
  }

  /** Nothing in it speaks of the trace, but the result of the call that is looked for. */
  #plain(atom: Expr, { var: name, in: relation }: Selection): void {
    for (const one of exprsIn(atom)) {
      switch (one.kind) {
        case "result":
          if (one.call !== name || relation.kind === "rows") throw new NotStanding(results);
          break;
        case "cell":
          if (one.at !== "initial") throw new NotStanding(endState);
          break;
        case "flows":
        case "influenced":
        case "mayRead":
          throw new NotStanding(provenance);
        case "quantifier":
        case "precedes":
          throw new NotStanding(pairs);
        case "aggregate":
        case "perKey":
        case "distinct":
        case "always":
        case "automaton":
          throw new NotStanding(aggregates);
        default:
          break;
      }
    }
  }

  /**
   * Returns whether an expression reads the searched call, and whether it reads anything else that is bound outside.
   */
  #reads(expr: Expr, name: string): { readonly theirs: boolean; readonly others: boolean } {
    const bound = new Set([...exprsIn(expr)].flatMap(namesBoundBy));
    const read = [...exprsIn(expr)].flatMap(namesReadBy);
    const others = read.some((one) => one !== name && !bound.has(one) && !this.#inputs.has(one));
    return { theirs: read.includes(name), others };
  }

  #equal(atom: Expr, name: string): readonly [Expr, Expr] {
    const [left, right] = atom.kind === "op" && atom.op === "==" ? atom.args : [];
    if (left === undefined || right === undefined) throw new NotStanding(pairs);
    const [a, b] = [this.#reads(left, name), this.#reads(right, name)];
    if (a.theirs && !a.others && !b.theirs) return [left, right];
    if (b.theirs && !b.others && !a.theirs) return [right, left];
    throw new NotStanding(pairs);
  }

  #toolsOf(relation: Relation): readonly string[] {
    if (relation.kind === "label")
      return (this.#checked.labels.get(relation.label) ?? []).map(({ name }) => name);
    return relation.kind === "calls" ? [relation.tool] : [];
  }

  #always(body: Expr): AlwaysParts {
    const conditions: Expr[] = [];
    const cells: QuantifierExpr[] = [];
    for (const part of conjuncts(body)) {
      const isOfCells = part.kind === "quantifier" && part.quantifier === "forall";
      for (const one of exprsIn(...(isOfCells ? partsOf(part) : [part]))) {
        const isState = one.kind === "cell" && (one.at === "initial" || (one.at === "now" && !isOfCells));
        if (one.kind === "cell" && !isState) throw new NotStanding("it compares cells with one another");
        if (isTrace(one)) throw new NotStanding("it reads all cells of a fluent after every call");
      }
      if (isOfCells) cells.push(part);
      else conditions.push(part);
    }
    return { conditions, cells };
  }
}

/** Returns true if the operator can become true only together with this operand. */
function keeps(op: string, operand: number): boolean {
  if (op === "and" || op === "or") return true;
  return (op === "implies" || op === "if") && operand > 0;
}

function isTrace({ kind }: Expr): boolean {
  return kind === "quantifier" || kind === "aggregate" || kind === "perKey" || kind === "distinct";
}

/** Expressions that all hold if and only if this one does. */
function conjuncts(expr: Expr): readonly Expr[] {
  if (expr.kind === "op" && expr.op === "and") return expr.args.flatMap(conjuncts);
  if (expr.kind === "op" && expr.op === "not" && expr.args[0] !== undefined) return negated(expr.args[0]);
  return [expr];
}

/** The same for its negation. A negation that has no form of its own is refused. */
function negated(expr: Expr): readonly Expr[] {
  if (expr.kind === "bool") return [{ kind: "bool", value: !expr.value }];
  if (expr.kind === "op") {
    const [first, second] = expr.args;
    if (expr.op === "not" && first !== undefined) return conjuncts(first);
    if (expr.op === "or") return expr.args.flatMap(negated);
    if (expr.op === "implies" && first !== undefined && second !== undefined)
      return [...conjuncts(first), ...negated(second)];
  }
  throw new NotStanding(pairs);
}
