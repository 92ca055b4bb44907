/** One run, for programs (JSON that a run can be resumed from) and for people. */

import { count, type Failure, type LoadedDocument, problemsToJson } from "../app/index.ts";
import { visibleText } from "../explain/index.ts";
import {
  encodeValue,
  hashDocument,
  type PlainJson,
  type RecordedRun,
  type Run,
  recordedRunToJson,
  Unknown,
} from "../ir/index.ts";
import { columnsOf, failureText, lookOf } from "./failure.ts";
import type { Output } from "./terminal.ts";
import { paintFor } from "./text/paint.ts";
import { traceTable } from "./trace-table.ts";
import { allHold, type Judged, judgeAll, judgedToJson, verdictLines } from "./verdicts.ts";

export interface FinishedRun {
  readonly document: LoadedDocument;
  readonly recorded: RecordedRun;
  readonly run: Run;
  readonly judged: readonly Judged[];
  /** Where and why it stopped, if it did. */
  readonly stop?: Failure;
  /** It stopped because the person has to say what a tool returns. */
  readonly needsMock: boolean;
}

export function finish(
  document: LoadedDocument,
  recorded: RecordedRun,
  run: Run,
  needsMock = false,
): FinishedRun {
  const whole = { ...recorded, trace: run.trace };
  const judged = judgeAll(document.checked, whole);
  const finished = { document, recorded: whole, run, judged, needsMock };
  return run.outcome.kind === "completed" ? finished : { ...finished, stop: stopOf(document, run.outcome) };
}

/** It completed, and every guarantee holds on it. */
export function isFine({ run, judged }: FinishedRun): boolean {
  return run.outcome.kind === "completed" && allHold(judged);
}

function stopOf(document: LoadedDocument, outcome: Run["outcome"] & { readonly kind: "stopped" }): Failure {
  const { problem } = outcome;
  const span = document.locate(problem.path);
  return {
    file: document.file,
    source: document.text,
    problems: [{ title: "stopped", ...problem, ...(span && { span }) }],
  };
}

// ── for programs ─────────────────────────────────────────────────────────────────────────────────────────

export function runToJson(finished: FinishedRun): { readonly [key: string]: PlainJson } {
  const { document, recorded, run, judged, stop, needsMock } = finished;
  const problems = stop === undefined ? [] : problemsToJson(stop);
  const [problem] = problems;
  return {
    ok: isFine(finished),
    ...(needsMock ? { problems } : {}),
    outcome: { kind: run.outcome.kind, ...(problem === undefined ? {} : { problem }) },
    guarantees: judged.map(judgedToJson),
    steps: run.steps,
    final: finalCells(finished),
    ...recordedRunToJson(document.checked, recorded),
  };
}

/** The cells that were written; and, without a key, a fluent of which nothing is known any more. */
function finalCells({ document: { checked }, run: { state } }: FinishedRun): PlainJson[] {
  return [...checked.fluents.values()].flatMap((fluent) => {
    const cells: PlainJson[] = Array.from(state.cells(fluent.name), ({ key, value }) => ({
      fluent: fluent.name,
      key: encodeValue(key, fluent.key),
      ...(value instanceof Unknown ? { unknown: value.why } : { value: encodeValue(value, fluent.value) }),
    }));
    const rest = state.rest(fluent.name);
    const isLost = rest instanceof Unknown && fluent.initial !== undefined;
    return isLost ? [...cells, { fluent: fluent.name, unknown: rest.why }] : cells;
  });
}

// ── for people ───────────────────────────────────────────────────────────────────────────────────────────

export function runText(finished: FinishedRun, output: Output): string {
  const { document } = finished;
  const paint = paintFor(lookOf(output));
  const hash = hashDocument(document.checked.document);
  const head = [
    `${paint.bold(visibleText(document.file))}  ${paint.dim(`${hash.slice(0, 21)}${paint.signs.cut}`)}`,
    paint.dim("one run with mock tools; it proves nothing about other runs"),
  ];
  return `${head.join("\n")}\n\n${runBody(finished, output)}`;
}

/** The trace, how the run ended, and the verdicts. */
export function runBody({ run, judged, stop }: FinishedRun, output: Output): string {
  const paint = paintFor(lookOf(output));
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
