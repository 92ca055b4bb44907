/**
 * The state of fluents as a list of writes above the initial value (store chains). Reading a key is an if-then-else
 * over all writes, the latest first. Part of what must be trusted.
 */
import type { Checked, Fluent } from "../ir/index.ts";
import type { Expressions } from "./compile.ts";
import type { Term } from "./encode.ts";
import { asType, merge, type Plain, plain } from "./symbolic-value.ts";

export interface Write {
  readonly fluent: string;
  /** The condition of the write. */
  readonly guard: Term;
  readonly key: Term;
  readonly value: Plain;
}

/** Havoc: an arbitrary value for every key that a loop may have written. */
export interface Rewrite {
  readonly fluent: string;
  readonly guard: Term;
  readonly held: (key: Term) => Plain;
}

export type State = readonly (Write | Rewrite)[];

export function isWrite(write: Write | Rewrite): write is Write {
  return "key" in write;
}

/** LIMIT: of writes that are looked at by all reads together. */
const mostLooks = 2_000_000;

export class States {
  readonly #checked: Checked;
  readonly #at: Expressions;
  #looks = 0;

  constructor(checked: Checked, at: Expressions) {
    this.#checked = checked;
    this.#at = at;
  }

  fluent(name: string): Fluent {
    const fluent = this.#checked.fluents.get(name);
    if (fluent === undefined) throw new TypeError(`there is no fluent \`${name}\``);
    return fluent;
  }

  /** Reads a key after these writes (select over stores). */
  read(writes: State, name: string, key: Term): Plain {
    const { terms } = this.#at;
    this.#looks += writes.length;
    if (this.#looks > mostLooks) this.#at.refuse("a state with so many writes");
    let held = this.#initial(this.fluent(name), key);
    for (const write of writes) {
      if (write.fluent !== name) continue;
      const [happens, value] = isWrite(write)
        ? [terms.and(write.guard, this.#at.equal(plain(key), plain(write.key))), write.value]
        : [write.guard, write.held(key)];
      held = merge(terms, happens, value, held);
    }
    return held;
  }

  /** Without a declared value, a function of the key of which nothing else is known. */
  #initial({ name, value, initial }: Fluent, key: Term): Plain {
    if (initial === undefined) return this.#at.unknown(`initial ${name}`, [key], value);
    const found = this.#at.value(initial, new Map(), () => {
      throw new TypeError("an initial value is a constant");
    });
    return asType(this.#at.terms, found, value);
  }
}
