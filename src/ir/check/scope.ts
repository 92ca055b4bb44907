/** The names that are visible at one place of a document. No name ever hides another. Part of what must be trusted. */
import type { Tool } from "../document.ts";
import type { Type } from "../type.ts";

export interface Binding {
  readonly type: Type;
  /** For a variable bound to a call: the tools it may be a call of. */
  readonly calls?: readonly Tool[];
}

export class Scope {
  // One map a level rather than one for all: deleting from a big map again and again makes it rehash each time.
  readonly #levels: Map<string, Binding>[] = [new Map()];

  get(name: string): Binding | undefined {
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const binding = this.#levels[i]?.get(name);
      if (binding !== undefined) return binding;
    }
    return undefined;
  }

  /** Lazy, because whoever asks looks at the first few only. */
  *names(): Generator<string> {
    for (const level of this.#levels) yield* level.keys();
  }

  /** False if the name is taken; it then means the new thing all the same, so that one mistake is one problem. */
  declare(name: string, binding: Binding): boolean {
    const isFree = this.get(name) === undefined;
    this.#levels.at(-1)?.set(name, binding);
    return isFree;
  }

  /** Runs `body`; what it declared is gone afterwards. */
  inside<T>(body: () => T): T {
    this.#levels.push(new Map());
    try {
      return body();
    } finally {
      this.#levels.pop();
    }
  }
}
