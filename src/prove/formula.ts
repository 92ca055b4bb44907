/**
 * Guarantees to terms: a formula over the facts becomes one boolean term that is true in exactly the runs on which
 * the guarantee holds.
 * Part of what must be trusted.
 */
import type { Checked } from "../ir/check/index.ts";
import type {
  AggregateExpr,
  CellExpr,
  DistinctExpr,
  Expr,
  PerKeyExpr,
  QuantifierExpr,
  Relation,
  Selection,
  Tool,
  TraceExpr,
} from "../ir/document.ts";
import { labelRowType } from "../ir/label-row.ts";
import { type CellsContext, countCells, everyCell, someCell } from "./cells.ts";
import { compile, compileBool, type Look, type Scene, termOf, typeOf } from "./compile.ts";
import { mostStepsAtOnce } from "./effort.ts";
import type { Terms } from "./factory.ts";
import { type AnyIteration, type Fact, type Ghost, NotFollowed, type Walk } from "./facts.ts";
import { groupsOf, rowsApart } from "./groups.ts";
import type { Progress } from "./progress.ts";
import { callRow, cellRow, combine, cut, type Row, sortOfNumber, sortOfTotal } from "./rows.ts";
import { equalTerm } from "./shape.ts";
import type { State } from "./state.ts";
import { type Symbolic, scalar } from "./symbolic.ts";
import type { Term } from "./term.ts";
import { type Total, totalId } from "./totals.ts";
import { choose } from "./unknown-list.ts";

/**
 * The term of a guarantee's formula. Throws `NotFollowed`.
 * @param totals what was counted and summed along the walk
 */
export function formulaTerm(
  checked: Checked,
  terms: Terms,
  walked: Progress,
  formula: Expr,
  totals: readonly Total[] = [],
): Term {
  const formulas = new Formulas(checked, terms, walked, totals);
  const scene = walked.formulaScene(formulas.looking());
  return scene.lists.within(() => terms.effort.within(mostStepsAtOnce, () => compileBool(formula, scene)));
}

/** What an aggregate that stands outside all quantifiers is made of. */
export function addends(
  checked: Checked,
  terms: Terms,
  walked: Progress,
  expr: AggregateExpr,
): { readonly present: Term; readonly value: Term }[] {
  const formulas = new Formulas(checked, terms, walked);
  return formulas.addends(expr, walked.formulaScene(formulas.looking()), "each");
}

/** What each of them gains with a call. */
export function ghostsFor(
  checked: Checked,
  terms: Terms,
  totals: readonly Total[],
): (walked: Progress) => readonly Ghost[] {
  return (walked) =>
    totals.map((total) => {
      const formulas = new Formulas(checked, terms, walked);
      const scene = walked.formulaScene(() => {
        throw new TypeError("a total speaks of its calls and of inputs alone");
      });
      const key = total.key && terms.constant(total.key.name, total.key.sort);
      return {
        sort: sortOfTotal(total, scene),
        ...(key === undefined ? {} : { key }),
        counts: (tool) => formulas.isOf(total.over.in, tool),
        addend: (fact) => formulas.addend(total, key, fact, scene),
      };
    });
}

/** What is said of: each row by itself, or all rows together, in the contract's own word. */
type What = "each" | AggregateExpr["aggregate"] | "perKey" | "distinct";

function inLoop(construct: string, { tool }: Fact): string {
  return `\`${construct}\` of calls of \`${tool.name}\` in a loop over a list that is not known before the run`;
}

class Formulas {
  readonly #checked: Checked;
  readonly #terms: Terms;
  readonly #walk: Walk;
  /** By what they are the totals of. */
  #totals: ReadonlyMap<string, Term>;
  #calls = new Map<string, Fact>();
  #now: State | undefined;

  constructor(checked: Checked, terms: Terms, walk: Walk, totals: readonly Total[] = []) {
    this.#checked = checked;
    this.#terms = terms;
    this.#walk = walk;
    const kept = totals.map(({ id }, i) => [id, walk.totals[i]] as const);
    this.#totals = new Map(kept.flatMap(([id, term]) => (term === undefined ? [] : [[id, term]])));
  }

  looking(): Look {
    const look: Look = (expr, scene) => this.#look(expr, scene);
    return Object.assign(look, { kept: () => this.#kept().looking() });
  }

  /** The same, with the calls and the state that are looked at now. */
  #kept(): Formulas {
    const kept = new Formulas(this.#checked, this.#terms, this.#walk);
    kept.#totals = this.#totals;
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
        return scalar(this.#precedes(this.#call(expr.first), this.#call(expr.second)));
      case "result": {
        const { failed, result } = this.#call(expr.call);
        return { kind: "option", present: this.#terms.not(failed), value: result };
      }
      case "flows":
        throw new NotFollowed("where a value came from", []);
    }
  }

  #precedes(first: Fact, second: Fact): Term {
    if (first.loop !== undefined && first.loop === second.loop)
      throw new NotFollowed(inLoop("precedes", first), first.path);
    return this.#terms.bool(first.position < second.position);
  }

  /** What was counted of it along the walk. */
  #total(expr: TraceExpr, what: "count" | "sum" = "count"): Term | undefined {
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
    const holds = [initial, ...outside.map(({ state }) => state)].map(holdsIn);
    for (const loop of loops)
      for (const { state, reached } of loop.again().stages)
        holds.push(terms.implies(reached, holdsIn(state)));
    this.#now = before;
    return terms.and(...holds);
  }

  // ── rows ───────────────────────────────────────────────────────────────────────────────────────────────

  #call(variable: string): Fact {
    const fact = this.#calls.get(variable);
    if (fact === undefined) throw new TypeError(`\`${variable}\` does not stand for a call`);
    return fact;
  }

  /**
   * What `body` gives for each row, with the condition under which the row is there and chosen.
   * SOUNDNESS: `each` is for what is said of each row by itself; then one stands for any of those that are not known.
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
        const chosen = this.#choose(selection, row.value, scene);
        return { present: this.#terms.and(row.present, chosen), value: body(row) };
      }),
    );
  }

  #rows(relation: Relation, scene: Scene, what: What): readonly Row[] {
    switch (relation.kind) {
      case "calls":
      case "label":
        return this.#facts((fact) => this.#rowOf(relation, fact) !== undefined, what).flatMap(
          (fact) => this.#rowOf(relation, fact) ?? [],
        );
      case "rows":
        return this.#facts((fact) => fact.tool.name === relation.tool, what).flatMap((fact) =>
          this.#returnedRows(fact, scene, what),
        );
      case "cells":
        throw new NotFollowed("this use of a fluent", []);
    }
  }

  /** The calls in question; of those in loops over lists that are not known, the ones of any iteration. */
  #facts(isWanted: (fact: Fact) => boolean, what: What): readonly Fact[] {
    const found: Fact[] = [];
    const loops = new Set<AnyIteration>();
    for (const fact of this.#walk.facts) {
      if (!isWanted(fact)) continue;
      if (fact.loop === undefined) found.push(fact);
      else if (what !== "each") throw new NotFollowed(inLoop(what, fact), fact.path);
      else loops.add(fact.loop);
    }
    for (const loop of loops) found.push(...loop.again().facts.filter(isWanted));
    return found.sort((a, b) => a.position - b.position);
  }

  isOf(relation: Relation, { name }: Tool): boolean {
    if (relation.kind === "calls") return name === relation.tool;
    if (relation.kind !== "label") return false;
    return (this.#checked.labels.get(relation.label) ?? []).some((tool) => tool.name === name);
  }

  #rowOf(relation: Relation, fact: Fact): Row | undefined {
    if (!this.isOf(relation, fact.tool)) return undefined;
    if (relation.kind !== "label") return callRow(fact);
    const tools = this.#checked.labels.get(relation.label) ?? [];
    const fields = new Set(labelRowType(tools).fields.map((field) => field.name));
    const row = callRow(fact);
    return { ...row, value: cut(row.value, fields) };
  }

  #returnedRows({ result, guard, failed }: Fact, scene: Scene, what: What): readonly Row[] {
    const terms = this.#terms;
    const answered = terms.and(guard, terms.not(failed));
    if (result?.kind === "list")
      return result.items.map(({ present, value }) => ({ present: terms.and(answered, present), value }));
    if (result?.kind !== "opaque" || what !== "each")
      throw new NotFollowed("what is said of the rows of a list that is not known before the run", []);
    const number = scene.count();
    const made = terms.constant(`row@${number}`, "Bool");
    choose(result, { name: `row ${number}`, made }, scene);
    return scene.lists
      .chosen(result)
      .map((chosen) => ({ present: terms.and(answered, chosen.made), value: chosen.value }));
  }

  // ── formulas over rows ─────────────────────────────────────────────────────────────────────────────────

  #quantify(expr: QuantifierExpr, scene: Scene): Term {
    const terms = this.#terms;
    if (expr.over.in.kind === "cells") return this.#overCells(expr, scene);
    const rows = this.#select(expr.over, scene, () => compileBool(expr.body, scene), "each");
    if (expr.quantifier === "forall")
      return terms.and(...rows.map(({ present, value }) => terms.implies(present, value)));
    const total = this.#total(expr);
    const counted = total === undefined ? [] : [terms.apply("<=", terms.int(1), total)];
    // SOUNDNESS: for the choice with which the rows come to what is true, the number of calls comes to the same.
    return terms.or(...rows.map(({ present, value }) => terms.and(present, value)), ...counted);
  }

  #overCells({ over, body, quantifier }: QuantifierExpr, scene: Scene): Term {
    const terms = this.#terms;
    const cells = this.#cells(over, scene);
    return quantifier === "forall"
      ? everyCell(cells, (key, value) => {
          const chosen = this.#choose(over, cellRow(terms, key, value), scene);
          return terms.implies(chosen, compileBool(body, scene));
        })
      : someCell(cells, (key, value) => {
          const chosen = this.#choose(over, cellRow(terms, key, value), scene);
          return terms.and(chosen, compileBool(body, scene));
        });
  }

  #cells({ in: relation }: Selection, { count }: Scene): CellsContext {
    if (relation.kind !== "cells") throw new TypeError("cells were expected");
    const fluent = this.#checked.fluents.get(relation.fluent);
    if (fluent === undefined) throw new TypeError(`there is no fluent \`${relation.fluent}\``);
    return { terms: this.#terms, fluent, state: this.#state(relation.at), count };
  }

  /** Binds the row, and says when it is chosen. */
  #choose({ var: variable, where }: Selection, row: Symbolic, scene: Scene): Term {
    scene.names.set(variable, row);
    return where === undefined ? this.#terms.true : compileBool(where, scene);
  }

  #aggregate(expr: AggregateExpr, scene: Scene): Term {
    const { over } = expr;
    if (over.in.kind === "cells") {
      const says = (key: Term, value: Symbolic) =>
        this.#choose(over, cellRow(this.#terms, key, value), scene);
      return countCells(this.#cells(over, scene), says, scene.constrain);
    }
    const total =
      expr.aggregate === "count" || expr.aggregate === "sum" ? this.#total(expr, expr.aggregate) : undefined;
    if (total !== undefined) return total;
    const sort = sortOfNumber(expr, scene);
    const rows = this.addends(expr, scene, expr.aggregate);
    const otherwise = expr.otherwise === undefined ? undefined : this.#number(expr.otherwise, sort, scene);
    return combine(this.#terms, expr.aggregate, rows, sort, otherwise);
  }

  addends(expr: AggregateExpr, scene: Scene, what: What): { readonly present: Term; readonly value: Term }[] {
    const sort = sortOfNumber(expr, scene);
    return this.#select(expr.over, scene, () => this.#number(expr.value, sort, scene), what);
  }

  /** What the call adds to a count or a sum. */
  addend(total: Total, key: Term | undefined, fact: Fact, scene: Scene): Term {
    const terms = this.#terms;
    const sort = sortOfTotal(total, scene);
    const zero = terms.literal(0n, sort);
    const row = this.#rowOf(total.over.in, fact);
    if (row === undefined) return zero;
    const conditions = [row.present, this.#choose(total.over, row.value, scene)];
    if (total.only !== undefined) conditions.push(compileBool(total.only, scene));
    if (total.key !== undefined && key !== undefined)
      conditions.push(equalTerm(terms, compile(total.key.of, scene), scalar(key)));
    return terms.ite(terms.and(...conditions), this.#number(total.value, sort, scene), zero);
  }

  #number(expr: Expr | undefined, sort: "Int" | "Real", scene: Scene): Term {
    if (expr === undefined) return this.#terms.literal(1n, sort);
    const term = termOf(compile(expr, scene));
    return sort === "Real" ? this.#terms.toReal(term) : term;
  }

  /** Each row stands for its key: the aggregate of all rows with that key. */
  #perKey(expr: PerKeyExpr, scene: Scene): Term {
    const terms = this.#terms;
    const sort =
      expr.aggregate === "count" || (expr.value !== undefined && typeOf(expr.value, scene).kind === "int")
        ? "Int"
        : "Real";
    const counted = this.#total(expr);
    if (counted !== undefined) return this.#anyKey(expr, counted, scene);
    const rows = this.#select(
      expr.over,
      scene,
      () => ({ key: compile(expr.key, scene), number: this.#number(expr.value, sort, scene) }),
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
    return expr.quantifier === "forall" ? terms.and(...said) : terms.or(...said);
  }

  /** What is said of the key that was counted, if there is a call with it. */
  #anyKey(expr: PerKeyExpr, counted: Term, scene: Scene): Term {
    const terms = this.#terms;
    const number = expr.aggregate === "count" ? counted : this.#total(expr, "sum");
    if (number === undefined) throw new TypeError("a count was kept, and no sum");
    const present = terms.apply("<=", terms.int(1), counted);
    scene.names.set(expr.name, scalar(number));
    const holds = compileBool(expr.body, scene);
    return expr.quantifier === "forall" ? terms.implies(present, holds) : terms.and(present, holds);
  }

  #distinct(expr: DistinctExpr, scene: Scene): Term {
    const [terms, counted] = [this.#terms, this.#total(expr)];
    if (counted !== undefined) return terms.apply("<=", counted, terms.int(1));
    const rows = this.#select(expr.over, scene, () => compile(expr.key, scene), "distinct");
    return terms.and(...rowsApart(terms, rows));
  }
}
