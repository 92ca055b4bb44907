/** Where a node and its parts stand. A text has many nodes and few problems: only what is asked for becomes objects. */
import type { Span } from "../diagnostic.ts";
import type { NodeSpans } from "../spans.ts";

/** Where a part stands that is no object of its own: a name, a word, a string in a list. */
export interface Part extends Span {
  readonly part: string | number;
}

export type Parts = Part | readonly Part[] | undefined;

export function part(name: string | number, { start, end }: Span): Part {
  return { part: name, start, end };
}

export class CompactSpans implements NodeSpans {
  readonly #start: number;
  readonly #end: number;
  readonly #parts: Parts;

  constructor(start: number, end: number, parts: Parts) {
    this.#start = start;
    this.#end = end;
    this.#parts = parts;
  }

  get self(): Span {
    return { start: this.#start, end: this.#end };
  }

  get parts(): Map<string | number, Span> {
    const parts = this.#parts === undefined ? [] : "part" in this.#parts ? [this.#parts] : this.#parts;
    return new Map(parts.map(({ part: name, start, end }) => [name, { start, end }]));
  }
}
