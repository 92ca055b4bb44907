/** `ir run`: one run of a document with mock tools. */

import {
  exampleOf,
  type Failure,
  type FinishedRun,
  finish,
  isFine,
  type LoadedDocument,
  type LoadedRun,
  loadDocument,
  loadInputs,
  loadJson,
  loadRun,
  missingInputs,
  placed,
  plainFailure,
  problemAt,
  recordedRunReport,
  systemWords,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, type RecordedRun, type RecordValue, type Result, record, run } from "../../../ir/index.ts";
import { type Mocks, MockTools, readMocks } from "../../../run/index.ts";
import { badInput, type ExitCode, fine, notSo } from "../../exit-code.ts";
import { reportFailure, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { Progress } from "../../progress.ts";
import { jsonPieces } from "../../text/json-text.ts";
import { runText } from "./render.ts";

export interface RunCommandOptions {
  readonly input?: string;
  readonly mock?: string;
  readonly seed: number;
  readonly resume?: string;
  readonly output?: string;
  readonly json?: boolean;
}

export async function runDocument(host: Host, path: string, options: RunCommandOptions): Promise<ExitCode> {
  const json = options.json === true;
  const misuse = await misuseOf(host, path, options);
  if (misuse !== undefined) return reportFailure(host, misuse, json);
  const progress = new Progress(host);
  const prepared = await prepare(host, path, options, progress);
  if (!prepared.ok) return reportFailure(host, prepared, json);
  const ended = await perform(prepared.value, progress);
  if (!ended.ok) return reportFailure(host, ended, json);
  return tell(host, ended.value, options);
}

// ── before the run ───────────────────────────────────────────────────────────────────────────────────────

interface Prepared {
  readonly document: LoadedDocument;
  readonly start: RecordedRun;
  /** The file that the run goes on from. */
  readonly resumed?: LoadedRun;
  readonly mocks: Mocks;
  readonly seed: number;
}

async function prepare(
  host: Host,
  path: string,
  options: RunCommandOptions,
  progress: Progress,
): Promise<Result<Prepared, Failure>> {
  const document = await loadDocument(host, path, progress);
  if (!document.ok) return document;
  const mocks = await mocksOf(host, document.value, options.mock);
  if (!mocks.ok) return mocks;
  const common = { document: document.value, mocks: mocks.value, seed: options.seed };
  if (options.resume !== undefined) {
    const resumed = await loadRun(host, options.resume, document.value);
    return resumed.ok ? ok({ ...common, start: resumed.value.run, resumed: resumed.value }) : resumed;
  }
  const inputs = await inputsOf(host, document.value, options.input);
  return inputs.ok ? ok({ ...common, start: { inputs: inputs.value, trace: [] } }) : inputs;
}

async function mocksOf(
  host: Host,
  document: LoadedDocument,
  path: string | undefined,
): Promise<Result<Mocks, Failure>> {
  if (path === undefined) return ok(new Map());
  const json = await loadJson(host, path);
  return json.ok ? placed(json.value, readMocks(document.checked, json.value.value)) : json;
}

export async function inputsOf(
  host: Host,
  document: LoadedDocument,
  path: string | undefined,
): Promise<Result<RecordValue, Failure>> {
  if (path !== undefined) return loadInputs(host, path, document);
  const missing = missingInputs(document);
  return missing === undefined ? ok(record([])) : missing;
}

async function misuseOf(
  host: Host,
  path: string,
  { input, mock, resume, output }: RunCommandOptions,
): Promise<Failure | undefined> {
  const read = [path, input, mock, resume].filter((one) => one !== undefined);
  if (read.filter((one) => one === "-").length > 1) {
    return plainFailure("FC9001", "standard input can be read only once", "give the others as files");
  }
  if (output === undefined) return undefined;
  if (output === "-") {
    return plainFailure("FC9001", "`-o -` is not a file", "use --json to print the run");
  }
  // The run that is resumed may be replaced by the longer one.
  for (const other of read) {
    if (other === resume || other === "-" || !(await host.isSameFile(other, output))) continue;
    return plainFailure("FC9001", `\`-o ${output}\` would overwrite what is read`, "choose another name");
  }
  return undefined;
}

// ── the run ──────────────────────────────────────────────────────────────────────────────────────────────

async function perform(prepared: Prepared, progress: Progress): Promise<Result<FinishedRun, Failure>> {
  const { document, start, mocks, seed, resumed } = prepared;
  const tools = new MockTools(document.checked, { mocks, seed, recorded: start.trace });
  let made = 0;
  const note = () => progress.calls(++made);
  const ended = await run(document.checked, {
    inputs: start.inputs,
    tools: tools.handlers,
    initial: start.initial ?? [],
    recorded: start.trace,
    hook: { before: (call) => tools.before(call), after: note, failed: note },
  });
  await progress.clear();
  const { outcome } = ended;
  if (resumed !== undefined && outcome.kind === "stopped" && outcome.problem.code === "FC1510") {
    return problemAt(resumed, outcome.problem, ["trace", ended.trace.length]);
  }
  if (tools.unanswered === undefined || outcome.kind === "completed") {
    return ok(finish(document, start, ended));
  }
  const type = document.checked.tools.get(tools.unanswered)?.result;
  const example = type === undefined ? "null" : exampleOf(type);
  const problem = {
    ...outcome.problem,
    message: `no result of \`${tools.unanswered}\` was found that meets its \`ensures\``,
    help: `say what it returns in a file for --mock, such as:\n{${JSON.stringify(tools.unanswered)}: {"returns": ${example}}}`,
  };
  return ok(finish(document, start, { ...ended, outcome: { kind: "stopped", problem } }, true));
}

async function tell(host: Host, finished: FinishedRun, options: RunCommandOptions): Promise<ExitCode> {
  if (options.output !== undefined) {
    const code = await host.writeFile(options.output, jsonPieces(recordedRunReport(finished)));
    if (code !== undefined) {
      const why = code === "ENOENT" ? "there is no such folder" : systemWords(code);
      const message = `cannot write \`${options.output}\`: ${why}`;
      return reportFailure(host, plainFailure("FC9004", message), options.json === true);
    }
  }
  if (options.json) await writeJson(host.stdout, recordedRunReport(finished));
  else {
    const written = options.output === undefined ? "" : `\nwritten to ${visibleText(options.output)}\n`;
    await host.stdout.write(`${runText(finished, host.stdout)}${written}`);
  }
  if (finished.needsMock) return badInput;
  return isFine(finished) ? fine : notSo;
}
