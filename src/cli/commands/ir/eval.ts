/** `ir eval`: guarantees, or an expression, over a run that was recorded. */

import {
  allHold,
  count,
  type Failure,
  judgeAll,
  judgedToJson,
  type LoadedDocument,
  loadDocument,
  loadRun,
  numberText,
  plainFailure,
  textFailure,
  valueText,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import {
  type Checked,
  checkExpr,
  type Expr,
  encodeValue,
  evaluateOn,
  hashDocument,
  isPartly,
  LimitReached,
  ok,
  type Partly,
  parseExpr,
  printType,
  type RecordedRun,
  type Result,
  type Type,
  type Value,
  withSpans,
} from "../../../ir/index.ts";
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import { lookOf, reportFailure, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { Progress } from "../../progress.ts";
import { paintFor } from "../../text/paint.ts";
import { inputsOf } from "./run.ts";
import { verdictLines } from "./verdicts.ts";

export interface EvalOptions {
  readonly trace?: string;
  readonly input?: string;
  readonly expr?: string;
  readonly json?: boolean;
}

export async function evaluateDocument(host: Host, path: string, options: EvalOptions): Promise<ExitCode> {
  const json = options.json === true;
  const { trace, input, expr } = options;
  if (trace === undefined && input === undefined && expr === undefined) {
    const help = "give a recorded run with --trace, inputs with --input, or an expression with --expr";
    return reportFailure(host, plainFailure("FC9001", "there is nothing to evaluate", help), json);
  }
  if ([path, trace, input].filter((one) => one === "-").length > 1) {
    const failure = plainFailure(
      "FC9001",
      "standard input can be read only once",
      "give the other as a file",
    );
    return reportFailure(host, failure, json);
  }
  const document = await loadDocument(host, path, new Progress(host));
  if (!document.ok) return reportFailure(host, document, json);
  const run = await runOf(host, document.value, options);
  if (!run.ok) return reportFailure(host, run, json);
  if (expr === undefined) return tellVerdicts(host, document.value, run.value, json);
  const read = readExpr(document.value.checked, expr);
  if (!read.ok) return reportFailure(host, read, json);
  return tellValue(host, read.value, run.value, json);
}

async function runOf(
  host: Host,
  document: LoadedDocument,
  { trace, input }: EvalOptions,
): Promise<Result<RecordedRun, Failure>> {
  if (trace !== undefined) {
    const loaded = await loadRun(host, trace, document);
    return loaded.ok ? ok(loaded.value.run) : loaded;
  }
  const inputs = await inputsOf(host, document, input);
  return inputs.ok ? ok({ inputs: inputs.value, trace: [] }) : inputs;
}

// ── guarantees ───────────────────────────────────────────────────────────────────────────────────────────

async function tellVerdicts(
  { stdout }: Host,
  { checked, file }: LoadedDocument,
  run: RecordedRun,
  json: boolean,
): Promise<ExitCode> {
  const judged = judgeAll(checked, run);
  const ok = allHold(judged);
  if (json) {
    await writeJson(stdout, {
      ok,
      hash: hashDocument(checked.document),
      guarantees: judged.map(judgedToJson),
    });
  } else {
    const paint = paintFor(lookOf(stdout));
    const on = run.trace.length === 0 ? "a run without calls" : `a run of ${count(run.trace.length, "call")}`;
    const head = `${paint.bold(file)}  ${count(judged.length, "guarantee")} on ${on}`;
    await stdout.write([head, "", ...verdictLines(judged, paint), ""].join("\n"));
  }
  return ok ? fine : notSo;
}

// ── expressions ──────────────────────────────────────────────────────────────────────────────────────────

interface ReadExpr {
  readonly checked: Checked;
  readonly expr: Expr;
  readonly type: Type;
}

function readExpr(checked: Checked, text: string): Result<ReadExpr, Failure> {
  const file = "--expr";
  const parsed = parseExpr(text);
  if (!parsed.ok) return textFailure(file, text, parsed.problems);
  const { expr, locate } = parsed.value;
  const within = checkExpr(checked, expr, "trace");
  if (!within.ok) return textFailure(file, text, withSpans(within.problems, locate));
  const type = within.value.types.get(expr);
  if (type === undefined) throw new TypeError("an expression was checked and has no type");
  return ok({ checked: within.value, expr, type });
}

async function tellValue(
  { stdout }: Host,
  { checked, expr, type }: ReadExpr,
  run: RecordedRun,
  json: boolean,
): Promise<ExitCode> {
  const found = evaluated(checked, expr, run);
  const typeText = printType(type);
  const { dim, yellow } = paintFor(lookOf(stdout));
  if (isPartly(found) || found instanceof LimitReached) {
    const why = found instanceof LimitReached ? found.message : partlyText(found);
    if (json) await writeJson(stdout, { ok: false, type: typeText, why });
    else
      await stdout.write(
        `${yellow("unknown")}${dim(`: ${visibleText(typeText)}`)}\n${dim(visibleText(why))}\n`,
      );
    return notSo;
  }
  const text = valueText(found);
  if (json) await writeJson(stdout, { ok: true, type: typeText, text, value: encodeValue(found, type) });
  else await stdout.write(`${visibleText(text)}${dim(`: ${visibleText(typeText)}`)}\n`);
  return fine;
}

function evaluated(checked: Checked, expr: Expr, run: RecordedRun): Value | Partly | LimitReached {
  try {
    return evaluateOn(checked, expr, run);
  } catch (thrown) {
    if (thrown instanceof LimitReached) return thrown;
    throw thrown;
  }
}

function partlyText(found: Partly): string {
  switch (found.kind) {
    case "unknown":
      return found.why;
    case "between": {
      const { low, high } = found;
      if (low !== undefined && high !== undefined)
        return `it is from ${numberText(low)} to ${numberText(high)}, because a call failed`;
      if (low !== undefined) return `it is at least ${numberText(low)}`;
      return high === undefined ? "nothing is known of it" : `it is at most ${numberText(high)}`;
    }
    case "infinite":
      return "it is greater than every number";
    case "anyOtherKey":
    case "partlyRecord":
      return "it is only partly known";
  }
}
