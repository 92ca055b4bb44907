/** Bad input, as data: which file, its text if it has one, and the problems in it. */
import type { Diagnostic, Path } from "../ir/index.ts";
import type { CliCode } from "./codes.ts";

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  /** Without one the problem is shown without a frame. */
  readonly span?: Place;
  /** The text beside the mark of its own place. */
  readonly mark?: string;
  readonly labels?: readonly Label[];
  /** The kind of problem; the default is `error`. */
  readonly title?: string;
}

/** Offsets in UTF-16 code units; `end` is exclusive. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A further place that has to do with the problem. */
export interface Label {
  readonly span: Place;
  readonly text: string;
}

export interface Failure {
  /** Absent when the problem is with no file. */
  readonly file?: string;
  readonly source?: string;
  readonly problems: readonly FailureProblem[];
  /** Set where the cause is the moment or the machine, and nothing is wrong with the input. */
  readonly isPassing?: true;
}

export interface FailureProblem extends Problem {
  readonly path: Path;
}

export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

export function attained<T>(value: T): Attempt<T> {
  return { ok: true, value };
}

export function failedAttempt(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure };
}

/** A failure that has no place in a text. */
export function plainFailure(code: CliCode, message: string, help?: string): Failure {
  const problem = { code, message, path: [] };
  return { problems: [help === undefined ? problem : { ...problem, help }] };
}

/** Problems in a text, in its order. One without a place of its own stands for all that the text says. */
export function textFailure(file: string, source: string, problems: readonly Diagnostic[]): Failure {
  const start = source.length - source.trimStart().length;
  const whole = { start, end: Math.max(start, source.trimEnd().length) };
  const placed = problems.map(({ span = whole, ...problem }) => ({ ...problem, span }));
  return { file, source, problems: placed.sort((a, b) => a.span.start - b.span.start) };
}
