/** Verdicts of a kernel, for people. */

import { type JudgedAction, warningsIn } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { paintOf } from "../../failure.ts";
import type { Output } from "../../host.ts";

/** Renders the verdict and its subject, with the reasons or the receipt below. */
export function judgedText(what: string, judged: JudgedAction, place: string, output: Output): string {
  const { green, red, yellow, dim } = paintOf(output);
  const { verdict, reasons, receipt } = judged;
  const word = verdict === "allowed" ? green(verdict) : red(verdict);
  const below = [
    // The message of an invariant names it already.
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

/** Renders a time in UTC, so that it is the same wherever a trace is read. */
export function timeText(ms: number): string {
  const date = new Date(ms);
  // LIMIT: dates end in the year 275760; a clock may have said anything.
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString().replace("T", " ").slice(0, 19);
}
