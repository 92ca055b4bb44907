/**
 * Matches a text against a regular language in linear time: a nondeterministic automaton that follows all ways at
 * once. Part of what must be trusted.
 */
import { append } from "../append.ts";
import type { Language } from "./language.ts";
import { hasUnit, type Units } from "./units.ts";

/** A transition: on a code unit of `on`, or without input. */
interface State {
  readonly on: Units | undefined;
  readonly next: number[];
}

export class Automaton {
  readonly #states: State[] = [];
  readonly #start: number;
  readonly #end: number;
  /** Maximum cost of one code unit: states, and ranges to search. */
  readonly weight: number;

  constructor(language: Language) {
    this.#end = this.#add(undefined, []);
    this.#start = this.#build(language, this.#end);
    this.weight = this.#states.reduce((sum, { on }) => sum + 1 + (on?.length ?? 0), 0);
  }

  accepts(text: string): boolean {
    let reached = this.first();
    for (let i = 0; i < text.length && reached.length > 0; i++)
      reached = this.after(reached, text.charCodeAt(i));
    return this.isEnd(reached);
  }

  /** The states before the first code unit. */
  first(): readonly number[] {
    return this.#closure([this.#start]);
  }

  /** The states after one more code unit. */
  after(reached: readonly number[], code: number): readonly number[] {
    const after: number[] = [];
    for (const at of reached) {
      const { on, next } = this.#state(at);
      if (on !== undefined && hasUnit(on, code)) append(after, next);
    }
    return this.#closure(after);
  }

  /** Returns true if the text may end here. */
  isEnd(reached: readonly number[]): boolean {
    return reached.includes(this.#end);
  }

  /** Returns the boundaries of equivalent code units: all from one to the next lead to the same states. */
  cuts(): readonly number[] {
    return this.#states.flatMap(({ on }) => on?.flatMap(([first, last]) => [first, last + 1]) ?? []);
  }

  /** All states that are reached without a code unit more, each once. */
  #closure(from: readonly number[]): readonly number[] {
    const seen = new Set(from);
    // A set that grows while it is walked is walked to its new end.
    for (const at of seen) {
      const { on, next } = this.#state(at);
      if (on === undefined) for (const one of next) seen.add(one);
    }
    return [...seen];
  }

  /** The state from which what is left of the text must be of the language, then of what `next` takes. */
  #build(language: Language, next: number): number {
    switch (language.kind) {
      case "one":
        return this.#add(language.of, [next]);
      case "sequence":
        return language.parts.reduceRight((after, part) => this.#build(part, after), next);
      case "choice":
        return this.#add(
          undefined,
          language.parts.map((part) => this.#build(part, next)),
        );
      case "repeat":
        return this.#repeat(language.of, language.least, language.most, next);
    }
  }

  #repeat(of: Language, least: number, most: number | undefined, next: number): number {
    let start = next;
    if (most === undefined) {
      const loop: number[] = [next];
      start = this.#add(undefined, loop);
      loop.push(this.#build(of, start));
    } else for (let i = least; i < most; i++) start = this.#add(undefined, [next, this.#build(of, start)]);
    for (let i = 0; i < least; i++) start = this.#build(of, start);
    return start;
  }

  #add(on: Units | undefined, next: number[]): number {
    return this.#states.push({ on, next }) - 1;
  }

  #state(at: number): State {
    const state = this.#states[at];
    if (state === undefined) throw new TypeError("an automaton has no such state");
    return state;
  }
}
