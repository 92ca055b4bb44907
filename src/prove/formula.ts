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
  TraceExpr,
} from "../ir/document.ts";
import { labelRowType } from "../ir/label-row.ts";
import { type CellsContext, countCells, everyCell, someCell } from "./cells.ts";
import { compile, compileBool, type Scene, termOf, typeOf } from "./compile.ts";
import type { Terms } from "./factory.ts";
import { type Fact, NotFollowed, type Walk } from "./facts.ts";
import { groupsOf, rowsApart } from "./groups.ts";
import { equalTerm } from "./shape.ts";
import type { State } from "./state.ts";
import { type RecordSymbolic, type Symbolic, scalar } from "./symbolic.ts";
import type { Term } from "./term.ts";
import type { Walker } from "./walk.ts";

/** A row that is there when `present` holds. */
interface Row {
  readonly present: Term;
  readonly value: Symbolic;
  readonly fact?: Fact;
}

/** The term of a guarantee's formula. Throws `NotFollowed`. */
export function formulaTerm(checked: Checked, terms: Terms, walked: Walker, formula: Expr): Term {
  const formulas = new Formulas(checked, terms, walked);
  return compileBool(
    formula,
    walked.formulaScene((expr, scene) => formulas.look(expr, scene)),
  );
}

/** What an aggregate that stands outside all quantifiers is made of. */
export function addends(
  checked: Checked,
  terms: Terms,
  walked: Walker,
  expr: AggregateExpr,
): { readonly present: Term; readonly value: Term }[] {
  const formulas = new Formulas(checked, terms, walked);
  return formulas.addends(
    expr,
    walked.formulaScene((inner, scene) => formulas.look(inner, scene)),
  );
}

class Formulas {
  readonly #checked: Checked;
  readonly #terms: Terms;
  readonly #walk: Walk;
  readonly #calls = new Map<string, Fact>();
  #now: State | undefined;

  constructor(checked: Checked, terms: Terms, walk: Walk) {
    this.#checked = checked;
    this.#terms = terms;
    this.#walk = walk;
  }

  look(expr: CellExpr | TraceExpr, scene: Scene): Symbolic {
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
        return scalar(this.#terms.bool(this.#call(expr.first).position < this.#call(expr.second).position));
      case "result": {
        const { failed, result } = this.#call(expr.call);
        return { kind: "option", present: this.#terms.not(failed), value: result };
      }
      case "flows":
        throw new NotFollowed("where a value came from", []);
    }
  }

  // ── states ─────────────────────────────────────────────────────────────────────────────────────────────

  #state(at: CellExpr["at"]): State {
    const { states } = this.#walk;
    const state = at === "now" ? this.#now : at === "initial" ? states[0] : states.at(-1);
    if (state === undefined) throw new TypeError("there is no such state");
    return state;
  }

  #always(body: Expr, scene: Scene): Term {
    const before = this.#now;
    const holds = this.#walk.states.map((state) => {
      this.#now = state;
      return compileBool(body, scene);
    });
    this.#now = before;
    return this.#terms.and(...holds);
  }

  // ── rows ───────────────────────────────────────────────────────────────────────────────────────────────

  #call(variable: string): Fact {
    const fact = this.#calls.get(variable);
    if (fact === undefined) throw new TypeError(`\`${variable}\` does not stand for a call`);
    return fact;
  }

  /** What `body` gives for each row, with the condition under which the row is there and chosen. */
  #select<T>(
    selection: Selection,
    scene: Scene,
    body: (row: Row) => T,
  ): { readonly present: Term; readonly value: T }[] {
    return this.#rows(selection.in).map((row) => {
      if (row.fact !== undefined) this.#calls.set(selection.var, row.fact);
      const chosen = this.#choose(selection, row.value, scene);
      return { present: this.#terms.and(row.present, chosen), value: body(row) };
    });
  }

  #rows(relation: Relation): readonly Row[] {
    const { facts } = this.#walk;
    switch (relation.kind) {
      case "calls":
        return facts.filter((fact) => fact.tool.name === relation.tool).map(callRow);
      case "label": {
        const tools = this.#checked.labels.get(relation.label) ?? [];
        const type = labelRowType(tools);
        const fields = new Set(type.fields.map((field) => field.name));
        const named = new Set(tools.map((tool) => tool.name));
        const rows = facts.filter((fact) => named.has(fact.tool.name)).map(callRow);
        return rows.map((row) => ({ ...row, value: cut(row.value, fields) }));
      }
      case "rows":
        return this.#returnedRows(relation.tool);
      case "cells":
        throw new NotFollowed("this use of a fluent", []);
    }
  }

  #returnedRows(tool: string): readonly Row[] {
    const { facts } = this.#walk;
    return facts
      .filter((fact) => fact.tool.name === tool)
      .flatMap(({ result, guard, failed }) => {
        if (result?.kind !== "list")
          throw new NotFollowed("what is said of the rows of a list that is not known before the run", []);
        const answered = this.#terms.and(guard, this.#terms.not(failed));
        return result.items.map(({ present, value }) => ({
          present: this.#terms.and(answered, present),
          value,
        }));
      });
  }

  // ── formulas over rows ─────────────────────────────────────────────────────────────────────────────────

  #quantify(expr: QuantifierExpr, scene: Scene): Term {
    const terms = this.#terms;
    if (expr.over.in.kind === "cells") return this.#overCells(expr, scene);
    const rows = this.#select(expr.over, scene, () => compileBool(expr.body, scene));
    if (expr.quantifier === "forall")
      return terms.and(...rows.map(({ present, value }) => terms.implies(present, value)));
    return terms.or(...rows.map(({ present, value }) => terms.and(present, value)));
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
    const sort = sortOfNumber(expr, scene);
    const rows = this.addends(expr, scene);
    const otherwise = expr.otherwise === undefined ? undefined : this.#number(expr.otherwise, sort, scene);
    return this.#combine(expr.aggregate, rows, sort, otherwise);
  }

  addends(expr: AggregateExpr, scene: Scene): { readonly present: Term; readonly value: Term }[] {
    return this.#select(expr.over, scene, () => this.#number(expr.value, sortOfNumber(expr, scene), scene));
  }

  #number(expr: Expr | undefined, sort: "Int" | "Real", scene: Scene): Term {
    if (expr === undefined) return this.#terms.literal(1n, sort);
    const term = termOf(compile(expr, scene));
    return sort === "Real" ? this.#terms.toReal(term) : term;
  }

  #combine(
    aggregate: AggregateExpr["aggregate"],
    rows: readonly { readonly present: Term; readonly value: Term }[],
    sort: "Int" | "Real",
    otherwise: Term | undefined,
  ): Term {
    const terms = this.#terms;
    const zero = terms.literal(0n, sort);
    if (aggregate === "count" || aggregate === "sum") {
      return terms.sum(
        rows.map(({ present, value }) => terms.ite(present, value, zero)),
        sort,
      );
    }
    let held: Term = otherwise ?? zero;
    let any: Term = terms.false;
    for (const { present, value } of rows) {
      const better = terms.ite(any, terms.apply(aggregate, held, value), value);
      held = terms.ite(present, better, held);
      any = terms.or(any, present);
    }
    return held;
  }

  /** Each row stands for its key: the aggregate of all rows with that key. */
  #perKey(expr: PerKeyExpr, scene: Scene): Term {
    const terms = this.#terms;
    const sort =
      expr.aggregate === "count" || (expr.value !== undefined && typeOf(expr.value, scene).kind === "int")
        ? "Int"
        : "Real";
    const rows = this.#select(expr.over, scene, () => ({
      key: compile(expr.key, scene),
      number: this.#number(expr.value, sort, scene),
    }));
    const said = groupsOf(terms, rows, ({ key }) => key).map(({ key, present, members }) => {
      const group = members.map((other) => ({
        present: terms.and(other.present, equalTerm(terms, key, other.value.key)),
        value: other.value.number,
      }));
      scene.names.set(expr.name, scalar(this.#combine(expr.aggregate, group, sort, undefined)));
      const holds = compileBool(expr.body, scene);
      return expr.quantifier === "forall" ? terms.implies(present, holds) : terms.and(present, holds);
    });
    return expr.quantifier === "forall" ? terms.and(...said) : terms.or(...said);
  }

  #distinct(expr: DistinctExpr, scene: Scene): Term {
    const terms = this.#terms;
    const rows = this.#select(expr.over, scene, () => compile(expr.key, scene));
    return terms.and(...rowsApart(terms, rows));
  }
}

function sortOfNumber(expr: Expr, scene: Scene): "Int" | "Real" {
  return typeOf(expr, scene).kind === "int" ? "Int" : "Real";
}

function callRow(fact: Fact): Row {
  return { present: fact.happened, value: fact.args, fact };
}

function cut(value: Symbolic, names: ReadonlySet<string>): RecordSymbolic {
  if (value.kind !== "record") throw new TypeError("a row is a record");
  return { kind: "record", fields: new Map([...value.fields].filter(([name]) => names.has(name))) };
}

function cellRow(terms: Terms, key: Term, value: Symbolic): RecordSymbolic {
  const fields = [
    ["key", { present: terms.true, value: scalar(key) }],
    ["value", { present: terms.true, value }],
  ] as const;
  return { kind: "record", fields: new Map(fields) };
}
