/** Tells of bad input, always in one way. */

import { type Failure, plainFailure, problemsToJson, systemWords } from "../app/index.ts";
import type { PlainJson } from "../ir/index.ts";
import { renderProblems } from "./diagnostics.ts";
import { badInput } from "./exit-code.ts";
import type { Host, Output } from "./host.ts";
import { jsonPieces } from "./text/json-text.ts";

export async function reportFailure(host: Host, failure: Failure, json: boolean): Promise<typeof badInput> {
  if (json) await writeJson(host.stdout, { ok: false, problems: problemsToJson(failure) });
  else await host.stderr.write(failureText(failure, host.stderr));
  return badInput;
}

/** Tells of bad input that has no place in a text. */
export function reportPlain(
  host: Host,
  json: boolean,
  ...failure: Parameters<typeof plainFailure>
): Promise<typeof badInput> {
  return reportFailure(host, plainFailure(...failure), json);
}

/** Tells that standard output could not be written. */
export function reportLostOutput(host: Host, systemCode: string): Promise<typeof badInput> {
  const message = `cannot write to standard output: ${systemWords(systemCode)}`;
  return reportPlain(host, false, "FC9004", message);
}

export function failureText({ file = "", source = "", problems }: Failure, output: Output): string {
  return renderProblems({ file, source, problems }, { ...lookOf(output), columns: columnsOf(output) });
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
