/** A place in a pattern, and how a pattern is refused. Part of what must be trusted. */
import type { Diagnostic } from "../diagnostic.ts";
import { quoted } from "../json/quoted.ts";

/** FC1317 for text that is no pattern, FC1410 for one that is too big. */
export type PatternCode = "FC1317" | "FC1410";

/** Thrown out of the reader of patterns, and caught where it was started. */
export class Refused extends Error {
  readonly problem: Diagnostic<PatternCode, never>;
  constructor(problem: Diagnostic<PatternCode, never>) {
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

  /** Matches a sticky expression at the current position. */
  takeMatch(expression: RegExp): readonly (string | undefined)[] | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text);
    if (found === null) return undefined;
    this.#at = expression.lastIndex;
    return found;
  }

  /** Takes a quantifier: the least and the greatest number of times, the latter undefined where there is none. */
  takeQuantifier(): readonly [least: number, most: number | undefined] | undefined {
    if (this.take("*")) return [0, undefined];
    if (this.take("+")) return [1, undefined];
    if (this.take("?")) return [0, 1];
    const braces = this.takeMatch(/\{(\d+)(,(\d*))?\}/y);
    if (braces === undefined) return undefined;
    const [text = "", low = "", comma, high = ""] = braces;
    const least = Number(low);
    const most = comma === undefined ? least : high === "" ? undefined : Number(high);
    if (most !== undefined && most < least)
      this.refuse(`${quoted(text)} asks for more at least than at most`);
    return [least, most];
  }

  since(position: number): string {
    return this.#text.slice(position, this.#at);
  }

  refuse(message: string, help?: string): never {
    throw new Refused({ code: "FC1317", message, ...(help === undefined ? {} : { help }) });
  }

  tooBig(why: string): never {
    throw new Refused({ code: "FC1410", message: `the pattern is too big: ${why}` });
  }
}
