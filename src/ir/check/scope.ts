/** The names that are visible at one place of a document. No name ever hides another. */
import type { Tool } from "../document.ts";
import type { Type } from "../type.ts";

export interface Binding {
  readonly type: Type;
  /** For a variable bound to a call: the tools it may be a call of. */
  readonly calls?: readonly Tool[];
}

export class Scope {
  readonly #bindings = new Map<string, Binding>();
  readonly #order: string[] = [];

  get(name: string): Binding | undefined {
    return this.#bindings.get(name);
  }

  names(): Iterable<string> {
    return this.#bindings.keys();
  }

  /** False if the name is taken. */
  declare(name: string, binding: Binding): boolean {
    if (this.#bindings.has(name)) return false;
    this.#bindings.set(name, binding);
    this.#order.push(name);
    return true;
  }

  /** Runs `body`; what it declared is gone afterwards. */
  inside<T>(body: () => T): T {
    const mark = this.#order.length;
    try {
      return body();
    } finally {
      for (const name of this.#order.splice(mark)) this.#bindings.delete(name);
    }
  }
}
