/** `ir eval`: guarantees, or an expression, over a recorded run. */

import {
  allHold,
  count,
  evaluateText,
  judgeAll,
  judgedToJson,
  type LoadedDocument,
  loadDocument,
  plainFailure,
  readTwice,
  recordedRunOf,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { hashDocument, type RecordedRun } from "../../../ir/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { paintOf, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";
import { Progress } from "../../progress.ts";
import { verdictLines } from "./verdicts.ts";

export interface EvalOptions extends JsonOption {
  readonly trace?: string;
  readonly input?: string;
  readonly expr?: string;
}

export async function evaluateDocument(host: Host, path: string, options: EvalOptions): Promise<Ended> {
  const { trace, input, expr, json = false } = options;
  if (trace === undefined && input === undefined && expr === undefined) {
    const help = "give a recorded run with --trace, inputs with --input, or an expression with --expr";
    return plainFailure("FC9001", "there is nothing to evaluate", help);
  }
  const twice = readTwice([path, trace, input]);
  if (twice !== undefined) return twice;
  const document = await loadDocument(host, path, new Progress(host));
  if (!document.ok) return document;
  const run = await recordedRunOf(host, document.value, options);
  if (!run.ok) return run;
  if (expr === undefined) return tellVerdicts(host, document.value, run.value, json);
  const found = evaluateText(document.value.checked, expr, run.value);
  if (!found.ok) return found;
  const { dim, yellow } = paintOf(host.stdout);
  const type = dim(`: ${visibleText(found.value.type)}`);
  if (json) await writeJson(host.stdout, found.value);
  else if (found.value.ok) await host.stdout.write(`${visibleText(found.value.text)}${type}\n`);
  else await host.stdout.write(`${yellow("unknown")}${type}\n${dim(visibleText(found.value.why))}\n`);
  return found.value.ok ? fine : notSo;
}

async function tellVerdicts(
  { stdout }: Host,
  { checked, file }: LoadedDocument,
  run: RecordedRun,
  json: boolean,
): Promise<Ended> {
  const judged = judgeAll(checked, run);
  const ok = allHold(judged);
  if (json) {
    const guarantees = judged.map(judgedToJson);
    await writeJson(stdout, { ok, hash: hashDocument(checked.document), guarantees });
  } else {
    const paint = paintOf(stdout);
    const on = run.trace.length === 0 ? "a run without calls" : `a run of ${count(run.trace.length, "call")}`;
    const head = `${paint.bold(file)}  ${count(judged.length, "guarantee")} on ${on}`;
    await stdout.write([head, "", ...verdictLines(judged, paint), ""].join("\n"));
  }
  return ok ? fine : notSo;
}
