/**
 * Formulas with states of their own: what fluents hold in the end, and in any state between, is any value, as if they were
 * other fluents of which nothing is known. What then follows, follows whatever calls set. What is assumed of some key has a
 * key with a name, and what is assumed of every key is assumed of those.
 * SOUNDNESS: the end of a run and the states of `always` are among all states, and for a trace as it is assumed to be there
 * are such states and keys; so what is assumed is only weaker.
 */
import {
  type AggregateExpr,
  type Expr,
  type Field,
  type Fluent,
  mapParts,
  mapSelections,
  type QuantifierExpr,
  type Selection,
} from "../ir/index.ts";
import { distinctKeys, leastCount, subsets } from "./counted-cells.ts";
import { allOf, anyOf, negated, no, yes } from "./logic.ts";
import { openNames, ours } from "./names.ts";

/** A named state or key: a statement about it is one about every state and every key. */
export interface Named {
  /** The number of states in which something that must always hold does not. */
  readonly states: number;
  /** By fluent. */
  readonly keys: ReadonlyMap<string, readonly Expr[]>;
}

export interface WithStates {
  readonly assumed: readonly Expr[];
  readonly denied: Expr;
  /** Those that were made up among them. */
  readonly fluents: readonly Fluent[];
  /** The keys that have a name. */
  readonly inputs: readonly Field[];
}

/** LIMIT: what is said of every state and key makes others to speak of; of later ones nothing is said. */
const rounds = 3;

export function withAnyStates(given: readonly Expr[], goal: Expr, fluents: readonly Fluent[]): WithStates {
  let named: Named = { states: 0, keys: new Map() };
  let last: WithStates | undefined;
  for (let round = 0; round < rounds; round++) {
    const any = new AnyState(fluents, named);
    const denied = any.of(goal, false);
    const assumed = given.map((one) => any.of(one, true));
    last = { assumed, denied, fluents: [...fluents, ...any.fluents], inputs: any.inputs };
    named = any.named;
  }
  if (last === undefined) throw new TypeError("there is a round");
  return last;
}

interface Place {
  readonly assumed: boolean;
  /** True for a statement about each of some rows: it cannot have a name, since there may be another for each. */
  readonly each: boolean;
  /** The meaning of `now`. */
  readonly state: string | undefined;
}

class AnyState {
  readonly #known: Named;
  readonly #fluents: ReadonlyMap<string, Fluent>;
  readonly #made = new Map<string, Fluent>();
  readonly #inputs = new Map<string, Field>();
  readonly #keys = new Map<string, Map<string, Expr>>();
  readonly #counts = new Map<string, number>();
  #broken = 0;

  constructor(fluents: readonly Fluent[], known: Named) {
    this.#fluents = new Map(fluents.map((fluent) => [fluent.name, fluent]));
    this.#known = known;
    // SOUNDNESS: a key that is spoken of has to be there, whether it is named again or not.
    for (const [fluent, keys] of known.keys) for (const key of keys) this.#note(fluent, key);
  }

  get fluents(): readonly Fluent[] {
    return [...this.#made.values()];
  }

  get inputs(): readonly Field[] {
    return [...this.#inputs.values()];
  }

  get named(): Named {
    const keys = Array.from(this.#keys, ([fluent, byText]) => [fluent, [...byText.values()]] as const);
    return { states: this.#broken, keys: new Map(keys) };
  }

  /** @param assumed whether the formula is taken to hold, or not to hold */
  of(expr: Expr, assumed: boolean): Expr {
    return this.#formula(expr, { assumed, each: false, state: undefined });
  }

  #formula(expr: Expr, at: Place): Expr {
    const turned = { ...at, assumed: !at.assumed };
    switch (expr.kind) {
      case "op": {
        const [first, second] = expr.args;
        if (expr.op === "and" || expr.op === "or")
          return { ...expr, args: expr.args.map((arg) => this.#formula(arg, at)) };
        if (expr.op === "not" && first !== undefined)
          return { ...expr, args: [this.#formula(first, turned)] };
        if (expr.op === "implies" && first !== undefined && second !== undefined)
          return { ...expr, args: [this.#formula(first, turned), this.#formula(second, at)] };
        return this.#compared(expr, at) ?? this.#value(expr, at);
      }
      case "quantifier":
        return this.#quantifier(expr, at);
      case "always":
        return this.#always(expr.body, at);
      default:
        return this.#value(expr, at);
    }
  }

  #quantifier(expr: QuantifierExpr, at: Place): Expr {
    const { over, quantifier, body } = expr;
    const isSome = (quantifier === "exists") === at.assumed;
    const inside = { ...at, each: at.each || !isSome };
    if (over.in.kind === "cells" && this.#which(over.in.at, at) !== "initial") {
      const { fluent, at: moment } = over.in;
      const said = (key: Expr) => {
        const row = rowOf(key, fluent, moment);
        const [where, holds] = [
          over.where && replaced(over.where, over.var, row),
          replaced(body, over.var, row),
        ];
        const chosen = where === undefined ? holds : when(quantifier, where, holds);
        return this.#formula(chosen, isSome ? at : inside);
      };
      if (isSome && !at.each) return said(this.#newKey(fluent));
      if (!isSome) {
        const instances = (this.#known.keys.get(fluent) ?? []).map(said);
        const whole = this.#value(expr, at);
        return quantifier === "forall" ? allOf([whole, ...instances]) : anyOf([whole, ...instances]);
      }
    }
    const chosen = this.#selection(over, at);
    const where = over.where && this.#value(over.where, at);
    return {
      ...expr,
      over: where === undefined ? chosen : { ...chosen, where },
      body: this.#formula(body, inside),
    };
  }

  #always(body: Expr, at: Place): Expr {
    if (at.assumed) {
      const others = Array.from({ length: this.#known.states }, (_, i) => `state${i}`);
      const args = ["initial", "final", ...others].map((state) => this.#formula(body, { ...at, state }));
      return allOf(args);
    }
    // SOUNDNESS: for each of some calls it may be another state, for which there is no name; then nothing is assumed.
    if (at.each) return no;
    return this.#formula(body, { ...at, state: `state${this.#broken++}` });
  }

  /** The number of cells, compared with a number: so many keys with a name, or not so many of those that have one. */
  #compared(expr: Extract<Expr, { readonly kind: "op" }>, at: Place): Expr | undefined {
    const found = leastCount(expr, at.assumed);
    if (found === undefined) return undefined;
    const { count, most, least } = found;
    const { over } = count;
    if (over.in.kind !== "cells" || this.#which(over.in.at, at) === "initial") return undefined;
    const { fluent } = over.in;
    const parts: Expr[] = [];
    if (least !== undefined) {
      if (at.each) return undefined;
      const keys = Array.from({ length: least }, () => this.#newKey(fluent));
      parts.push(
        distinctKeys(keys),
        ...keys.map((key) => this.#chosen(count, key, { ...at, assumed: true })),
      );
    }
    if (most !== undefined)
      for (const keys of subsets(this.#known.keys.get(fluent) ?? [], most + 1)) {
        const all = keys.map((key) => this.#chosen(count, key, { ...at, assumed: false }));
        parts.push(negated(allOf([distinctKeys(keys), ...all])));
      }
    const holds = allOf(parts);
    return at.assumed ? holds : negated(holds);
  }

  /** Returns the formula that the cell is one of those that are counted. */
  #chosen({ over }: AggregateExpr, key: Expr, at: Place): Expr {
    if (over.in.kind !== "cells" || over.where === undefined) return yes;
    return this.#formula(replaced(over.where, over.var, rowOf(key, over.in.fluent, over.in.at)), at);
  }

  /** Returns the expression, which is not taken apart, with its states replaced. */
  #value(expr: Expr, at: Place): Expr {
    // It is neither assumed to hold nor not to, so it stays what it is, and is removed as a whole later.
    if (expr.kind === "always") return expr;
    const copied = mapSelections(
      mapParts(expr, (part) => this.#value(part, at)),
      (over) => this.#selection(over, at),
    );
    if (copied.kind !== "cell") return copied;
    this.#note(copied.fluent, copied.key);
    return { ...copied, at: "initial", fluent: this.#fluent(copied.fluent, this.#which(copied.at, at)) };
  }

  #selection(over: Selection, at: Place): Selection {
    if (over.in.kind !== "cells") return over;
    const fluent = this.#fluent(over.in.fluent, this.#which(over.in.at, at));
    return { ...over, in: { kind: "cells", at: "initial", fluent } };
  }

  #which(moment: string, { state }: Place): string {
    return moment === "now" ? (state ?? "now") : moment;
  }

  #fluent(name: string, which: string): string {
    if (which === "initial") return name;
    const own = `${name}_${ours}${which}`;
    const fluent = this.#fluents.get(name);
    if (fluent !== undefined) this.#made.set(own, { name: own, key: fluent.key, value: fluent.value });
    return own;
  }

  #newKey(fluent: string): Expr {
    const count = this.#counts.get(fluent) ?? 0;
    this.#counts.set(fluent, count + 1);
    const key: Expr = { kind: "var", name: this.#keyName(fluent, count) };
    this.#note(fluent, key);
    return key;
  }

  #keyName(fluent: string, count: number): string {
    return `${ours}k${[...this.#fluents.keys()].indexOf(fluent)}_${count}`;
  }

  /** Remembers a key that has a name, or that is a constant; one that depends on a call is not spoken of elsewhere. */
  #note(fluent: string, key: Expr): void {
    const type = this.#fluents.get(fluent)?.key;
    const [name, ...others] = openNames(key);
    if (type === undefined || others.length > 0) return;
    if (name !== undefined) {
      if (key.kind !== "var" || !name.startsWith(`${ours}k`)) return;
      this.#inputs.set(name, { name, type });
    }
    const known = this.#keys.get(fluent) ?? new Map<string, Expr>();
    this.#keys.set(
      fluent,
      known.set(
        JSON.stringify(key, (_, part) => (typeof part === "bigint" ? `${part}n` : part)),
        key,
      ),
    );
  }
}

/** `where` and what is said, of one row. */
function when(quantifier: "forall" | "exists", where: Expr, holds: Expr): Expr {
  const op = quantifier === "forall" ? "implies" : "and";
  return { kind: "op", op, args: [where, holds] };
}

function rowOf(key: Expr, fluent: string, at: "initial" | "now" | "final"): Expr {
  const value: Expr = { kind: "cell", at, fluent, key };
  return {
    kind: "record",
    fields: [
      { name: "key", value: key },
      { name: "value", value },
    ],
  };
}

/** Returns the expression with the row in the place of its name; a field of the row is the value it was made of. */
function replaced(expr: Expr, name: string, row: Expr): Expr {
  if (expr.kind === "var" && expr.name === name) return row;
  const made = mapParts(expr, (part) => replaced(part, name, row));
  if (made.kind !== "field" || made.of.kind !== "record") return made;
  return made.of.fields.find((field) => field.name === made.name && !field.optional)?.value ?? made;
}
