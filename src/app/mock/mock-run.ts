/** One run of a document with mock tools, from its start or from where a recorded run ends. */
import { ok, type RecordedRun, type RecordValue, type Result, record, run } from "../../ir/index.ts";
import { type Mocks, MockTools, readMocks } from "../../run/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem, Notices } from "../files/port.ts";
import {
  type LoadedDocument,
  type LoadedRun,
  loadDocument,
  loadInputs,
  loadJson,
  loadRun,
  placed,
  problemAt,
} from "../load/documents.ts";
import { exampleOf, missingInputs } from "../load/missing-inputs.ts";
import { type FinishedRun, finish } from "../report/recorded-run.ts";

export interface MockRunOptions {
  readonly input?: string;
  readonly mock?: string;
  readonly seed: number;
  readonly resume?: string;
  readonly output?: string;
}

/** Hears of the calls of a run. */
export interface CallNotices extends Notices {
  readonly calls: (made: number) => Promise<void>;
}

export async function runWithMocks(
  fs: FileSystem,
  path: string,
  options: MockRunOptions,
  notices: CallNotices,
): Promise<Result<FinishedRun, Failure>> {
  const misuse = await misuseOf(fs, path, options);
  if (misuse !== undefined) return misuse;
  const document = await loadDocument(fs, path, notices);
  if (!document.ok) return document;
  const mocks = await mocksOf(fs, document.value, options.mock);
  if (!mocks.ok) return mocks;
  const prepared = { document: document.value, mocks: mocks.value, seed: options.seed };
  if (options.resume !== undefined) {
    const resumed = await loadRun(fs, options.resume, document.value);
    return resumed.ok ? perform(prepared, resumed.value.run, notices, resumed.value) : resumed;
  }
  const inputs = await inputsOf(fs, document.value, options.input);
  return inputs.ok ? perform(prepared, { inputs: inputs.value, trace: [] }, notices) : inputs;
}

/** Returns the run in a file, or a run without calls on these inputs. */
export async function recordedRunOf(
  fs: FileSystem,
  document: LoadedDocument,
  { trace, input }: { readonly trace?: string; readonly input?: string },
): Promise<Result<RecordedRun, Failure>> {
  if (trace !== undefined) {
    const loaded = await loadRun(fs, trace, document);
    return loaded.ok ? ok(loaded.value.run) : loaded;
  }
  const inputs = await inputsOf(fs, document, input);
  return inputs.ok ? ok({ inputs: inputs.value, trace: [] }) : inputs;
}

/** Returns the inputs in a file. Without a file, the program must need none. */
export async function inputsOf(
  fs: FileSystem,
  document: LoadedDocument,
  path: string | undefined,
): Promise<Result<RecordValue, Failure>> {
  if (path !== undefined) return loadInputs(fs, path, document);
  return missingInputs(document) ?? ok(record([]));
}

async function mocksOf(
  fs: FileSystem,
  document: LoadedDocument,
  path: string | undefined,
): Promise<Result<Mocks, Failure>> {
  if (path === undefined) return ok(new Map());
  const json = await loadJson(fs, path);
  return json.ok ? placed(json.value, readMocks(document.checked, json.value.value)) : json;
}

async function misuseOf(
  fs: FileSystem,
  path: string,
  { input, mock, resume, output }: MockRunOptions,
): Promise<Failure | undefined> {
  const read = [path, input, mock, resume].filter((one) => one !== undefined);
  const twice = readTwice(read);
  if (twice !== undefined || output === undefined) return twice;
  if (output === "-") return plainFailure("FC9001", "`-o -` is not a file", "use --json to print the run");
  // The longer run may replace the resumed one.
  for (const other of read) {
    if (other === resume || other === "-" || !(await fs.isSameFile(other, output))) continue;
    return plainFailure("FC9001", `\`-o ${output}\` would overwrite an input`, "choose another name");
  }
  return undefined;
}

/** Returns the failure of reading standard input more than once. */
export function readTwice(paths: readonly (string | undefined)[]): Failure | undefined {
  if (paths.filter((one) => one === "-").length < 2) return undefined;
  return plainFailure("FC9001", "standard input can be read only once", "give the others as files");
}

interface Prepared {
  readonly document: LoadedDocument;
  readonly mocks: Mocks;
  readonly seed: number;
}

async function perform(
  { document, mocks, seed }: Prepared,
  start: RecordedRun,
  notices: CallNotices,
  resumed?: LoadedRun,
): Promise<Result<FinishedRun, Failure>> {
  const tools = new MockTools(document.checked, { mocks, seed, recorded: start.trace });
  let made = 0;
  const note = () => notices.calls(++made);
  const ended = await run(document.checked, {
    inputs: start.inputs,
    tools: tools.handlers,
    initial: start.initial ?? [],
    recorded: start.trace,
    hook: { before: (call) => tools.before(call), after: note, failed: note },
  });
  await notices.clear();
  const { outcome } = ended;
  if (resumed !== undefined && outcome.kind === "stopped" && outcome.problem.code === "FC1510")
    return problemAt(resumed, outcome.problem, ["trace", ended.trace.length]);
  if (tools.unanswered === undefined || outcome.kind === "completed")
    return ok(finish(document, start, ended));
  const type = document.checked.tools.get(tools.unanswered)?.result;
  const example = type === undefined ? "null" : exampleOf(type);
  const problem = {
    ...outcome.problem,
    message: `no generated result of \`${tools.unanswered}\` meets its \`ensures\``,
    help: `give its result in a file with --mock, such as:\n{${JSON.stringify(tools.unanswered)}: {"returns": ${example}}}`,
  };
  return ok(finish(document, start, { ...ended, outcome: { kind: "stopped", problem } }, true));
}
