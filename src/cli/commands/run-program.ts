/** `run`: proves a program, asks, and runs exactly what was proved, under a kernel. */
import { randomBytes } from "node:crypto";
import { hashDocument, type PlainJson, type RecordValue, record } from "../../ir/index.ts";
import { Kernel, MemoryLog } from "../../kernel/index.ts";
import { type Proof, type ProveOptions, prove } from "../../prove/prove.ts";
import {
  type ProgramRunResult,
  type ResumeOptions,
  type RunProblem,
  resumeProgram,
  runProgram,
  startingProblems,
} from "../../run/index.ts";
import { toolLoader } from "../apart.ts";
import { shown } from "../config.ts";
import { type ExitCode, fine, notApproved, notSo, stoppedAtRun } from "../exit-code.ts";
import {
  type Attempt,
  attained,
  failedAttempt,
  failureText,
  plainFailure,
  problemsToJson,
  reportFailure,
  writeJson,
} from "../failure.ts";
import { keyPathOf, readPublicKey } from "../kernel/keys.ts";
import { type Address, addressOf, ledgerFailure, withKernel } from "../kernel/ledger.ts";
import { isProgram, type LoadedProgram, loadProgram } from "../load-program.ts";
import { LiveRun } from "../plan/live-run.ts";
import { type AppliedPolicy, applyPolicy } from "../policy/apply-policy.ts";
import { compileClauses, folderOf, loadPolicy } from "../policy/load-policy.ts";
import { policyText, policyToJson } from "../policy/policy-text.ts";
import { Progress } from "../progress.ts";
import { coverageOfSubject, type SubjectCoverage } from "../prove/coverage.ts";
import { proofToJson } from "../prove/proof-json.ts";
import { proofText } from "../prove/proof-text.ts";
import { chooseSolver, type SolverName, solverResources } from "../prove/solver-choice.ts";
import { verdictOf } from "../prove/verdict.ts";
import { type Approver, approvedReceipt, type SigningKey, signingKey } from "../run/approval.ts";
import { approverOf } from "../run/approver.ts";
import { takePrints } from "../run/prints.ts";
import { everywhereOf, heardBy, placesOf } from "../run/program-parts.ts";
import { type Question, questionText } from "../run/question.ts";
import { problemsText, runOutcomeText, runOutcomeToJson, runProblemsToJson } from "../run/run-outcome.ts";
import type { Terminal } from "../terminal.ts";
import { inputsOf } from "./run.ts";

export interface RunProgramOptions {
  readonly input?: string;
  readonly ledger?: string;
  readonly kernel: string;
  readonly approve: "terminal" | "policy";
  readonly policy?: string;
  readonly yes?: boolean;
  readonly budget?: string;
  readonly key?: string;
  readonly dryRun?: boolean;
  readonly resume?: string;
  readonly tools?: readonly string[];
  readonly callTimeout: number;
  readonly timeout: number;
  readonly solver: SolverName;
  readonly json?: boolean;
}

export async function runProgramFile(
  terminal: Terminal,
  file: string,
  options: RunProgramOptions,
): Promise<ExitCode> {
  const done = await new RunCommand(terminal, file, options).attempt();
  return done.ok ? done.value : reportFailure(terminal, done.failure, options.json === true);
}

/** What a run is about, whether it begins or is gone on with. */
interface Live {
  readonly kernel: Kernel;
  readonly document: LoadedProgram;
  readonly proof: Proof;
  readonly address: Address | undefined;
  readonly runId: string;
  /** For the answer as data. */
  readonly more: Readonly<Record<string, PlainJson>>;
}

interface Proved {
  readonly proof: Proof;
  readonly coverage: SubjectCoverage;
  /** What the policy decides, if there is one. */
  readonly policy?: AppliedPolicy;
}

type Common = Omit<ResumeOptions, "publicKey">;

class RunCommand {
  readonly #terminal: Terminal;
  readonly #file: string;
  readonly #options: RunProgramOptions;

  constructor(terminal: Terminal, file: string, options: RunProgramOptions) {
    this.#terminal = terminal;
    this.#file = file;
    this.#options = options;
  }

  async attempt(): Promise<Attempt<ExitCode>> {
    const { ledger, tools, input, resume } = this.#options;
    const misuse = this.#misuse();
    if (misuse !== undefined) return failedAttempt(misuse);
    const address = ledger === undefined ? attained(undefined) : addressOf(ledger);
    if (!address.ok) return address;
    const loaded = await loadProgram(this.#terminal, this.#file, tools);
    if (loaded.kind === "unreadable") return failedAttempt(loaded.failure);
    if (loaded.kind === "invalid") return attained(await this.#invalid(loaded.failures));
    const { document } = loaded;
    const inputs =
      resume === undefined ? await inputsOf(this.#terminal, document, input) : attained(record([]));
    if (!inputs.ok) return inputs;
    const proved = await this.#prove(document);
    if (!proved.ok) return proved;
    if (verdictOf(proved.value.proof) !== "proved")
      return attained(await this.#notProved(document, proved.value));
    return this.#onKernel(address.value, (kernel) =>
      resume === undefined || address.value === undefined
        ? this.#ask(kernel, address.value, document, inputs.value, proved.value)
        : this.#resume(kernel, address.value, resume, document, proved.value.proof),
    );
  }

  #misuse() {
    const { approve, policy, resume, ledger, input, budget, yes, dryRun } = this.#options;
    if (!isProgram(this.#file)) {
      const help = "give a TypeScript program (.ts): only what was compiled against tool modules can be run";
      return plainFailure("FC9001", `\`${this.#file}\` is not what can be run`, help);
    }
    if ((approve === "policy") !== (policy !== undefined)) {
      const help = "write `--approve policy --policy policy.json`, or leave out both";
      return plainFailure("FC9001", "`--approve policy` and `--policy` belong together", help);
    }
    if (resume === undefined) return undefined;
    if (ledger === undefined)
      return plainFailure(
        "FC9001",
        "`--resume` goes on with a run that a ledger has kept",
        "name it with --ledger",
      );
    if (input !== undefined || budget !== undefined || policy !== undefined || yes || dryRun) {
      const help = "leave out --input, --budget, --policy, --yes and --dry-run";
      return plainFailure("FC9001", "a run is gone on with as it was approved", help);
    }
    return undefined;
  }

  // ── the proof ──────────────────────────────────────────────────────────────────────────────────────────

  async #prove(document: LoadedProgram): Promise<Attempt<Proved>> {
    const { solver: name, timeout } = this.#options;
    const solver = await chooseSolver(name);
    if (!solver.ok) return solver;
    const progress = new Progress(this.#terminal);
    try {
      const limits = { timeoutMs: Math.max(1, Math.round(timeout * 1000)), resources: solverResources };
      const asking = () => progress.waiting(`${this.#file}: asking the solver`);
      const how = { solver: solver.value.get, limits, asking };
      const proof = await prove(document.checked, how);
      const coverage = await coverageOfSubject(document, proof, how);
      if (this.#options.policy === undefined || verdictOf(proof) !== "proved")
        return attained({ proof, coverage });
      const policy = await this.#decide(document, this.#options.policy, how);
      return policy.ok ? attained({ proof, coverage, policy: policy.value }) : policy;
    } finally {
      await progress.clear();
      await solver.value.close();
    }
  }

  async #decide(document: LoadedProgram, file: string, how: ProveOptions): Promise<Attempt<AppliedPolicy>> {
    const policy = await loadPolicy(this.#terminal, file);
    if (!policy.ok) return policy;
    const clauses = await compileClauses(
      this.#terminal,
      policy.value,
      folderOf(this.#file),
      this.#options.tools,
    );
    if (!clauses.ok) return clauses;
    return applyPolicy(policy.value.policy, clauses.value, document.checked, how);
  }

  async #invalid(failures: readonly Parameters<typeof failureText>[0][]): Promise<ExitCode> {
    const { stdout, stderr } = this.#terminal;
    if (this.#options.json)
      await writeJson(stdout, {
        outcome: "not proved",
        verdict: "invalid",
        problems: failures.flatMap(problemsToJson),
      });
    else for (const failure of failures) await stderr.write(failureText(failure, stderr));
    return notSo;
  }

  async #notProved(document: LoadedProgram, proved: Proved): Promise<ExitCode> {
    const { stdout } = this.#terminal;
    if (this.#options.json)
      await writeJson(stdout, { outcome: "not proved", proof: this.#proofJson(document, proved) });
    else await stdout.write(`${proofText(document, proved.proof, proved.coverage, stdout)}nothing was run\n`);
    return notSo;
  }

  #proofJson(document: LoadedProgram, { proof, coverage }: Proved): PlainJson {
    return proofToJson(this.#file, document, proof, coverage, 0, {});
  }

  // ── the question ───────────────────────────────────────────────────────────────────────────────────────

  async #onKernel(
    address: Address | undefined,
    work: (kernel: Kernel) => Promise<Attempt<ExitCode>>,
  ): Promise<Attempt<ExitCode>> {
    if (address !== undefined) return withKernel(this.#terminal, address, this.#options.kernel, work);
    const opened = await Kernel.open({ ledger: new MemoryLog(), clock: this.#terminal.wallMs });
    if (!opened.ok) throw new TypeError(opened.problem.message);
    return work(opened.value);
  }

  async #ask(
    kernel: Kernel,
    address: Address | undefined,
    document: LoadedProgram,
    inputs: RecordValue,
    proved: Proved,
  ): Promise<Attempt<ExitCode>> {
    const { json, yes, dryRun, budget, key } = this.#options;
    const { stdout, stderr } = this.#terminal;
    const { proof, coverage, policy } = proved;
    const asked: Question = { document, proof, coverage, inputs, budget, ledger: address?.shown };
    // With `--json`, standard output is for the answer alone.
    const out = json ? stderr : stdout;
    const signing = await signingKey(this.#terminal, address, key);
    if (!signing.ok) return signing;
    // Nobody is asked about what could not begin.
    const problems = startingProblems(document.checked, kernel);
    if (problems.length > 0) return attained(await this.#stopped(document, problems));
    if (!json || !yes) await out.write(questionText(asked, out));
    if (policy !== undefined && !json) await out.write(`${policyText(this.#file, policy, out)}\n`);
    if (dryRun) {
      const decision = policy === undefined ? {} : { policy: policyToJson(this.#file, policy) };
      if (json)
        await writeJson(stdout, {
          outcome: "dry run",
          ...decision,
          proof: this.#proofJson(document, proved),
        });
      else await out.write("nothing was run\n");
      return attained(fine);
    }
    const approver = await approverOf(this.#terminal, policy, kernel, {
      yes: yes === true,
      keepsCount: address !== undefined,
    });
    if (typeof approver === "string") return attained(await this.#refused(approver));
    return this.#run(kernel, address, asked, signing.value, approver);
  }

  async #refused(why: string): Promise<ExitCode> {
    const { stdout, stderr } = this.#terminal;
    if (this.#options.json) await writeJson(stdout, { outcome: "not approved", reason: why });
    else await stderr.write(`${why}; nothing was run\n`);
    return notApproved;
  }

  async #stopped(document: LoadedProgram, problems: readonly RunProblem[]): Promise<ExitCode> {
    const { stdout, stderr } = this.#terminal;
    if (this.#options.json)
      await writeJson(stdout, { outcome: "stopped", calls: [], problems: runProblemsToJson(problems) });
    else await stderr.write(`${problemsText(problems, document, stderr)}no call was made\n`);
    return stoppedAtRun;
  }

  // ── the run ────────────────────────────────────────────────────────────────────────────────────────────

  async #run(
    kernel: Kernel,
    address: Address | undefined,
    asked: Question,
    signing: SigningKey,
    approver: Approver,
  ): Promise<Attempt<ExitCode>> {
    const { document, inputs, proof } = asked;
    const { budget } = this.#options;
    const nowMs = this.#terminal.wallMs();
    const receipt = await approvedReceipt(document, inputs, kernel, signing, { ...approver, budget, nowMs });
    const runId = randomBytes(6).toString("hex");
    const { program, modules, nonce } = receipt;
    return this.#live(
      { kernel, document, proof, address, runId, more: { program, modules, receipt: nonce, ...approver } },
      (common) => runProgram(document.checked, { ...common, inputs, receipt, publicKey: signing.publicKey }),
    );
  }

  /** As it was approved: the receipt and the inputs are in the trace. */
  async #resume(
    kernel: Kernel,
    address: Address,
    runId: string,
    document: LoadedProgram,
    proof: Proof,
  ): Promise<Attempt<ExitCode>> {
    const path = this.#options.key ?? keyPathOf(address);
    if (path === undefined)
      return failedAttempt(
        plainFailure("FC9010", "there is no key to verify the receipt with", "give it with --key"),
      );
    const publicKey = await readPublicKey(this.#terminal, path);
    if (!publicKey.ok) return publicKey;
    return this.#live({ kernel, document, proof, address, runId, more: {} }, (common) =>
      resumeProgram(document.checked, { ...common, publicKey: publicKey.value }),
    );
  }

  async #live(about: Live, work: (common: Common) => Promise<ProgramRunResult>): Promise<Attempt<ExitCode>> {
    const { kernel, document, proof, address, runId } = about;
    const ledger = address?.shown;
    const { json, callTimeout } = this.#options;
    const terminal = this.#terminal;
    const facts = proof.walk?.facts.length ?? 0;
    const live = new LiveRun(terminal, facts, json !== true);
    const restore = takePrints((text) => live.say(text, json === true ? "stderr" : "stdout"));
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
      const same = await this.#isUnchanged(document);
      if (!same.ok) return same;
      // Whoever has to look after it after a crash needs its name.
      if (ledger !== undefined) live.say(`run ${runId}`);
      const result = await work({
        kernel,
        tools: loaded.tools,
        everywhere: everywhereOf(proof),
        runId,
        timeoutMs: Math.max(1, Math.round(callTimeout * 1000)),
        signal: stop.signal,
        onProgress: heardBy(live, document, facts, json === true ? "stderr" : "stdout"),
        wallMs: terminal.wallMs,
      });
      await live.end();
      if (!result.ok) return attained(await this.#stopped(document, result.problems));
      const run = result.value;
      const { stdout } = terminal;
      if (json) await writeJson(stdout, { ...runOutcomeToJson(run), ...about.more });
      else await stdout.write(runOutcomeText(run, document, ledger, stdout));
      if (run.kind === "in doubt") terminal.abandon?.();
      return attained(run.kind === "done" ? fine : stoppedAtRun);
    } catch (thrown) {
      if (address === undefined) throw thrown;
      const failure = ledgerFailure(thrown, address);
      await live.end();
      await reportFailure(terminal, failure, json === true);
      await terminal.stderr.write(`the run was cut off; go on with \`--resume ${runId}\`\n`);
      return attained(stoppedAtRun);
    } finally {
      leave?.();
      await live.end();
      restore();
    }
  }

  /** SOUNDNESS: what was loaded just now must be what was proved and shown, so it is compiled again and compared. */
  async #isUnchanged(document: LoadedProgram): Promise<Attempt<void>> {
    const again = await loadProgram(this.#terminal, this.#file, this.#options.tools);
    const isSame =
      again.kind === "loaded" &&
      again.document.modules === document.modules &&
      hashDocument(again.document.checked.document) === hashDocument(document.checked.document);
    if (isSame) return attained(undefined);
    const message = `\`${this.#file}\`, or a tool module, was changed since it was proved`;
    return failedAttempt(plainFailure("FC9011", message, "nothing was run; start again"));
  }
}
