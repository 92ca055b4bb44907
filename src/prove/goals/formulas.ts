/** Compiles formulas over call events: quantifiers, aggregates, states and order. Part of what must be trusted. */
import {
  type Additive,
  type AggregateExpr,
  type AutomatonExpr,
  append,
  type CellExpr,
  type Checked,
  type DistinctExpr,
  type Expr,
  isAdditive,
  isExtreme,
  type PerKeyExpr,
  type QuantifierExpr,
  type Relation,
  type Selection,
  type Tool,
  type TraceExpr,
} from "../../ir/index.ts";
import { stateIds, type Total, totalId } from "../loops/totals.ts";
import { soughtIn } from "../prefix/polarity.ts";
import {
  type AnyIteration,
  type Fact,
  type Iteration,
  NotFollowed,
  type Walk,
} from "../symbolic/call-events.ts";
import { compile, compileBool, type Look, type Scene, termOf, typeOf } from "../symbolic/compile.ts";
import type { State } from "../symbolic/fluent-state.ts";
import { equalTerm } from "../symbolic/shape.ts";
import { type Symbolic, scalar } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { isKept, keptByAll, reads } from "./automata.ts";
import { type CellsContext, countCells, everyCell, someCell, startsFromNone } from "./cells.ts";
import { type EarlierCalls, earlierCalls, saidOf } from "./earlier-calls.ts";
import { groupsOf, rowsApart } from "./groups.ts";
import { inWrittenOrder } from "./interleavings.ts";
import { precedes } from "./order.ts";
import { orderAutomaton } from "./order-automata.ts";
import { asMates, flowTerm } from "./provenance.ts";
import {
  cellRow,
  chooseRow,
  combine,
  extreme,
  inLoop,
  isOf,
  numberOf,
  type Row,
  returnedRows,
  rowOfIts,
  sortOfNumber,
  type What,
} from "./rows.ts";

/** LIMIT: of iterations that are tried for some call, besides any. */
const mostIterations = 4;

const nothing: ReadonlyMap<string, Term> = new Map();
const nowhere: ReadonlyMap<string, number> = new Map();

export class Formulas {
  readonly #checked: Checked;
  readonly #terms: Terms;
  readonly #walk: Walk;
  #calls = new Map<string, Fact>();
  #now: State | undefined;
  readonly #looked = new Map<AnyIteration, readonly Iteration[]>();
  #formula: Expr | undefined;

  /** By what they are the totals of. */
  #totals: ReadonlyMap<string, Term> = nothing;
  #places: ReadonlyMap<string, number> = nowhere;

  constructor(checked: Checked, terms: Terms, walk: Walk, totals: readonly Total[] = [], formula?: Expr) {
    this.#checked = checked;
    this.#formula = formula;
    this.#terms = terms;
    this.#walk = walk;
    if (totals.length === 0) return;
    this.#places = new Map(totals.map(({ id }, i) => [id, i]));
    const kept = totals.map(({ id }, i) => [id, walk.totals[i]] as const);
    this.#totals = new Map(kept.flatMap(([id, term]) => (term === undefined ? [] : [[id, term]])));
  }

  /** Returns true if some of the rows are symbolic. */
  #isOpen(relation: Relation): boolean {
    if (relation.kind === "rows") return true;
    return this.#walk.facts.some(
      ({ loop, tool }) => loop !== undefined && isOf(this.#checked, relation, tool),
    );
  }

  looking(): Look {
    const look = (expr: CellExpr | TraceExpr, scene: Scene) => this.#look(expr, scene);
    return Object.assign(look, { kept: () => this.#kept().looking() });
  }

  /** The same, with the calls and the state that are looked at now. */
  #kept(): Formulas {
    const kept = new Formulas(this.#checked, this.#terms, this.#walk);
    kept.#totals = this.#totals;
    kept.#places = this.#places;
    kept.#formula = this.#formula;
    kept.#calls = new Map(this.#calls);
    kept.#now = this.#now;
    return kept;
  }

  #look(expr: CellExpr | TraceExpr, scene: Scene): Symbolic {
    switch (expr.kind) {
      case "cell":
        return this.#state(expr.at).read(expr.fluent, termOf(compile(expr.key, scene)));
      case "quantifier":
        return scalar(this.#quantify(expr, scene));
      case "aggregate":
        return scalar(this.#aggregate(expr, scene));
      case "perKey":
        return scalar(this.#perKey(expr, scene));
      case "distinct":
        return scalar(this.#distinct(expr, scene));
      case "always":
        return scalar(this.#always(expr.body, scene));
      case "precedes":
        return scalar(precedes(this.#terms, this.#call(expr.first), this.#call(expr.second)));
      case "result": {
        const { failed, result } = this.#call(expr.call);
        return { kind: "option", present: this.#terms.not(failed), value: result };
      }
      case "flows":
      case "influenced":
      case "mayRead":
        return scalar(flowTerm(expr, this.#checked, this.#walk, this.#formula, this.#calls, scene));
      case "automaton":
        return scalar(this.#automaton(expr, scene));
    }
  }

  /** By its states along the walk, or call by call. */
  #automaton(expr: AutomatonExpr, scene: Scene): Term {
    return this.#keptIn(expr) ?? keptByAll(this.#checked, expr, this.#walk.facts, scene);
  }

  /** SOUNDNESS: along the walk it has read the calls in written order. */
  #keptIn(expr: AutomatonExpr | undefined): Term | undefined {
    if (this.#totals.size === 0 || expr === undefined) return undefined;
    if (!inWrittenOrder(this.#checked, (tool) => reads(this.#checked, expr, tool))) return undefined;
    const kept = stateIds(expr).map((id) => this.#totals.get(id));
    const known = kept.filter((term) => term !== undefined);
    return known.length === kept.length ? isKept(this.#terms, known) : undefined;
  }

  /** Returns the running total of the expression. */
  #total(expr: TraceExpr, what: Additive = "count"): Term | undefined {
    return this.#totals.size === 0 ? undefined : this.#totals.get(totalId(expr, what));
  }

  // ── states ─────────────────────────────────────────────────────────────────────────────────────────────

  #state(at: CellExpr["at"]): State {
    const { states } = this.#walk;
    const state = at === "now" ? this.#now : at === "initial" ? states[0] : states.at(-1);
    if (state === undefined) throw new TypeError("there is no such state");
    return state;
  }

  /** In loops over lists that are not known, the states of any iteration: one of its own for everything that is said. */
  #always(body: Expr, scene: Scene): Term {
    const terms = this.#terms;
    const [initial] = this.#walk.states;
    if (initial === undefined) throw new TypeError("there is no such state");
    const loops = new Set(this.#walk.stages.flatMap(({ loop }) => loop ?? []));
    const outside = this.#walk.stages.filter(({ loop }) => loop === undefined);
    const before = this.#now;
    const holdsIn = (state: State) => {
      this.#now = state;
      return compileBool(body, scene);
    };
    const holds = [holdsIn(initial)];
    for (const { state, reached, shared } of outside)
      if (shared !== "nothing new")
        holds.push(shared === "new" ? terms.implies(reached, holdsIn(state)) : holdsIn(state));
    for (const loop of loops)
      for (const { state, reached, shared } of loop.again().stages)
        if (shared !== "nothing new") holds.push(terms.implies(reached, holdsIn(state)));
    this.#now = before;
    return terms.all(holds);
  }

  // ── rows ───────────────────────────────────────────────────────────────────────────────────────────────

  #call(variable: string): Fact {
    const fact = this.#calls.get(variable);
    if (fact === undefined) throw new TypeError(`\`${variable}\` does not stand for a call`);
    return fact;
  }

  /**
   * Instantiates `body` for each row, with the condition that the row is present and selected. SOUNDNESS: `each` is
   * for formulas about single rows; then one symbolic row stands for all unknown ones.
   */
  #select<T>(
    selection: Selection,
    scene: Scene,
    body: (row: Row) => T,
    what: What,
  ): { readonly present: Term; readonly value: T }[] {
    return this.#rows(selection.in, scene, what).map((row) =>
      scene.lists.within(() => {
        if (row.fact !== undefined) this.#calls.set(selection.var, row.fact);
        const chosen = chooseRow(selection, row.value, scene);
        return { present: this.#terms.and(row.present, chosen), value: body(row) };
      }),
    );
  }

  #rows(relation: Relation, scene: Scene, what: What): readonly Row[] {
    switch (relation.kind) {
      case "calls":
      case "label":
        return this.#facts((fact) => isOf(this.#checked, relation, fact.tool), what).map((fact) =>
          rowOfIts(this.#checked, relation, fact),
        );
      case "rows":
        return this.#facts((fact) => fact.tool.name === relation.tool, what).flatMap((fact) =>
          returnedRows(fact, scene, what),
        );
      case "cells":
        throw new NotFollowed("this use of a fluent", []);
    }
  }

  /** The calls in question; of those in loops over lists that are not known, the ones of any iteration. */
  #facts(isWanted: (fact: Fact) => boolean, what: What): readonly Fact[] {
    const found: Fact[] = [];
    let loops: Set<AnyIteration> | undefined;
    for (const fact of this.#walk.facts) {
      if (!isWanted(fact)) continue;
      if (fact.loop === undefined) found.push(fact);
      else if (what !== "each" && what !== "some") throw new NotFollowed(inLoop(what, fact), fact.path);
      else {
        loops ??= new Set();
        loops.add(fact.loop);
      }
    }
    // They are in order as they are walked.
    if (loops === undefined) return found;
    for (const loop of loops)
      for (const { facts } of this.#iterations(loop, what)) append(found, asMates(facts).filter(isWanted));
    return found.sort((a, b) => a.position - b.position);
  }

  /**
   * Any iteration, and for `some` those that were looked at before, and those of elements that were chosen.
   * SOUNDNESS: all of them are iterations of the run. With the one that stands for any it comes to the same.
   */
  #iterations(loop: AnyIteration, what: What): readonly Iteration[] {
    const before = this.#looked.get(loop) ?? [];
    const fresh = loop.again();
    if (what !== "some") {
      this.#looked.set(loop, [...before, fresh]);
      return [fresh];
    }
    const first = loop.first();
    const others = [
      ...before.slice(-mostIterations),
      ...loop.ofChosen(mostIterations),
      ...loop.previous().slice(-mostIterations),
    ];
    return [fresh, ...others, ...(first === undefined ? [] : [first])];
  }

  // ── formulas over rows ─────────────────────────────────────────────────────────────────────────────────

  #quantify(expr: QuantifierExpr, scene: Scene): Term {
    const terms = this.#terms;
    if (expr.over.in.kind === "cells") return this.#overCells(expr, scene);
    const kept = this.#totals.size === 0 ? undefined : this.#keptIn(orderAutomaton(this.#checked, expr));
    if (kept !== undefined) return kept;
    const what = (this.#formula && soughtIn(this.#formula).get(expr)) ?? "each";
    const earlier = what === "each" ? this.#earlier(expr) : undefined;
    const rows = this.#select(
      expr.over,
      scene,
      ({ fact }) => {
        if (earlier === undefined || fact === undefined) return compileBool(expr.body, scene);
        return saidOf(fact.totals[this.#places.get(earlier.total.id) ?? -1], earlier, scene);
      },
      what,
    );
    const total = this.#total(expr);
    // SOUNDNESS: for the choice with which the rows come to what is true, the number of calls comes to the same.
    if (expr.quantifier === "forall") {
      const each = terms.all(rows.map(({ present, value }) => terms.implies(present, value)));
      if (total === undefined) return each;
      const none = terms.apply("<=", total, terms.int(0));
      return what === "some" ? terms.and(each, none) : terms.or(each, none);
    }
    const some = terms.any(rows.map(({ present, value }) => terms.and(present, value)));
    if (total === undefined) return some;
    const counted = terms.apply("<=", terms.int(1), total);
    return what === "some" ? terms.or(some, counted) : terms.and(some, counted);
  }

  /** Returns the earlier calls of a formula about order, if a running total counts them. */
  #earlier(expr: QuantifierExpr): EarlierCalls | undefined {
    if (this.#totals.size === 0) return undefined;
    const inputs = new Set(this.#checked.document.program.inputs.map(({ name }) => name));
    const found = earlierCalls(expr, inputs, this.#checked.types);
    if (found === undefined || !this.#totals.has(found.total.id)) return undefined;
    // SOUNDNESS: along the walk the earlier calls were counted in written order.
    const relations = [expr.over.in, found.total.over.in];
    const matters = (tool: Tool) => relations.some((relation) => isOf(this.#checked, relation, tool));
    return inWrittenOrder(this.#checked, matters) ? found : undefined;
  }

  #overCells({ over, body, quantifier }: QuantifierExpr, scene: Scene): Term {
    const terms = this.#terms;
    const cells = this.#cells(over, scene);
    return quantifier === "forall"
      ? everyCell(cells, (key, value) => {
          const chosen = chooseRow(over, cellRow(terms, key, value), scene);
          return terms.implies(chosen, compileBool(body, scene));
        })
      : someCell(cells, (key, value) => {
          const chosen = chooseRow(over, cellRow(terms, key, value), scene);
          return terms.and(chosen, compileBool(body, scene));
        });
  }

  #cells({ in: relation }: Selection, { count }: Scene): CellsContext {
    if (relation.kind !== "cells") throw new TypeError("cells were expected");
    const fluent = this.#checked.fluents.get(relation.fluent);
    if (fluent === undefined) throw new TypeError(`there is no fluent \`${relation.fluent}\``);
    const [initial, state] = [this.#state("initial"), this.#state(relation.at)];
    return { terms: this.#terms, fluent, initial, state, count };
  }

  #aggregate(expr: AggregateExpr, scene: Scene): Term {
    const { over } = expr;
    if (over.in.kind === "cells") {
      const cells = this.#cells(over, scene);
      const says = (key: Term, value: Symbolic) => chooseRow(over, cellRow(this.#terms, key, value), scene);
      const counted = this.#total(expr);
      if (counted !== undefined && startsFromNone(cells, says)) return counted;
      return countCells(cells, says, scene.constrain);
    }
    const total = isAdditive(expr.aggregate) ? this.#total(expr, expr.aggregate) : undefined;
    if (total !== undefined) return total;
    const sort = sortOfNumber(expr, scene);
    const otherwise = expr.otherwise === undefined ? undefined : numberOf(expr.otherwise, sort, scene);
    const { aggregate } = expr;
    if (this.#isOpen(over.in) && isExtreme(aggregate))
      return extreme(aggregate, this.addends(expr, scene, "each"), sort, otherwise, scene);
    const rows = this.addends(expr, scene, aggregate);
    return combine(this.#terms, aggregate, rows, sort, otherwise);
  }

  addends(expr: AggregateExpr, scene: Scene, what: What): { readonly present: Term; readonly value: Term }[] {
    const sort = sortOfNumber(expr, scene);
    return this.#select(expr.over, scene, () => numberOf(expr.value, sort, scene), what);
  }

  /** Each row stands for its key: the aggregate of all rows with that key. */
  #perKey(expr: PerKeyExpr, scene: Scene): Term {
    const terms = this.#terms;
    const sort =
      expr.aggregate === "count" || (expr.value !== undefined && typeOf(expr.value, scene).kind === "int")
        ? "Int"
        : "Real";
    const counted = this.#total(expr);
    const number = expr.aggregate === "count" ? counted : this.#total(expr, "sum");
    if (counted !== undefined && number !== undefined) return this.#anyKey(expr, counted, number, scene);
    const rows = this.#select(
      expr.over,
      scene,
      () => ({ key: compile(expr.key, scene), number: numberOf(expr.value, sort, scene) }),
      "perKey",
    );
    const said = groupsOf(terms, rows, ({ key }) => key).map(({ key, present, members }) => {
      const group = members.map((other) => ({
        present: terms.and(other.present, equalTerm(terms, key, other.value.key)),
        value: other.value.number,
      }));
      scene.names.set(expr.name, scalar(combine(this.#terms, expr.aggregate, group, sort, undefined)));
      const holds = compileBool(expr.body, scene);
      return expr.quantifier === "forall" ? terms.implies(present, holds) : terms.and(present, holds);
    });
    return expr.quantifier === "forall" ? terms.all(said) : terms.any(said);
  }

  /** Instantiates the body for the counted key, if there is a call with it. */
  #anyKey(expr: PerKeyExpr, counted: Term, number: Term, scene: Scene): Term {
    const terms = this.#terms;
    const present = terms.apply("<=", terms.int(1), counted);
    scene.names.set(expr.name, scalar(number));
    const holds = compileBool(expr.body, scene);
    return expr.quantifier === "forall" ? terms.implies(present, holds) : terms.and(present, holds);
  }

  #distinct(expr: DistinctExpr, scene: Scene): Term {
    const terms = this.#terms;
    const counted = this.#total(expr);
    if (counted !== undefined) return terms.apply("<=", counted, terms.int(1));
    const rows = this.#select(expr.over, scene, () => compile(expr.key, scene), "distinct");
    return terms.all(rowsApart(terms, rows));
  }
}
