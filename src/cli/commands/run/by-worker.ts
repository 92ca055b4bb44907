/** `run --worker`: files a program at a service, whose workers run it. */
import {
  type Failure,
  fileForWorker,
  pageOf,
  plainFailure,
  readSource,
  type WorkerAnswer,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import { type ExitCode, fine, notApproved, stoppedAtRun } from "../../exit-code.ts";
import { writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { RunProgramOptions } from "./handler.ts";

/** LIMIT: of a program and of inputs, in bytes; the service has its own. */
const mostBytes = 4_000_000;

export async function runByWorker(
  host: Host,
  path: string,
  options: RunProgramOptions,
): Promise<Result<ExitCode, Failure>> {
  const { service, credential, input, budget, words, json = false } = options;
  if (service === undefined || credential === undefined)
    return plainFailure(
      "FC9001",
      "`--worker` needs a service and a credential",
      "write `--approve page --service http://… --credential <file>`",
    );
  const program = await readSource(host, path, mostBytes);
  if (!program.ok) return program;
  const inputs = input === undefined ? ok("{}") : await jsonIn(host, input);
  if (!inputs.ok) return inputs;
  const secret = await readSource(host, credential, 4_096);
  if (!secret.ok) return secret;
  const stop = new AbortController();
  const leave = host.onInterrupt?.(() => stop.abort());
  const out = json ? host.stderr : host.stdout;
  try {
    const answer = await fileForWorker(
      { file: path, text: program.value.text, inputs: inputs.value, budget, words },
      {
        to: { url: service, credential: secret.value.text.trim() },
        nowMs: host.nowMs,
        signal: stop.signal,
        filed: (id) =>
          out.write(
            `request ${visibleText(id)} is filed; decide on it at\n  ${visibleText(pageOf(service, id))}\n`,
          ),
      },
    );
    return answer.ok ? ok(await tell(host, answer.value, json)) : answer;
  } finally {
    leave?.();
  }
}

/** Reads a file that must be JSON, and gives its text: a number of JavaScript would not hold all that JSON can say. */
async function jsonIn(host: Host, path: string): Promise<Result<string, Failure>> {
  const source = await readSource(host, path, mostBytes);
  if (!source.ok) return source;
  try {
    JSON.parse(source.value.text);
    return ok(source.value.text);
  } catch {
    return plainFailure("FC9001", `\`${path}\` is not JSON`);
  }
}

async function tell({ stdout, stderr }: Host, answer: WorkerAnswer, json: boolean): Promise<ExitCode> {
  if (answer.kind === "rejected") {
    if (json) await writeJson(stdout, { outcome: "not approved", reason: answer.why });
    else await stderr.write(`${visibleText(answer.why)}; nothing was run\n`);
    return notApproved;
  }
  const { id, progress } = answer.request;
  const { state = "stopped", calls = [], notes = [], answer: given } = progress ?? {};
  const outcome = state === "in_doubt" ? "in doubt" : state;
  const result = given?.value;
  if (json)
    await writeJson(stdout, {
      outcome,
      runId: id,
      calls: calls.map(({ tool, state: status }) => ({ tool, status })),
      notes: [...notes],
      ...(result !== undefined && { result }),
    });
  else {
    const text =
      result === undefined || typeof result === "string" ? result : JSON.stringify(result, null, 2);
    const lines = [
      ...notes.map((note) => `note  ${visibleText(note)}`),
      `${outcome}  ${calls.length} ${calls.length === 1 ? "call" : "calls"}, run \`${visibleText(id)}\``,
      ...(text === undefined ? [] : text.split("\n").map(visibleText)),
    ];
    await stdout.write(`${lines.join("\n")}\n`);
  }
  return state === "done" ? fine : stoppedAtRun;
}
