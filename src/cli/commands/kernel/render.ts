/** How commands on kernels and traces answer: with `--json` each answer is one line, also for problems. */

import { type Failure, problemsToJson } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Result } from "../../../ir/index.ts";
import {
  argText,
  type Check,
  canonicalText,
  type Evaluation,
  type Outcome,
  type Problem,
  textOf,
} from "../../../kernel/index.ts";
import { badInput, type ExitCode, fine, notSo } from "../../exit-code.ts";
import { failureText, lookOf, writeJsonLine } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import { paintFor } from "../../text/paint.ts";

export async function answered(
  host: Host,
  attempt: Result<ExitCode, Failure>,
  json: boolean | undefined,
): Promise<ExitCode> {
  return attempt.ok ? attempt.value : tellFailure(host, attempt, json);
}

export async function tellFailure(
  host: Host,
  failure: Failure,
  json: boolean | undefined,
): Promise<typeof badInput> {
  if (json) await writeJsonLine(host.stdout, { ok: false, problems: problemsToJson(failure) });
  else await host.stderr.write(failureText(failure, host.stderr));
  return badInput;
}

export function exitCodeOf({ verdict }: Pick<Evaluation, "verdict">): ExitCode {
  return verdict === "allowed" ? fine : notSo;
}

/** What became of an action, or would: `seq` and `hash` are then those of the last entry there is. */
export type Judged = Omit<Outcome, "checks"> & { readonly checks?: readonly Check[] };

/** One line of JSON. Values keep all their digits, which `JSON.stringify` would not do. */
export function judgedJson({
  verdict,
  reasons,
  seq,
  hash,
  version,
  receipt,
  checks,
  result,
}: Judged): string {
  const problems = (list: readonly Problem[]) => `[${list.map(problemJson).join(",")}]`;
  const warnings = warningsIn(checks);
  return [
    `{"verdict":${textOf(verdict)}`,
    `"reasons":${problems(reasons)}`,
    `"seq":${seq}`,
    `"hash":${textOf(hash)}`,
    `"version":${version}`,
    ...(receipt === undefined ? [] : [`"receipt":${textOf(receipt)}`]),
    ...(warnings.length === 0 ? [] : [`"warnings":${problems(warnings)}`]),
    ...(result === undefined ? [] : [`"result":${canonicalText(result)}`]),
  ]
    .join(",")
    .concat("}\n");
}

function problemJson({ code, message, reason, args }: Problem): string {
  return `{"code":${textOf(code)},"message":${textOf(message)},"reason":${textOf(reason)},"args":${argText(args)}}`;
}

/** Rules that only watch and do not hold. */
function warningsIn(checks: readonly Check[] | undefined): Problem[] {
  return (checks ?? []).flatMap(({ check, result, monitoring, code, message = "", reason, args = {} }) =>
    monitoring === true && result === "violated" && reason !== undefined
      ? [{ code: code ?? "invariant", message: `${check}: ${message}`, reason, args }]
      : [],
  );
}

/** The same for people: the verdict and what it is about, and below it why, or the receipt. */
export function judgedText(what: string, judged: Judged, place: string, output: Output): string {
  const { green, red, yellow, dim } = paintFor(lookOf(output));
  const { verdict, reasons, receipt } = judged;
  const word = verdict === "allowed" ? green(verdict) : red(verdict);
  const below = [
    // Of an invariant the message says so itself.
    ...reasons.map(({ code, message }) =>
      visibleText(code === "invariant" ? message : `${code}: ${message}`),
    ),
    ...warningsIn(judged.checks).map(({ message }) => `${yellow("warning")} ${visibleText(message)}`),
    ...(receipt === undefined ? [] : [`${dim("receipt")} ${receipt}`]),
  ];
  return [
    `${word}  ${visibleText(what)}  ${dim(place)}`,
    ...below.map((line) => `         ${line}`),
    "",
  ].join("\n");
}
