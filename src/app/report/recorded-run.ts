/** One run with mock tools: judged, and as JSON that a run can be resumed from. */
import {
  type Checked,
  encodeValue,
  judge,
  type PlainJson,
  printExpr,
  type RecordedRun,
  type Run,
  recordedRunToJson,
  Unknown,
} from "../../ir/index.ts";
import type { Failure } from "../failure.ts";
import type { LoadedDocument } from "../load/documents.ts";
import { problemsToJson } from "./problems.ts";

export interface FinishedRun {
  readonly document: LoadedDocument;
  readonly recorded: RecordedRun;
  readonly run: Run;
  readonly judged: readonly Judged[];
  /** The place and the reason, if it stopped. */
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
    ok: false,
    file: document.file,
    source: document.text,
    problems: [{ title: "stopped", ...problem, ...(span && { span }) }],
  };
}

export function recordedRunReport(finished: FinishedRun): { readonly [key: string]: PlainJson } {
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

export interface Judged {
  readonly name: string;
  /** In text form. */
  readonly args: readonly string[];
  readonly verdict: "holds" | "violated" | "unknown";
  /** Why it is unknown. */
  readonly why?: string;
}

export function judgeAll(checked: Checked, run: RecordedRun): Judged[] {
  return checked.document.guarantees.map(({ name, args, formula }) => {
    const stated = { name, args: args.map(printExpr) };
    if (formula === undefined) {
      return { ...stated, verdict: "unknown", why: "its formula is the trusted contract's" };
    }
    const verdict = judge(checked, formula, run);
    return verdict.kind === "unknown"
      ? { ...stated, verdict: verdict.kind, why: verdict.why }
      : { ...stated, verdict: verdict.kind };
  });
}

export function allHold(judged: readonly Judged[]): boolean {
  return judged.every(({ verdict }) => verdict === "holds");
}

export function judgedToJson({ name, args, verdict, why }: Judged): PlainJson {
  return { name, args, verdict, ...(why === undefined ? {} : { why }) };
}
