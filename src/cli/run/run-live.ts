/** The part of `run` in which something happens: tools are loaded, calls are made, and what becomes of them is told. */
import { hashDocument, type PlainJson } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Proof } from "../../prove/index.ts";
import type {
  ProgramRun,
  ProgramRunResult,
  ResumeOptions,
  RunProblem,
  RunProgress,
} from "../../run/index.ts";
import { toolLoader } from "../apart.ts";
import { shown } from "../config.ts";
import { type ExitCode, fine, stoppedAtRun } from "../exit-code.ts";
import { type Attempt, attained, failedAttempt, plainFailure, reportFailure, writeJson } from "../failure.ts";
import { type Address, ledgerFailure } from "../kernel/ledger.ts";
import type { LoadedProgram } from "../load-program.ts";
import { loadRunnable } from "../load-written.ts";
import type { ProgramForm } from "../named-program.ts";
import { LiveRun } from "../plan/live-run.ts";
import { carriedOut, planJson } from "../plan/plan-start.ts";
import type { Terminal } from "../terminal.ts";
import { takePrints } from "./prints.ts";
import { everywhereOf, heardBy, placesOf } from "./program-parts.ts";
import { problemsText, runOutcomeText, runOutcomeToJson, runProblemsToJson } from "./run-outcome.ts";

/** What a run is about, whether it begins or is gone on with. */
export interface Live {
  readonly file: string;
  readonly form: ProgramForm;
  readonly tools: readonly string[] | undefined;
  readonly callTimeout: number;
  readonly concurrency?: number | undefined;
  readonly json: boolean;
  readonly kernel: Kernel;
  readonly document: LoadedProgram;
  readonly proof: Proof;
  readonly address: Address | undefined;
  readonly runId: string;
  /** For the answer as data. */
  readonly more: Readonly<Record<string, PlainJson>>;
  /** Called once nothing can refuse the run any more, before its first call; says what it did. */
  readonly prepare?: () => Promise<Attempt<string>>;
  /** Whoever else hears of it as it goes. */
  readonly hear?: (progress: RunProgress) => void;
}

export type Common = Omit<ResumeOptions, "publicKey">;

export interface Ended {
  readonly code: ExitCode;
  /** Undefined if no call was made, or the ledger is gone. */
  readonly run?: ProgramRun;
}

export async function runLive(
  terminal: Terminal,
  about: Live,
  work: (common: Common) => Promise<ProgramRunResult>,
): Promise<Attempt<Ended>> {
  const { kernel, document, proof, address, runId, json, callTimeout } = about;
  const ledger = address?.shown;
  const facts = proof.walk?.facts.length ?? 0;
  const live = new LiveRun(terminal, facts, !json);
  if (json) terminal.reserveStdout?.();
  const restore = takePrints((text) => live.say(text, json ? "stderr" : "stdout"));
  const stop = new AbortController();
  const leave = terminal.onInterrupt?.(() => {
    live.say("stopping after the call that is under way (again to leave at once)");
    stop.abort();
  });
  try {
    const { loadTools } = await toolLoader();
    const loaded = await loadTools(placesOf(document));
    if (!loaded.ok) {
      const message = `the tool module \`${shown(loaded.file)}\` cannot be loaded: ${loaded.message}`;
      return failedAttempt(plainFailure("FC9011", message, "nothing was run"));
    }
    const same = await isUnchanged(terminal, about);
    if (!same.ok) return same;
    const prepared = await about.prepare?.();
    if (prepared?.ok === false) return prepared;
    if (prepared !== undefined) live.say(prepared.value, json ? "stderr" : "stdout");
    // Whoever has to look after it after a crash needs its name.
    if (ledger !== undefined) live.say(`run ${runId}`);
    const hear = heardBy(live, document, facts, json ? "stderr" : "stdout");
    const result = await work({
      kernel,
      tools: loaded.tools,
      everywhere: everywhereOf(proof),
      ...(await carriedOut(document)),
      ...(about.concurrency !== undefined && { concurrency: about.concurrency }),
      runId,
      timeoutMs: Math.max(1, Math.round(callTimeout * 1000)),
      signal: stop.signal,
      onProgress: (progress) => {
        hear(progress);
        about.hear?.(progress);
      },
      wallMs: terminal.wallMs,
    });
    await live.end();
    if (!result.ok) return attained({ code: await tellStopped(terminal, about, result.problems) });
    const run = result.value;
    const { stdout } = terminal;
    if (json)
      await writeJson(stdout, {
        ...runOutcomeToJson(run),
        ...(await planJson(document, run)),
        ...about.more,
      });
    else await stdout.write(runOutcomeText(run, document, ledger, stdout));
    if (run.kind === "in doubt") terminal.abandon?.();
    return attained({ code: run.kind === "done" ? fine : stoppedAtRun, run });
  } catch (thrown) {
    if (address === undefined) throw thrown;
    const failure = ledgerFailure(thrown, address);
    await live.end();
    await reportFailure(terminal, failure, json);
    await terminal.stderr.write(`the run was cut off; go on with \`--resume ${runId}\`\n`);
    return attained({ code: stoppedAtRun });
  } finally {
    leave?.();
    await live.end();
    restore();
  }
}

/** Nothing was done, and why. */
export async function tellStopped(
  { stdout, stderr }: Terminal,
  { document, json }: Pick<Live, "document" | "json">,
  problems: readonly RunProblem[],
): Promise<ExitCode> {
  if (json) await writeJson(stdout, { outcome: "stopped", calls: [], problems: runProblemsToJson(problems) });
  else await stderr.write(`${problemsText(problems, document, stderr)}no call was made\n`);
  return stoppedAtRun;
}

/** SOUNDNESS: what was loaded just now must be what was proved and shown, so it is compiled again and compared. */
async function isUnchanged(
  terminal: Terminal,
  { file, form, tools, document }: Live,
): Promise<Attempt<void>> {
  const again = await loadRunnable(terminal, file, tools, form, document.plan?.stated);
  const isSame =
    again.kind === "loaded" &&
    again.document.modules === document.modules &&
    hashDocument(again.document.checked.document) === hashDocument(document.checked.document);
  if (isSame) return attained(undefined);
  const message = `\`${file}\`, or a tool module, was changed since it was proved`;
  return failedAttempt(plainFailure("FC9011", message, "nothing was run; start again"));
}
