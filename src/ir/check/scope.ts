/** The names that are visible at one place of a document. No name ever hides another. Part of what must be trusted. */
import type { Tool } from "../document.ts";
import type { Type } from "../type.ts";

export interface Binding {
  readonly type: Type;
  /** For a variable bound to a call: the tools it may be a call of. */
  readonly calls?: readonly Tool[];
}

/** Why a name that is taken cannot be read. */
export type Closed = "branch" | "carry";

interface Level {
  readonly bindings: Map<string, Binding>;
  /** Names in the order of their declaration. */
  readonly order: string[];
}

export class Scope {
  // One map a level rather than one for all: deleting from a big map again and again makes it rehash each time.
  readonly #levels: Level[] = [newLevel()];
  /** Names that are taken and cannot be read, because they are computed at the same time. */
  readonly #closed = new Map<string, Closed>();

  get(name: string): Binding | undefined {
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const binding = this.#levels[i]?.bindings.get(name);
      if (binding !== undefined) return binding;
    }
    return undefined;
  }

  /** Why the name cannot be read here, if it cannot. */
  closed(name: string): Closed | undefined {
    return this.#closed.get(name);
  }

  /** Lazy, because callers look at the first few only. */
  *names(): Generator<string> {
    for (const { bindings } of this.#levels)
      for (const name of bindings.keys()) if (!this.#closed.has(name)) yield name;
  }

  /** False if the name is taken; it then means the new thing all the same, so that one mistake is one problem. */
  declare(name: string, binding: Binding): boolean {
    const isFree = this.get(name) === undefined;
    const level = this.#levels.at(-1);
    level?.bindings.set(name, binding);
    if (isFree) level?.order.push(name);
    else this.#closed.delete(name);
    return isFree;
  }

  /** Runs `body`; what it declared is gone afterwards. */
  inside<T>(body: () => T): T {
    this.#levels.push(newLevel());
    try {
      return body();
    } finally {
      this.#levels.pop();
    }
  }

  /** Runs `body`, in which the names stay taken and cannot be read. */
  without(names: readonly string[], why: Closed, body: () => void): void {
    for (const name of names) this.#closed.set(name, why);
    try {
      body();
    } finally {
      for (const name of names) this.#closed.delete(name);
    }
  }

  /** Runs the bodies in turn; none reads what another declares, and what follows reads all of it. */
  apart(bodies: readonly (() => void)[]): void {
    const order = this.#levels.at(-1)?.order ?? [];
    const first = order.length;
    let open = first;
    try {
      for (const body of bodies) {
        for (; open < order.length; open++) this.#closed.set(order[open] ?? "", "branch");
        body();
      }
    } finally {
      for (const name of order.slice(first)) this.#closed.delete(name);
    }
  }
}

function newLevel(): Level {
  return { bindings: new Map(), order: [] };
}
