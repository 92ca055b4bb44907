/** Shows a run while it goes: each call as it ends, what tools print, and how it came out. */
import {
  type Address,
  type Attest,
  type Failure,
  type Finished,
  type LoadedProgram,
  type Proved,
  planReport,
  type RunHow,
  type Runnable,
  runProblemReports,
  runReport,
} from "../../../app/index.ts";
import { isBuiltin, ok, type PlainJson, type Result } from "../../../ir/index.ts";
import type { LookWhen, Person, RunProblem, RunProgress } from "../../../run/index.ts";
import { type ExitCode, stoppedAtRun } from "../../exit-code.ts";
import { reportFailure, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { Typing } from "../../typing.ts";
import { heardBy } from "./call-names.ts";
import { LiveRun } from "./live-run.ts";
import { terminalPerson } from "./person.ts";
import { takePrints } from "./prints.ts";
import { problemsText, runOutcomeText } from "./render.ts";

/** A run, whether it begins or is resumed. */
export interface Live {
  readonly proved: Proved<Runnable>;
  readonly runId: string;
  readonly address: Address | undefined;
  /** In seconds, for each call. */
  readonly callTimeout: number;
  readonly look?: LookWhen | undefined;
  readonly attest?: Attest | undefined;
  readonly concurrency?: number | undefined;
  readonly json: boolean;
  /** For the answer as data. */
  readonly more: Readonly<Record<string, PlainJson>>;
  /** Called before the first call; says what it did. */
  readonly prepare?: () => Promise<Result<string, Failure>>;
  /** The keyboard of the person whom tools may ask; absent if there is none. */
  readonly typing?: Typing | undefined;
  /** The reviewer at the page; asked in place of the person at the keyboard. */
  readonly person?: Person | undefined;
  /** Hears of the run as it goes. */
  readonly hear?: ((progress: RunProgress) => void) | undefined;
}

export async function runLive(
  host: Host,
  about: Live,
  work: (how: RunHow) => Promise<Result<Finished, Failure>>,
): Promise<Result<Finished, Failure>> {
  const { proved, address, runId, json, callTimeout, concurrency, look, attest } = about;
  const out = json ? "stderr" : "stdout";
  const calls = proved.proof.walk?.facts.filter(({ tool }) => !isBuiltin(tool.name)).length ?? 0;
  const live = new LiveRun(host, calls, !json);
  if (json) host.reserveStdout?.();
  const restore = takePrints((text) => live.say(text, out));
  const stop = new AbortController();
  const leave = host.onInterrupt?.(() => {
    live.say("stopping after the call in progress (press again to leave at once)");
    stop.abort();
  });
  // A tool that ends the process must not make the run look finished.
  const keep = host.onExit?.(() => {
    const more = address === undefined ? "" : `; resume it with \`--resume ${runId}\``;
    return { code: stoppedAtRun, text: `the process was ended during the run${more}\n` };
  });
  const hear = heardBy(live, proved.document, calls, out);
  try {
    const finished = await work({
      runId,
      callTimeoutMs: callTimeout * 1000,
      when: look,
      attest,
      concurrency,
      signal: stop.signal,
      wallMs: host.wallMs,
      print: (line) => live.say(line, out),
      ledger: address,
      person: about.person ?? (about.typing && terminalPerson(host, about.typing, live)),
      onProgress: (progress) => {
        hear(progress);
        about.hear?.(progress);
      },
      prepare: async () => {
        const prepared = await about.prepare?.();
        if (prepared?.ok === false) return prepared;
        if (prepared !== undefined) live.say(prepared.value, out);
        // An operator who looks after the run following a crash needs its name.
        if (address !== undefined) live.say(`run ${runId}`);
        return ok(undefined);
      },
    });
    keep?.();
    await live.end();
    if (finished.ok) await tell(host, about, finished.value);
    return finished;
  } finally {
    keep?.();
    leave?.();
    await live.end();
    restore();
  }
}

async function tell(host: Host, about: Live, finished: Finished): Promise<void> {
  const { proved, address, runId, json, more } = about;
  const { stdout, stderr } = host;
  switch (finished.kind) {
    case "refused":
      await tellStopped(host, { document: proved.document, json }, finished.problems);
      return;
    case "cut off":
      await reportFailure(host, finished.failure, json);
      await stderr.write(`the run was interrupted; resume it with \`--resume ${runId}\`\n`);
      return;
    case "ran": {
      const { run } = finished;
      if (json)
        await writeJson(stdout, { ...runReport(run), ...(await planReport(proved.document, run)), ...more });
      else await stdout.write(runOutcomeText(run, proved.document, address?.shown, stdout));
      if (run.kind === "in doubt") host.abandon?.();
    }
  }
}

/** Tells that no call was made, and why. */
export async function tellStopped(
  { stdout, stderr }: Host,
  { document, json }: { readonly document: LoadedProgram; readonly json: boolean },
  problems: readonly RunProblem[],
): Promise<ExitCode> {
  if (json) await writeJson(stdout, { outcome: "stopped", calls: [], problems: runProblemReports(problems) });
  else await stderr.write(`${problemsText(problems, document, stderr)}no call was made\n`);
  return stoppedAtRun;
}
