/**
 * What the fluents hold, as a chain of writes: reading a key asks the latest write of it that happens, and at the
 * end the initial value. No array of the solver is involved.
 * Part of what must be trusted.
 */
import type { Checked } from "../ir/check/index.ts";
import type { Fluent } from "../ir/document.ts";
import type { Type } from "../ir/type.ts";
import type { Terms } from "./factory.ts";
import { merge } from "./shape.ts";
import { escaped, type Symbolic, scalar, sortOf } from "./symbolic.ts";
import type { Term } from "./term.ts";

export interface SymbolicWrite {
  readonly guard: Term;
  readonly key: Term;
  readonly value: Symbolic;
}

/** The name of the function that gives the initial value of each key, where none is declared. */
export function initialName(fluent: string): string {
  return `initial@${escaped(fluent)}`;
}

export class State {
  readonly #terms: Terms;
  readonly #checked: Checked;
  readonly #initial: ReadonlyMap<string, Symbolic>;
  readonly #writes: ReadonlyMap<string, readonly SymbolicWrite[]>;

  constructor(
    terms: Terms,
    checked: Checked,
    initial: ReadonlyMap<string, Symbolic>,
    writes: ReadonlyMap<string, readonly SymbolicWrite[]> = new Map(),
  ) {
    this.#terms = terms;
    this.#checked = checked;
    this.#initial = initial;
    this.#writes = writes;
  }

  /** The state after these writes, of which later ones win. */
  after(fluent: string, writes: readonly SymbolicWrite[]): State {
    const all = new Map(this.#writes).set(fluent, [...this.writes(fluent), ...writes]);
    return new State(this.#terms, this.#checked, this.#initial, all);
  }

  writes(fluent: string): readonly SymbolicWrite[] {
    return this.#writes.get(fluent) ?? [];
  }

  read(name: string, key: Term): Symbolic {
    const terms = this.#terms;
    return this.writes(name).reduce(
      (held, { guard, key: written, value }) =>
        merge(terms, terms.and(guard, terms.equal(key, written)), value, held),
      this.initial(name, key),
    );
  }

  initial(name: string, key: Term): Symbolic {
    const known = this.#initial.get(name);
    if (known !== undefined) return known;
    const fluent = this.#checked.fluents.get(name);
    if (fluent === undefined) throw new TypeError(`there is no fluent \`${name}\``);
    return this.#unknown(fluent, fluent.value, initialName(name), key);
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
