/** A place in a pattern, and how a pattern is refused. Part of what must be trusted. */

export interface PatternProblem {
  readonly kind: "bad" | "tooBig";
  /** One sentence, about the pattern. */
  readonly message: string;
  readonly help?: string;
}

/** Thrown out of the reader of patterns, and caught where it was started. */
export class Refused extends Error {
  readonly problem: PatternProblem;
  constructor(problem: PatternProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export class Cursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get position(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next code unit; empty at the end. */
  next(): string {
    return this.#text.charAt(this.#at++);
  }

  sees(sign: string): boolean {
    return this.#text.startsWith(sign, this.#at);
  }

  take(sign: string): boolean {
    const found = this.sees(sign);
    if (found) this.#at += sign.length;
    return found;
  }

  /** What a sticky expression finds here. */
  takeMatch(expression: RegExp): readonly (string | undefined)[] | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text);
    if (found === null) return undefined;
    this.#at = expression.lastIndex;
    return found;
  }

  since(position: number): string {
    return this.#text.slice(position, this.#at);
  }

  refuse(message: string, help?: string): never {
    throw new Refused({ kind: "bad", message, ...(help === undefined ? {} : { help }) });
  }

  tooBig(why: string): never {
    throw new Refused({ kind: "tooBig", message: `the pattern is too big: ${why}` });
  }
}
