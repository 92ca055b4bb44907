/** Verdicts and the status of a kernel as JSON. Values keep all their digits, which `JSON.stringify` would not do. */
import { argText, type Check, canonicalText, type Problem, type Status, textOf } from "../../kernel/index.ts";
import type { JudgedAction } from "../ledger/steps.ts";

/** Returns one line of JSON. */
export function judgedJson(judged: JudgedAction): string {
  const { verdict, reasons, seq, hash, version, receipt, checks, result, folded } = judged;
  const problems = (list: readonly Problem[]) => `[${list.map(problemJson).join(",")}]`;
  const warnings = warningsIn(checks);
  return objectLine([
    `"verdict":${textOf(verdict)}`,
    `"reasons":${problems(reasons)}`,
    `"seq":${seq}`,
    `"hash":${textOf(hash)}`,
    `"version":${version}`,
    ...(receipt === undefined ? [] : [`"receipt":${textOf(receipt)}`]),
    ...(warnings.length === 0 ? [] : [`"warnings":${problems(warnings)}`]),
    ...(folded === undefined ? [] : ['"folded":true']),
    ...(result === undefined ? [] : [`"result":${canonicalText(result)}`]),
  ]);
}

/** Returns one line of JSON. */
export function statusJson(status: Status): string {
  const { version, state, steps, budgets, inDoubt, seq, head, refusals, stopped, principals } = status;
  return objectLine([
    `"version":${version}`,
    `"state":${state}`,
    `"steps":${steps}`,
    `"budgets":${JSON.stringify(budgets)}`,
    `"inDoubt":${JSON.stringify(inDoubt)}`,
    `"refusals":${refusals}`,
    `"seq":${seq}`,
    `"head":${textOf(head)}`,
    ...(stopped === undefined ? [] : [`"stopped":${textOf(stopped)}`]),
    ...(principals === undefined ? [] : [`"principals":${JSON.stringify(principals)}`]),
  ]);
}

function objectLine(fields: readonly string[]): string {
  return `{${fields.join(",")}}\n`;
}

function problemJson({ code, message, reason, args }: Problem): string {
  return `{"code":${textOf(code)},"message":${textOf(message)},"reason":${textOf(reason)},"args":${argText(args)}}`;
}

/** Returns the violations of monitoring rules, which refuse nothing. */
export function warningsIn(checks: readonly Check[] | undefined): Problem[] {
  return (checks ?? []).flatMap(({ check, result, monitoring, code, message = "", reason, args = {} }) =>
    monitoring === true && result === "violated" && reason !== undefined
      ? [{ code: code ?? "invariant", message: `${check}: ${message}`, reason, args }]
      : [],
  );
}
