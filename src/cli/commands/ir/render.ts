/** One run with mock tools, for people. */

import { count, type FinishedRun } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { hashDocument } from "../../../ir/index.ts";
import { columnsOf, failureText, paintOf } from "../../failure.ts";
import type { Output } from "../../host.ts";
import { traceTable } from "./trace-table.ts";
import { verdictLines } from "./verdicts.ts";

// ── for people ───────────────────────────────────────────────────────────────────────────────────────────

export function runText(finished: FinishedRun, output: Output): string {
  const { document } = finished;
  const paint = paintOf(output);
  const hash = hashDocument(document.checked.document);
  const head = [
    `${paint.bold(visibleText(document.file))}  ${paint.dim(`${hash.slice(0, 21)}${paint.signs.cut}`)}`,
    paint.dim("one run with mock tools; it proves nothing about other runs"),
  ];
  return `${head.join("\n")}\n\n${runBody(finished, output)}`;
}

/** The trace, how the run ended, and the verdicts. */
export function runBody({ run, judged, stop }: FinishedRun, output: Output): string {
  const paint = paintOf(output);
  const parts: string[] = [];
  if (run.trace.length > 0) parts.push(lines(traceTable(run.trace, columnsOf(output), paint)));
  if (stop === undefined) parts.push(lines([`completed after ${count(run.trace.length, "call")}`]));
  else parts.push(failureText(stop, output));
  if (judged.length > 0) parts.push(lines(verdictLines(judged, paint)));
  return parts.join("\n");
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}
