/** The trusted tool modules by the names that documents use, with the files that declare them. */
import type { CompiledContract, CompiledTools, Declaration } from "../frontend/index.ts";
import type { Fluent, Tool } from "../ir/index.ts";

export interface Trusted<T> {
  readonly value: T;
  readonly file: string;
}

export class TrustedLayer {
  readonly tools: ReadonlyMap<string, Trusted<Tool>>;
  readonly fluents: ReadonlyMap<string, Trusted<Fluent>>;
  readonly contracts: ReadonlyMap<string, Trusted<CompiledContract>>;
  /** Every module file. */
  readonly modules: readonly string[];
  readonly #files: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(compiled: readonly CompiledTools[]) {
    const files = new Map<string, Set<string>>();
    const place = ({ kind, name, file }: Declaration) => {
      const key = keyOf(kind, name);
      files.set(key, (files.get(key) ?? new Set()).add(file));
    };
    for (const one of compiled) one.declarations.forEach(place);
    this.#files = files;
    this.tools = this.#placed(
      "tool",
      compiled.flatMap((one) => one.tools),
    );
    this.fluents = this.#placed(
      "fluent",
      compiled.flatMap((one) => one.fluents),
    );
    this.contracts = this.#placed(
      "contract",
      compiled.flatMap((one) => one.contracts),
    );
    const all = compiled.flatMap((one) => [...one.sources.keys()]);
    this.modules = [...new Set(all)].filter((path) => /\.[cm]?ts$/.test(path) && !path.endsWith(".d.ts"));
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** The files that declare it, if there are several. */
  rivals(kind: Declaration["kind"], name: string): readonly string[] {
    const files = this.#files.get(keyOf(kind, name)) ?? new Set();
    return files.size > 1 ? [...files].sort() : [];
  }

  #placed<T extends { readonly name: string }>(
    kind: Declaration["kind"],
    all: readonly T[],
  ): ReadonlyMap<string, Trusted<T>> {
    const found = new Map<string, Trusted<T>>();
    for (const value of all) {
      const [file] = this.#files.get(keyOf(kind, value.name)) ?? [];
      if (file !== undefined && !found.has(value.name)) found.set(value.name, { value, file });
    }
    return found;
  }
}

function keyOf(kind: Declaration["kind"], name: string): string {
  return `${kind} ${name}`;
}
