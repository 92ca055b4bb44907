/**
 * The state of fluents as a chain of writes: reading a key is a choice of the latest write, and at the end the
 * initial value. It uses no SMT arrays. Part of what must be trusted.
 */
import type { Checked, Fluent, Type } from "../../ir/index.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { NotFollowed } from "./call-events.ts";
import { merge } from "./shape.ts";
import { escaped, type Symbolic, scalar, sortOf } from "./symbolic-value.ts";

export interface SymbolicWrite {
  readonly guard: Term;
  readonly key: Term;
  readonly value: Symbolic;
}

/** The name of the function that gives the initial value of each key, where none is declared. */
export function initialName(fluent: string): string {
  return `initial@${escaped(fluent)}`;
}

/** The writes of a fluent so far, the latest first: a state is one step longer than the one before it. */
interface Chain {
  readonly write: SymbolicWrite;
  readonly before: Chain | undefined;
}

/** Havoc: values of the keys that were not written since the fluent was forgotten. */
interface Base {
  readonly name: string;
  readonly read: (key: Term, value: Symbolic) => void;
  readonly met: Set<Term>;
}

/** LIMIT: of writes that are looked at, by all reads together; reads of unknown keys look at every write before them. */
const mostLooks = 20_000_000;

const noChains: ReadonlyMap<string, Chain> = new Map();
const noBases: ReadonlyMap<string, Base> = new Map();

export class State {
  readonly #terms: Terms;
  readonly #checked: Checked;
  readonly #initial: ReadonlyMap<string, Symbolic>;
  readonly #chains: ReadonlyMap<string, Chain>;
  readonly #looks: { count: number };
  /** The function that gives the value of each key that was not written since, where the initial one is forgotten. */
  readonly #bases: ReadonlyMap<string, Base>;
  /** Memoized reads, by key and fluent. */
  #read: Map<string, Symbolic> | undefined;

  constructor(
    terms: Terms,
    checked: Checked,
    initial: ReadonlyMap<string, Symbolic>,
    chains: ReadonlyMap<string, Chain> = noChains,
    looks = { count: 0 },
    bases: ReadonlyMap<string, Base> = noBases,
  ) {
    this.#terms = terms;
    this.#checked = checked;
    this.#initial = initial;
    this.#chains = chains;
    this.#looks = looks;
    this.#bases = bases;
  }

  /** The state after this write, which wins over earlier ones. */
  after(fluent: string, write: SymbolicWrite): State {
    const chains = new Map(this.#chains).set(fluent, { write, before: this.#chains.get(fluent) });
    return new State(this.#terms, this.#checked, this.#initial, chains, this.#looks, this.#bases);
  }

  /**
   * The state of which nothing is known of a fluent but that it has some value at every key.
   * @param read told of every key that is read, once
   */
  forgotten(fluent: string, name: string, read: Base["read"]): State {
    const chains = new Map(this.#chains);
    chains.delete(fluent);
    const base = { name: `since@${name}@${escaped(fluent)}`, read, met: new Set<Term>() };
    const bases = new Map(this.#bases).set(fluent, base);
    return new State(this.#terms, this.#checked, this.#initial, chains, this.#looks, bases);
  }

  /** The same state, but for a fluent, which is as in the other. */
  with(fluent: string, other: State): State {
    const [chain, base] = [other.#chains.get(fluent), other.#bases.get(fluent)];
    const [chains, bases] = [new Map(this.#chains), new Map(this.#bases)];
    chains.delete(fluent);
    bases.delete(fluent);
    if (chain !== undefined) chains.set(fluent, chain);
    if (base !== undefined) bases.set(fluent, base);
    return new State(this.#terms, this.#checked, this.#initial, chains, this.#looks, bases);
  }

  /** In the order in which they are made. */
  writes(fluent: string): readonly SymbolicWrite[] {
    const writes: SymbolicWrite[] = [];
    for (let at = this.#chains.get(fluent); at !== undefined; at = at.before) writes.push(at.write);
    return writes.reverse();
  }

  read(name: string, key: Term): Symbolic {
    const slot = `${key.id} ${name}`;
    const known = this.#read?.get(slot);
    if (known !== undefined) return known;
    const value = this.#readAnew(name, key);
    this.#read ??= new Map();
    this.#read.set(slot, value);
    return value;
  }

  #readAnew(name: string, key: Term): Symbolic {
    const terms = this.#terms;
    const may: { readonly here: Term; readonly value: Symbolic }[] = [];
    let held: Symbolic | undefined;
    for (let at = this.#chains.get(name); at !== undefined && held === undefined; at = at.before) {
      if (++this.#looks.count > mostLooks) throw new NotFollowed("a state with so many writes", []);
      const { guard, key: written, value } = at.write;
      if (areApart(key, written)) continue;
      const here = terms.and(guard, terms.equal(key, written));
      // What was written before a write that certainly happens does not matter.
      if (here === terms.true) held = value;
      else if (here !== terms.false) may.push({ here, value });
    }
    return may.reduceRight(
      (before, { here, value }) => merge(terms, here, value, before),
      held ?? this.initial(name, key),
    );
  }

  initial(name: string, key: Term): Symbolic {
    const base = this.#bases.get(name);
    const known = this.#initial.get(name);
    if (base === undefined && known !== undefined) return known;
    const fluent = this.#checked.fluents.get(name);
    if (fluent === undefined) throw new TypeError(`there is no fluent \`${name}\``);
    const value = this.#unknown(fluent, fluent.value, base?.name ?? initialName(name), key);
    if (base !== undefined && !base.met.has(key)) {
      base.met.add(key);
      base.read(key, value);
    }
    return value;
  }

  /** A function of the key: equal keys hold equal values, and nothing else is known. */
  #unknown(fluent: Fluent, type: Type, name: string, key: Term): Symbolic {
    const terms = this.#terms;
    const sort = sortOf(type);
    if (sort !== undefined) return scalar(terms.unknown(name, [key], sort));
    if (type.kind === "option") {
      const present = terms.unknown(`${name}?`, [key], "Bool");
      return { kind: "option", present, value: this.#unknown(fluent, type.value, `${name}!`, key) };
    }
    if (type.kind === "record") {
      const fields = type.fields.map((field) => {
        const at = `${name}.${escaped(field.name)}`;
        const present = field.optional ? terms.unknown(`${at}?`, [key], "Bool") : terms.true;
        return [field.name, { present, value: this.#unknown(fluent, field.type, at, key) }] as const;
      });
      return { kind: "record", fields: new Map(fields) };
    }
    return { kind: "opaque", key: `${name}(${key.id})`, type };
  }
}

/** Returns true for different literals of one sort. */
export function areApart(a: Term, b: Term): boolean {
  return a.kind === "literal" && b.kind === "literal" && a.sort === b.sort && a !== b;
}
