/** Bad input, as data: which file, its text if it has one, and what is wrong. And how it is told, always in one way. */
import type { Diagnostic, Path, PlainJson } from "../ir/index.ts";
import type { CliCode } from "./codes.ts";
import { type Problem, renderProblems } from "./diagnostics.ts";
import { badInput } from "./exit-code.ts";
import type { Output, Terminal } from "./terminal.ts";
import { jsonPieces } from "./text/json-text.ts";
import { Lines } from "./text/lines.ts";

export interface Failure {
  /** Absent when the problem is with no file. */
  readonly file?: string;
  readonly source?: string;
  readonly problems: readonly FailureProblem[];
  /** Whether it is a matter of the moment or of the machine, and says nothing of what could not be used. */
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

export async function reportFailure(
  terminal: Terminal,
  failure: Failure,
  json: boolean,
): Promise<typeof badInput> {
  if (json) await writeJson(terminal.stdout, { ok: false, problems: problemsToJson(failure) });
  else await terminal.stderr.write(failureText(failure, terminal.stderr));
  return badInput;
}

export function failureText({ file = "", source = "", problems }: Failure, output: Output): string {
  return renderProblems({ file, source, problems }, { ...lookOf(output), columns: columnsOf(output) });
}

/** Lines and columns from 1, columns in UTF-16 code units; the end is exclusive. */
export function problemsToJson({ file, source, problems }: Failure): PlainJson[] {
  const lines = source === undefined ? undefined : new Lines(source);
  return problems.map(({ code, message, path, span, help }) => {
    const place = lines && span && placeToJson(lines, span);
    return {
      code,
      message,
      path,
      ...(file === undefined ? {} : { file }),
      ...place,
      ...(help === undefined ? {} : { help }),
    };
  });
}

export async function writeJson(output: Output, value: PlainJson): Promise<void> {
  for (const piece of jsonPieces(value)) await output.write(piece);
}

/** As one line of JSON Lines. */
export async function writeJsonLine(output: Output, value: PlainJson): Promise<void> {
  for (const piece of jsonPieces(value, "one line")) await output.write(piece);
}

/** Where there is no terminal to fit, lines may be a little longer. */
export function columnsOf({ columns }: Output): number {
  return Math.max(40, columns ?? 100);
}

export function lookOf({ colour, unicode }: Output): { readonly colour: boolean; readonly unicode: boolean } {
  return { colour, unicode };
}

function placeToJson(lines: Lines, { start, end }: { readonly start: number; readonly end: number }) {
  const from = lines.positionOf(start);
  const to = lines.positionOf(Math.max(start, end));
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}
