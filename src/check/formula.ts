/**
 * Guarantees as terms: a formula over the calls is written out, call by call, and is true in exactly the runs in which
 * the guarantee holds.
 * SOUNDNESS: what is said of every cell of a fluent is said of one key that stands for any. Whatever "for every key" and
 * "for some key" come to in a run, that key can be one for which the formula comes to the same; so what is shown for
 * every choice of it holds. What is said of other keys besides follows from "every", and from it "some" follows.
 * Part of what must be trusted.
 */
import type {
  AggregateExpr,
  AutomatonExpr,
  CellExpr,
  DistinctExpr,
  Expr,
  PerKeyExpr,
  QuantifierExpr,
  Relation,
  Selection,
  TraceExpr,
} from "../ir/document.ts";
import { finiteKeys } from "../ir/eval/keys.ts";
import { labelRowType } from "../ir/label-row.ts";
import type { Look, Names } from "./expression.ts";
import type { Call, Walk } from "./program.ts";
import type { Term } from "./script.ts";
import type { Write } from "./state.ts";
import { asType, type Plain, plain, sortOf, termOf } from "./value.ts";

interface Row<T> {
  readonly present: Term;
  readonly said: T;
}

export function formulaTerm(walk: Walk, formula: Expr): Term {
  const formulas = new Formulas(walk);
  return walk.at.bool(formula, walk.inputs(), formulas.look);
}

class Formulas {
  readonly #walk: Walk;
  readonly #calls = new Map<string, Call>();
  /** Below `always`: how many writes were made. */
  #now = 0;

  constructor(walk: Walk) {
    this.#walk = walk;
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
      case "precedes": {
        const place = (name: string) => this.#walk.calls.indexOf(this.#call(name));
        return at.terms.bool(place(expr.first) < place(expr.second));
      }
      case "flows":
      case "influenced":
      case "mayRead":
        return at.refuse("where a value came from");
      case "automaton":
        return this.#automaton(expr, names);
    }
  }

  /** In which of the states that are no error states it is, call by call: in none, once an error state was entered. */
  #automaton({ states, start, on, error }: AutomatonExpr, names: Names): Term {
    const { at, calls } = this.#walk;
    const { terms } = at;
    const kept = states.filter((state) => !error.includes(state));
    let now = new Map(kept.map((state) => [state, terms.bool(state === start)]));
    for (const call of calls) {
      const next = new Map<string, Term[]>(kept.map((state) => [state, []]));
      for (const [state, here] of now) {
        let stays = here;
        for (const { from, over, to } of on) {
          const taken = from === state ? this.#takes(over, call, names) : undefined;
          if (taken === undefined) continue;
          next.get(to)?.push(terms.and(stays, taken));
          stays = terms.and(stays, terms.not(taken));
        }
        next.get(state)?.push(stays);
      }
      now = new Map([...next].map(([state, ways]) => [state, terms.or(...ways)]));
    }
    return terms.or(...now.values());
  }

  /** Whether the call is there and chosen; undefined for one of another relation. */
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

  #writes(moment: CellExpr["at"]): readonly Write[] {
    const { writes } = this.#walk;
    if (moment === "final") return writes;
    return moment === "initial" ? [] : writes.slice(0, this.#now);
  }

  #always(body: Expr, names: Names): Term {
    const { at, moments } = this.#walk;
    const holds = moments.map((writes) => {
      this.#now = writes;
      return at.bool(body, names, this.look);
    });
    return at.terms.and(...holds);
  }

  // ── rows ───────────────────────────────────────────────────────────────────────────────────────────────

  #call(variable: string): Call {
    const call = this.#calls.get(variable);
    if (call === undefined) throw new TypeError(`\`${variable}\` does not stand for a call`);
    return call;
  }

  /** What is said of each call of the relation, with whether it is there and chosen. */
  #select<T>({ in: relation, var: name, where }: Selection, names: Names, say: () => T): Row<T>[] {
    const { at, calls } = this.#walk;
    if (relation.kind === "rows")
      return at.refuse("the rows of a list whose length is not known before the run");
    if (relation.kind === "cells") return at.refuse("this use of a fluent");
    return calls.flatMap((call) => {
      const row = this.#row(relation, call);
      if (row === undefined) return [];
      names.set(name, row);
      this.#calls.set(name, call);
      const chosen = where === undefined ? at.terms.true : at.bool(where, names, this.look);
      return [{ present: at.terms.and(call.happened, chosen), said: say() }];
    });
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
    const { at } = this.#walk;
    const { terms } = at;
    const body = () => at.bool(expr.body, names, this.look);
    const isEvery = expr.quantifier === "forall";
    const join = ({ present, said }: Row<Term>) =>
      isEvery ? terms.implies(present, said) : terms.and(present, said);
    const rows =
      expr.over.in.kind === "cells"
        ? this.#cells(expr.over, names, body).map(join)
        : this.#select(expr.over, names, body).map(join);
    return isEvery ? terms.and(...rows) : terms.or(...rows);
  }

  #aggregate(expr: AggregateExpr, names: Names): Term {
    const { at } = this.#walk;
    if (expr.over.in.kind === "cells") return this.#countCells(expr.over, names);
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
    if (kind === "count" || kind === "sum")
      return terms.sum(rows.map(({ present, said }) => terms.ite(present, said, terms.int(0))));
    let held = otherwise ?? terms.int(0);
    let found = terms.false;
    for (const { present, said } of rows) {
      const isBetter = kind === "min" ? terms.atMost(said, held) : terms.atMost(held, said);
      held = terms.ite(terms.and(present, terms.or(terms.not(found), isBetter)), said, held);
      found = terms.or(found, present);
    }
    return held;
  }

  /** Each row stands for its key: the aggregate of all rows with that key. */
  #perKey(expr: PerKeyExpr, names: Names): Term {
    const { at } = this.#walk;
    const { terms } = at;
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
    return expr.quantifier === "forall" ? terms.and(...said) : terms.or(...said);
  }

  #distinct(expr: DistinctExpr, names: Names): Term {
    const { at } = this.#walk;
    const { terms } = at;
    const rows = this.#select(expr.over, names, () => at.value(expr.key, names, this.look));
    const apart = rows.flatMap((row, i) =>
      rows.slice(i + 1).map((other) => {
        const same = at.equal(row.said, other.said);
        return terms.not(terms.and(row.present, other.present, same));
      }),
    );
    return terms.and(...apart);
  }

  // ── cells ──────────────────────────────────────────────────────────────────────────────────────────────

  /** What is said of the keys that are looked at: all where they are few, else one that stands for any, and those that are written or compared with it. */
  #cells({ in: relation, var: name, where }: Selection, names: Names, body: () => Term): Row<Term>[] {
    const { at, states } = this.#walk;
    if (relation.kind !== "cells") throw new TypeError("cells were expected");
    const fluent = states.fluent(relation.fluent);
    const writes = this.#writes(relation.at).filter((write) => write.fluent === fluent.name);
    const say = (key: Term): Row<Term> => {
      const value = states.read(writes, fluent.name, key);
      const parts = { key: plain(key), value };
      const fields = Object.entries(parts).map(
        ([part, held]) => [part, { present: at.terms.true, value: held }] as const,
      );
      names.set(name, { kind: "record", fields: new Map(fields) });
      const present = where === undefined ? at.terms.true : at.bool(where, names, this.look);
      return { present, said: body() };
    };
    const sort = sortOf(fluent.key);
    if (sort === undefined) throw new TypeError("a key is a scalar");
    const finite = finiteKeys(fluent.key);
    if (finite !== undefined) return finite.map((key) => say(at.terms.literal(key, sort)));
    const any = at.terms.constant(sort, `what is said of every cell of \`${fluent.name}\``);
    const { said, compared } = at.watching(any, () => say(any));
    // SOUNDNESS: only what can be a key is one of "every".
    const others = [...writes.map(({ key }) => key), ...compared].filter((key) => key.sort === sort);
    return [said, ...others.map(say)];
  }

  /** Of the keys that are never written it may be true of any number; more than any number is one that is large enough. */
  #countCells(over: Selection, names: Names): Term {
    const { at, states } = this.#walk;
    const { terms } = at;
    const { in: relation } = over;
    if (relation.kind !== "cells") throw new TypeError("cells were expected");
    const one = ({ present }: Row<Term>) => terms.ite(present, terms.int(1), terms.int(0));
    const { name, key } = states.fluent(relation.fluent);
    const rows = this.#cells(over, names, () => terms.true);
    if (finiteKeys(key) !== undefined) return terms.sum(rows.map(one));
    const writes = this.#writes(relation.at).filter((write) => write.fluent === name);
    const [other, ...rest] = rows;
    if (other === undefined) throw new TypeError("one key stands for all others");
    const counted = writes.map((write, i) => {
      const again = writes
        .slice(i + 1)
        .map((later) => terms.and(later.guard, terms.equal(later.key, write.key)));
      const present = rest[i]?.present ?? terms.false;
      return one({
        present: terms.and(write.guard, present, terms.not(terms.or(...again))),
        said: terms.true,
      });
    });
    if (other.present.value === false) return terms.sum(counted);
    const others = terms.constant("Int", `how many cells of \`${name}\` are never written`);
    at.assume(terms.atMost(terms.int(0), others));
    // If it is true of a key that is never written, the one that stands for any can be such a key.
    at.assume(terms.or(terms.equal(others, terms.int(0)), other.present));
    return terms.sum([...counted, others]);
  }
}
