/** Spans of nodes and their parts. A text has many nodes and few problems, so objects are created on demand. */
import type { Span } from "../diagnostic.ts";
import type { NodeSpans } from "../spans.ts";

/** Span of a part that is not an object: a name, a word, a string in a list. */
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
