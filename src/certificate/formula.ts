/**
 * Guarantees as terms: a formula over the calls is written out, call by call, and is true in exactly the runs in which
 * the guarantee holds.
 * SOUNDNESS: of the calls of a loop over a list of any length an iteration is chosen wherever "every" or "some" is said.
 * Whatever that comes to in a run, the iteration can be one for which it comes to the same; so what is shown for every
 * choice of it holds.
 * Part of what must be trusted.
 */
import {
  type AggregateExpr,
  type AutomatonExpr,
  type CellExpr,
  type DistinctExpr,
  type Expr,
  type Extreme,
  isAdditive,
  labelRowType,
  type PerKeyExpr,
  type QuantifierExpr,
  type Relation,
  type Selection,
  type TraceExpr,
} from "../ir/index.ts";
import { isKept, startOf, stepOf } from "./automaton.ts";
import { type CellsOf, cellRows, countCells, type Row } from "./cells.ts";
import type { Look, Names } from "./compile.ts";
import type { Term, Terms } from "./encode.ts";
import type { State } from "./fluent-state.ts";
import { type Calls, flowTerm } from "./provenance.ts";
import type { Call, Walk } from "./symbolic-executor.ts";
import { asType, type Plain, plain, termOf } from "./symbolic-value.ts";
import type { Steps, Tally, Total, TotalKind } from "./totals.ts";

type CellRelation = Extract<Relation, { kind: "cells" }>;

export function formulaTerm(walk: Walk, formula: Expr): Term {
  const formulas = new Formulas(walk, formula);
  return walk.at.bool(formula, walk.inputs(), formulas.look);
}

/** Returns the total after the call. */
export function nextOf(walk: Walk, total: Total, held: Term, by: Step): Term {
  const formulas = new Formulas(walk);
  return total.kind === "automaton" ? formulas.step(total, held, by) : formulas.next(total, held, by);
}

interface Step {
  readonly call: Call;
  /** The key of a per-key total. */
  readonly key: Term | undefined;
  /** The number of calls so far, for totals that need it. */
  readonly count: Term | undefined;
}

class Formulas {
  readonly #walk: Walk;
  /** The whole of what is translated. */
  readonly #formula: Expr | undefined;
  /** The calls that variables are bound to. */
  readonly #bound = new Map<string, Call>();
  /** The calls of one iteration, by each of them. */
  readonly #mates = new Map<Call, readonly Call[]>();
  /** Below `always`: the state of that moment. */
  #now: State = [];

  constructor(walk: Walk, formula?: Expr) {
    this.#walk = walk;
    this.#formula = formula;
  }

  readonly look: Look = (expr, names) => {
    switch (expr.kind) {
      case "cell": {
        const key = termOf(this.#walk.at.value(expr.key, names, this.look));
        return this.#walk.states.read(this.#writes(expr.at), expr.fluent, this.#key(expr.fluent, key));
      }
      case "result": {
        const { failed, result } = this.#call(expr.call);
        return { kind: "option", present: this.#walk.at.terms.not(failed), value: result };
      }
      case "aggregate":
        return plain(this.#aggregate(expr, names));
      default:
        return plain(this.#says(expr, names));
    }
  };

  #says(expr: Exclude<TraceExpr, { readonly kind: "aggregate" | "result" }>, names: Names): Term {
    const { at } = this.#walk;
    switch (expr.kind) {
      case "quantifier":
        return this.#quantifier(expr, names);
      case "perKey":
        return this.#perKey(expr, names);
      case "distinct":
        return this.#distinct(expr, names);
      case "always":
        return this.#always(expr.body, names);
      case "precedes":
        return this.#before(this.#call(expr.first).order, this.#call(expr.second).order);
      case "flows":
      case "influenced":
      case "mayRead": {
        if (this.#formula === undefined) return at.refuse("where a value came from");
        const calls: Calls = {
          bound: (variable) => this.#call(variable),
          all: () => this.#calls(),
          mates: (call) => this.#mates.get(call) ?? [],
        };
        return flowTerm(this.#walk, expr, this.#formula, calls, (part) => at.value(part, names, this.look));
      }
      case "automaton":
        return this.#automaton(expr, names);
    }
  }

  #automaton(expr: AutomatonExpr, names: Names): Term {
    const { terms } = this.#walk.at;
    const kept = this.#total(expr, "automaton");
    if (kept !== undefined) return isKept(terms, expr, kept.term);
    const step = (now: Term, call: Call) =>
      stepOf(terms, expr, now, (over) => this.#takes(over, call, names));
    return isKept(terms, expr, this.#calls().reduce(step, startOf(terms, expr)));
  }

  /** Returns the condition that the call is present and selected; undefined for a call of another relation. */
  #takes({ in: relation, var: name, where }: Selection, call: Call, names: Names): Term | undefined {
    const { at } = this.#walk;
    if (relation.kind === "rows" || relation.kind === "cells")
      throw new TypeError("an automaton reads calls");
    const row = this.#row(relation, call);
    if (row === undefined) return undefined;
    names.set(name, row);
    const chosen = where === undefined ? at.terms.true : at.bool(where, names, this.look);
    return at.terms.and(call.happened, chosen);
  }

  #key(fluent: string, key: Term): Term {
    return this.#walk.states.fluent(fluent).key.kind === "real" ? this.#walk.at.terms.real(key) : key;
  }

  #writes(moment: CellExpr["at"]): State {
    if (moment === "final") return this.#walk.point.state;
    return moment === "initial" ? [] : this.#now;
  }

  #always(body: Expr, names: Names): Term {
    const { at } = this.#walk;
    const holds = [[], ...this.#calls().map(({ after }) => after)].map((state) => {
      this.#now = state;
      return at.bool(body, names, this.look);
    });
    return at.terms.all(holds);
  }

  /** Place by place, the outermost first. Those of one loop differ by its iteration, or are of one iteration. */
  #before([a, ...rest]: readonly Term[], [b, ...others]: readonly Term[]): Term {
    const { terms } = this.#walk.at;
    if (a === undefined || b === undefined) return terms.false;
    const isLess = terms.not(terms.atMost(b, a));
    return terms.or(isLess, terms.and(terms.equal(a, b), this.#before(rest, others)));
  }

  #cells(relation: CellRelation, { var: name, where }: Selection, names: Names): CellsOf {
    const chosen = () => (where === undefined ? undefined : this.#walk.at.bool(where, names, this.look));
    const state = this.#writes(relation.at).filter(({ fluent }) => fluent === relation.fluent);
    return { fluent: relation.fluent, state, bind: (row) => names.set(name, row), chosen };
  }

  // ── rows ───────────────────────────────────────────────────────────────────────────────────────────────

  /** Those that are written out, and of each loop over a list of any length those of a new iteration. */
  #calls(): readonly Call[] {
    return this.#walk.point.seen.flatMap((one) => {
      if (!("again" in one)) return [one];
      const together = one.again();
      for (const call of together) this.#mates.set(call, together);
      return together;
    });
  }

  #call(variable: string): Call {
    const call = this.#bound.get(variable);
    if (call === undefined) throw new TypeError(`\`${variable}\` does not stand for a call`);
    return call;
  }

  /** Instantiates a body for each call of the relation, with the condition that it is present and selected. */
  #select<T>(
    { in: relation, var: name, where }: Selection,
    names: Names,
    say: () => T,
    calls: readonly Call[] = this.#calls(),
  ): Row<T>[] {
    const { at } = this.#walk;
    if (relation.kind === "rows")
      return at.refuse("the rows of a list whose length is not known before the run");
    if (relation.kind === "cells") return at.refuse("this use of a fluent");
    return calls.flatMap((call) => {
      const row = this.#row(relation, call);
      if (row === undefined) return [];
      names.set(name, row);
      this.#bound.set(name, call);
      const chosen = where === undefined ? at.terms.true : at.bool(where, names, this.look);
      const said = say();
      this.#bound.delete(name);
      return [{ present: at.terms.and(call.happened, chosen), said }];
    });
  }

  next({ kind, over, only, value, key: of }: Tally, held: Term, { call, key, count }: Step): Term {
    const { at } = this.#walk;
    const { terms } = at;
    const names = this.#walk.inputs();
    const parts = [this.#takes(over, call, names) ?? terms.false];
    if (only !== undefined) parts.push(at.bool(only, names, this.look));
    if (of !== undefined && key !== undefined)
      parts.push(at.equal(at.value(of, names, this.look), plain(key)));
    const taken = terms.all(parts);
    const number = this.#number(value, names);
    if (isAdditive(kind)) return terms.sum([held, terms.ite(taken, number, terms.int(0))]);
    if (count === undefined) throw new TypeError(`a ${kind} is kept with the count of its calls`);
    const isFirst = terms.equal(count, terms.int(0));
    return terms.ite(terms.and(taken, terms.or(isFirst, isBetter(terms, kind, number, held))), number, held);
  }

  step({ automaton }: Steps, held: Term, { call }: Step): Term {
    const names = this.#walk.inputs();
    return stepOf(this.#walk.at.terms, automaton, held, (over) => this.#takes(over, call, names));
  }

  /** Returns the running total; undefined if the calls are unrolled. */
  #total(expr: TraceExpr, what: TotalKind): { readonly term: Term; readonly place: number } | undefined {
    const { at, totals, isRepeating } = this.#walk;
    if (!isRepeating) return undefined;
    const place = totals.named(expr, what);
    const term = place === undefined ? undefined : totals.now()[place];
    if (place === undefined || term === undefined)
      return at.refuse("what a loop counts, where it depends on more than one call");
    return { term, place };
  }

  #row(relation: Exclude<Relation, { kind: "rows" | "cells" }>, { tool, args }: Call): Plain | undefined {
    if (relation.kind === "calls") return relation.tool === tool.name ? args : undefined;
    const tools = this.#walk.checked.labels.get(relation.label) ?? [];
    if (!tools.some(({ name }) => name === tool.name)) return undefined;
    const type = labelRowType(tools);
    const shared = new Set(type.fields.map(({ name }) => name));
    const fields = new Map([...args.fields].filter(([name]) => shared.has(name)));
    return asType(this.#walk.at.terms, { kind: "record", fields }, type);
  }

  #quantifier(expr: QuantifierExpr, names: Names): Term {
    const { at, totals, isRepeating } = this.#walk;
    const { terms } = at;
    const isEvery = expr.quantifier === "forall";
    if (!isEvery && isRepeating && totals.named(expr, "count") !== undefined) {
      const total = this.#total(expr, "count");
      if (total !== undefined) return terms.atMost(terms.int(1), total.term);
    }
    const body = () => at.bool(expr.body, names, this.look);
    const join = ({ present, said }: Row<Term>) =>
      isEvery ? terms.implies(present, said) : terms.and(present, said);
    const rows = this.#rows(expr.over, names, body).map(join);
    return isEvery ? terms.all(rows) : terms.any(rows);
  }

  #rows(over: Selection, names: Names, body: () => Term): Row<Term>[] {
    if (over.in.kind === "cells") return cellRows(this.#walk, this.#cells(over.in, over, names), body);
    return over.in.kind === "rows"
      ? this.#returned(over, over.in.tool, names, body)
      : this.#select(over, names, body, [...this.#alongside(), ...this.#calls()]);
  }

  /** The calls of the iterations that are spoken of: what is true of every call is of these, and one of these is some call. */
  #alongside(): readonly Call[] {
    return [...new Set([...this.#bound.values()].flatMap((call) => this.#mates.get(call) ?? []))];
  }

  /** Instantiates a body for returned elements: the known or chosen ones, and one arbitrary other. */
  #returned({ var: name, where }: Selection, tool: string, names: Names, body: () => Term): Row<Term>[] {
    const { at } = this.#walk;
    const { terms, lists } = at;
    return this.#calls().flatMap(({ tool: { name: called }, result, happened, failed }) => {
      if (called !== tool || result === undefined) return [];
      const answered = terms.and(happened, terms.not(failed));
      return lists.someOf(result).map(({ present, value }) => {
        names.set(name, value);
        const chosen = where === undefined ? terms.true : at.bool(where, names, this.look);
        return { present: terms.and(answered, present, chosen), said: body() };
      });
    });
  }

  #aggregate(expr: AggregateExpr, names: Names): Term {
    const { at } = this.#walk;
    if (expr.over.in.kind === "cells")
      return countCells(this.#walk, this.#cells(expr.over.in, expr.over, names));
    const total = this.#total(expr, expr.aggregate);
    if (total !== undefined) return total.term;
    const rows = this.#select(expr.over, names, () => this.#number(expr.value, names));
    const otherwise =
      expr.otherwise === undefined ? undefined : termOf(at.value(expr.otherwise, names, this.look));
    return this.#combined(expr.aggregate, rows, otherwise);
  }

  #number(expr: Expr | undefined, names: Names): Term {
    const { at } = this.#walk;
    return expr === undefined ? at.terms.int(1) : termOf(at.value(expr, names, this.look));
  }

  #combined(kind: AggregateExpr["aggregate"], rows: readonly Row<Term>[], otherwise: Term | undefined): Term {
    const { terms } = this.#walk.at;
    if (isAdditive(kind))
      return terms.sum(rows.map(({ present, said }) => terms.ite(present, said, terms.int(0))));
    let held = otherwise ?? terms.int(0);
    let found = terms.false;
    for (const { present, said } of rows) {
      const isTaken = terms.or(terms.not(found), isBetter(terms, kind, said, held));
      held = terms.ite(terms.and(present, isTaken), said, held);
      found = terms.or(found, present);
    }
    return held;
  }

  /** Each row stands for its key: the aggregate of all rows with that key. */
  #perKey(expr: PerKeyExpr, names: Names): Term {
    const { at } = this.#walk;
    const { terms } = at;
    if (this.#walk.isRepeating) {
      const count = this.#total(expr, "count");
      const number = this.#total(expr, expr.aggregate);
      if (count === undefined || number === undefined) throw new TypeError("a loop keeps its totals");
      const present = terms.atMost(terms.int(1), count.term);
      names.set(expr.name, plain(number.term));
      const holds = at.bool(expr.body, names, this.look);
      return expr.quantifier === "forall" ? terms.implies(present, holds) : terms.and(present, holds);
    }
    const rows = this.#select(expr.over, names, () => ({
      key: at.value(expr.key, names, this.look),
      number: this.#number(expr.value, names),
    }));
    const said = rows.map(({ present, said: { key } }) => {
      const group = rows.map((other) => ({
        present: terms.and(other.present, at.equal(key, other.said.key)),
        said: other.said.number,
      }));
      names.set(expr.name, plain(this.#combined(expr.aggregate, group, undefined)));
      const holds = at.bool(expr.body, names, this.look);
      return expr.quantifier === "forall" ? terms.implies(present, holds) : terms.and(present, holds);
    });
    return expr.quantifier === "forall" ? terms.all(said) : terms.any(said);
  }

  #distinct(expr: DistinctExpr, names: Names): Term {
    const { at } = this.#walk;
    const { terms } = at;
    const total = this.#total(expr, "count");
    if (total !== undefined) return terms.atMost(total.term, terms.int(1));
    const rows = this.#select(expr.over, names, () => at.value(expr.key, names, this.look));
    const apart = rows.flatMap((row, i) =>
      rows.slice(i + 1).map((other) => {
        const same = at.equal(row.said, other.said);
        return terms.not(terms.and(row.present, other.present, same));
      }),
    );
    return terms.all(apart);
  }
}

function isBetter(terms: Terms, kind: Extreme, number: Term, held: Term): Term {
  return kind === "min" ? terms.atMost(number, held) : terms.atMost(held, number);
}
