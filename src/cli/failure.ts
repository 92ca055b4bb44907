/** Reports bad input, always in one way, and writes data. */

import { type Failure, plainFailure, problemsToJson, systemWords } from "../app/index.ts";
import type { PlainJson } from "../ir/index.ts";
import { renderProblems } from "./diagnostics.ts";
import { badInput } from "./exit-code.ts";
import type { Host, Output } from "./host.ts";
import { jsonPieces } from "./text/json-text.ts";
import { type Look, type Paint, paintFor } from "./text/paint.ts";

export async function reportFailure(
  host: Host,
  failure: Failure,
  json: boolean,
  layout?: "one line" | "laid out",
): Promise<typeof badInput> {
  if (json) await writeJson(host.stdout, { ok: false, problems: problemsToJson(failure) }, layout);
  else await host.stderr.write(failureText(failure, host.stderr));
  return badInput;
}

/** Reports bad input that has no place in a text. */
export function reportPlain(
  host: Host,
  json: boolean,
  ...failure: Parameters<typeof plainFailure>
): Promise<typeof badInput> {
  return reportFailure(host, plainFailure(...failure), json);
}

/** Reports that standard output could not be written. */
export function reportLostOutput(host: Host, systemCode: string): Promise<typeof badInput> {
  const message = `cannot write to standard output: ${systemWords(systemCode)}`;
  return reportPlain(host, false, "FC9004", message);
}

export function failureText({ file = "", source = "", problems }: Failure, output: Output): string {
  return renderProblems({ file, source, problems }, { ...lookOf(output), columns: columnsOf(output) });
}

/** Writes a value as JSON, in pieces: a long one exceeds the longest string of JavaScript. */
export async function writeJson(
  output: Output,
  value: PlainJson,
  layout?: "one line" | "laid out",
): Promise<void> {
  for (const piece of jsonPieces(value, layout)) await output.write(piece);
}

/** Writes a value as one line of JSON Lines. */
export function writeJsonLine(output: Output, value: PlainJson): Promise<void> {
  return writeJson(output, value, "one line");
}

/** Returns the width for text. Without a terminal, lines may be a little longer. */
export function columnsOf({ columns }: Output): number {
  return Math.max(40, columns ?? 100);
}

export function lookOf({ colour, unicode }: Output): Look {
  return { colour, unicode };
}

export function paintOf(output: Output): Paint {
  return paintFor(lookOf(output));
}
