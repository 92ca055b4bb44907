/** Bad input, as data: which file, its text if it has one, and the problems in it. */
import type { Diagnostic, Failed } from "../ir/index.ts";
import type { CliCode } from "./codes.ts";

/** Failure of a `Result`: the problems, with the file that they are in. */
export interface Failure extends Failed<Diagnostic<string>> {
  /** Absent when the problem is with no file. */
  readonly file?: string;
  readonly source?: string;
  /** Set where the cause is the moment or the machine, and nothing is wrong with the input. */
  readonly isPassing?: true;
}

/** Returns the first of them, which is the cause of the others. */
export function firstFailure([first = { ok: false, problems: [] }]: readonly Failure[]): Failure {
  return first;
}

/** A failure that has no place in a text. */
export function plainFailure(code: CliCode, message: string, help?: string): Failure {
  const problem = { code, message, path: [] };
  return { ok: false, problems: [help === undefined ? problem : { ...problem, help }] };
}

/** Problems in a text, in its order. One without a place of its own stands for all that the text says. */
export function textFailure(file: string, source: string, problems: readonly Diagnostic[]): Failure {
  const start = source.length - source.trimStart().length;
  const whole = { start, end: Math.max(start, source.trimEnd().length) };
  const placed = problems.map(({ span = whole, ...problem }) => ({ ...problem, span }));
  return { ok: false, file, source, problems: placed.sort((a, b) => a.span.start - b.span.start) };
}
