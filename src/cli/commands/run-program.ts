/** `run`: proves a program, asks, and runs exactly what was proved, under a kernel. */
import { randomBytes } from "node:crypto";
import type { Receipt } from "../../approve/index.ts";
import { type PlainJson, type RecordValue, record } from "../../ir/index.ts";
import { Kernel, MemoryLog } from "../../kernel/index.ts";
import type { Proof, ProveOptions } from "../../prove/index.ts";
import { resumeProgram, runProgram, startingProblems } from "../../run/index.ts";
import { type ExitCode, fine, notApproved, notSo } from "../exit-code.ts";
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
import { type Address, absentFile, addressOf, noLedger, withKernel } from "../kernel/ledger.ts";
import { NewLedger } from "../kernel/new-ledger.ts";
import { isProgram, type LoadedProgram } from "../load-program.ts";
import { isDocument, loadRunnable } from "../load-written.ts";
import { misnamed, type NamedProgram, nameProgram, type ProgramForm } from "../named-program.ts";
import { memoryState, refusedPlan } from "../plan/plan-start.ts";
import { type AppliedPolicy, applyPolicy } from "../policy/apply-policy.ts";
import { compileClauses, folderOf, loadPolicy } from "../policy/load-policy.ts";
import { policyText, policyToJson } from "../policy/policy-text.ts";
import { Progress } from "../progress.ts";
import { coverageOfSubject, type SubjectCoverage } from "../prove/coverage.ts";
import { proofToJson } from "../prove/proof-json.ts";
import { proofText } from "../prove/proof-text.ts";
import { proveLoaded } from "../prove/prove-loaded.ts";
import { chooseSolver, type SolverName, solverResources } from "../prove/solver-choice.ts";
import { verdictOf } from "../prove/verdict.ts";
import { type Approver, approvedReceipt, type SigningKey, signingKey } from "../run/approval.ts";
import { approverOf } from "../run/approver.ts";
import { askOnPage } from "../run/page-approval.ts";
import { type Question, questionText } from "../run/question.ts";
import { type Ended, type Live, runLive, tellStopped } from "../run/run-live.ts";
import { endOf } from "../run/run-teller.ts";
import type { Terminal } from "../terminal.ts";
import { inputsOf } from "./run.ts";

export interface RunProgramOptions {
  readonly input?: string;
  readonly ledger?: string;
  readonly kernel: string;
  readonly approve: "terminal" | "policy" | "page";
  readonly service?: string;
  readonly credential?: string;
  readonly words?: string;
  readonly policy?: string;
  readonly yes?: boolean;
  readonly budget?: string;
  readonly key?: string;
  readonly dryRun?: boolean;
  readonly resume?: string;
  readonly tools?: readonly string[];
  /** How the text of standard input is read. */
  readonly as?: ProgramForm;
  /** Contracts with their arguments, for a plan. */
  readonly guarantee?: readonly string[];
  /** What a plan finds in memory, where nothing is kept. */
  readonly state?: string;
  readonly concurrency?: number;
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
  const done = await attempt(terminal, file, options);
  return done.ok ? done.value : reportFailure(terminal, done.failure, options.json === true);
}

async function attempt(
  terminal: Terminal,
  file: string,
  options: RunProgramOptions,
): Promise<Attempt<ExitCode>> {
  const read = [file, options.input, options.policy].filter((path) => path === "-");
  const misuse = read.length > 1 ? await misnamed(terminal, read) : await misnamed(terminal, [file], options);
  if (misuse !== undefined) return failedAttempt(misuse);
  if (file !== "-" && options.as === undefined && !isProgram(file) && !isDocument(file)) {
    const help =
      "give a TypeScript program (.ts), a plan (.json), or a document of the Effect IR (.eir, .json)";
    return failedAttempt(plainFailure("FC9001", `\`${file}\` is not what can be run`, help));
  }
  const named = await nameProgram(terminal, file, options);
  return named.ok ? new RunCommand(named.value, options).attempt() : named;
}

interface Proved {
  readonly proof: Proof;
  readonly coverage: SubjectCoverage;
  /** What the policy decides, if there is one. */
  readonly policy?: AppliedPolicy;
}

/** What is known when somebody is asked. */
interface Asking extends Proved {
  readonly kernel: Kernel;
  readonly address: Address | undefined;
  /** The ledger at the address, if the run makes it. */
  readonly made?: NewLedger;
  readonly document: LoadedProgram;
  readonly inputs: RecordValue;
}

type Resumed = Pick<Asking, "kernel" | "document" | "proof"> & { readonly address: Address };

class RunCommand {
  readonly #terminal: Terminal;
  readonly #file: string;
  readonly #form: ProgramForm;
  readonly #options: RunProgramOptions;

  constructor({ terminal, path, form }: NamedProgram, options: RunProgramOptions) {
    this.#terminal = terminal;
    this.#file = path;
    this.#form = form;
    this.#options = options;
  }

  async attempt(): Promise<Attempt<ExitCode>> {
    const { ledger, tools, input, resume, guarantee } = this.#options;
    const misuse = this.#misuse();
    if (misuse !== undefined) return failedAttempt(misuse);
    const address = ledger === undefined ? attained(undefined) : addressOf(ledger);
    if (!address.ok) return address;
    const loaded = await loadRunnable(this.#terminal, this.#file, tools, this.#form, guarantee);
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
    const { proof } = proved.value;
    return this.#onKernel(address.value, document, (kernel, made) =>
      resume === undefined || address.value === undefined
        ? this.#ask({
            kernel,
            address: address.value,
            ...(made && { made }),
            document,
            inputs: inputs.value,
            ...proved.value,
          })
        : this.#resume({ kernel, address: address.value, document, proof }, resume),
    );
  }

  #misuse() {
    const { approve, policy, resume, ledger, input, budget, yes, dryRun } = this.#options;
    const { service, credential, words } = this.#options;
    if (approve !== "page" && (service ?? credential ?? words) !== undefined) {
      const help = "write `--approve page --service http://…`, or leave them out";
      return plainFailure(
        "FC9001",
        "`--service`, `--credential` and `--words` belong to `--approve page`",
        help,
      );
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
      const proof = await proveLoaded(document, how);
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
    return applyPolicy(policy.value.policy, clauses.value, document, how);
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
    document: LoadedProgram,
    work: (kernel: Kernel, made?: NewLedger) => Promise<Attempt<ExitCode>>,
  ): Promise<Attempt<ExitCode>> {
    if (address !== undefined) {
      const absent = await absentFile(this.#terminal, address);
      if (!absent.ok) return absent;
      if (absent.value !== undefined && this.#options.resume === undefined)
        return this.#onNewLedger(absent.value, work);
      return withKernel(this.#terminal, address, this.#options.kernel, (kernel) => work(kernel));
    }
    const initial = await memoryState(this.#terminal, document, this.#options.state);
    if (!initial.ok) return initial;
    const clock = this.#terminal.wallMs;
    const opened = await Kernel.open({ ledger: new MemoryLog(), clock, ...initial.value });
    if (!opened.ok) return failedAttempt(plainFailure("FC9009", opened.problem.message));
    return work(opened.value);
  }

  async #onNewLedger(
    address: Address & { readonly file: string },
    work: (kernel: Kernel, made: NewLedger) => Promise<Attempt<ExitCode>>,
  ): Promise<Attempt<ExitCode>> {
    const { kernel: name, budget, key, service } = this.#options;
    if (budget === undefined)
      return failedAttempt(noLedger(address, ", or give `--budget 10`, and the run makes it"));
    const hasKeys = key === undefined || service !== undefined;
    const opened = await NewLedger.open(this.#terminal, address, { name, budget, hasKeys });
    if (!opened.ok) return opened;
    const { ledger, kernel } = opened.value;
    try {
      return await work(kernel, ledger);
    } finally {
      await kernel.close().catch(() => undefined);
      await ledger.close();
    }
  }

  async #ask(asking: Asking): Promise<Attempt<ExitCode>> {
    const { approve, json = false, yes, dryRun, budget, key } = this.#options;
    const { stdout, stderr } = this.#terminal;
    const { kernel, address, made, document, inputs, proof, coverage, policy } = asking;
    const ledger = made === undefined ? address?.shown : `${made.address.shown}, made when the run begins`;
    const asked: Question = { document, proof, coverage, inputs, budget, ledger };
    // With `--json`, standard output is for the answer alone.
    const out = json ? stderr : stdout;
    const signing = await this.#signing(asking, key);
    if (!signing.ok) return signing;
    // Nobody is asked about what could not begin.
    const problems = startingProblems(document.checked, kernel);
    if (problems.length > 0) return attained(await tellStopped(this.#terminal, { document, json }, problems));
    const refused = await refusedPlan(this.#terminal, document, kernel, json);
    if (refused !== undefined) return attained(refused);
    const isOnPage = approve === "page" && yes !== true;
    if ((!json || !yes) && !(isOnPage && !dryRun)) await out.write(questionText(asked, out));
    if (policy !== undefined && !json) await out.write(`${policyText(this.#file, policy, out)}\n`);
    if (dryRun) {
      const decision = policy === undefined ? {} : { policy: policyToJson(this.#file, policy) };
      if (json)
        await writeJson(stdout, {
          outcome: "dry run",
          ...decision,
          proof: this.#proofJson(document, asking),
        });
      else await out.write("nothing was run\n");
      return attained(fine);
    }
    if (isOnPage) return this.#approvedOnPage(asking, signing.value);
    const approver = await approverOf(this.#terminal, policy, kernel, {
      yes: yes === true,
      keepsCount: address !== undefined,
    });
    if (typeof approver === "string") return attained(await this.#refused(approver));
    return this.#approvedHere(asking, signing.value, approver);
  }

  /** Of a service that runs already, only the public key is here. */
  async #signing({ address, made }: Asking, key: string | undefined): Promise<Attempt<SigningKey>> {
    if (this.#options.service === undefined) return signingKey(this.#terminal, address, key, made?.keys);
    if (key === undefined) {
      const help = "give its public key with --key; `foreclaim keys show` shows it";
      return failedAttempt(plainFailure("FC9010", "the receipt of the service must be verified", help));
    }
    const publicKey = await readPublicKey(this.#terminal, key);
    return publicKey.ok ? attained({ privateKey: "", publicKey: publicKey.value }) : publicKey;
  }

  async #refused(why: string): Promise<ExitCode> {
    const { stdout, stderr } = this.#terminal;
    if (this.#options.json) await writeJson(stdout, { outcome: "not approved", reason: why });
    else await stderr.write(`${why}; nothing was run\n`);
    return notApproved;
  }

  // ── the run ────────────────────────────────────────────────────────────────────────────────────────────

  async #approvedHere(asking: Asking, signing: SigningKey, approver: Approver): Promise<Attempt<ExitCode>> {
    const { kernel, document, inputs } = asking;
    const { budget } = this.#options;
    const nowMs = this.#terminal.wallMs();
    const receipt = await approvedReceipt(document, inputs, kernel, signing, { ...approver, budget, nowMs });
    const ended = await this.#run(asking, receipt, signing.publicKey, newRunId());
    return ended.ok ? attained(ended.value.code) : ended;
  }

  async #approvedOnPage(asking: Asking, signing: SigningKey): Promise<Attempt<ExitCode>> {
    const runId = newRunId();
    const { document, inputs, kernel } = asking;
    const about = { ...this.#options, file: this.#file };
    const asked = await askOnPage(this.#terminal, about, document, inputs, kernel, runId, signing);
    if (!asked.ok) return asked;
    const { answer, hear, end, close } = asked.value;
    try {
      if ("refused" in answer) return attained(await this.#refused(answer.refused));
      const ended = await this.#run(asking, answer.receipt, signing.publicKey, runId, hear);
      await end(endOf(ended));
      return ended.ok ? attained(ended.value.code) : ended;
    } finally {
      await close();
    }
  }

  #run(
    asking: Asking,
    receipt: Receipt,
    publicKey: string,
    runId: string,
    hear?: Live["hear"],
  ): Promise<Attempt<Ended>> {
    const { document, inputs, made } = asking;
    const { program, modules, nonce, decision, by } = receipt;
    const more = { program, modules, receipt: nonce, decision, by };
    return runLive(
      this.#terminal,
      {
        ...this.#about(asking),
        runId,
        more,
        ...(made && { prepare: () => made.make() }),
        ...(hear !== undefined && { hear }),
      },
      (common) => runProgram(document.checked, { ...common, inputs, receipt, publicKey }),
    );
  }

  /** As it was approved: the receipt and the inputs are in the trace. */
  async #resume(about: Resumed, runId: string): Promise<Attempt<ExitCode>> {
    const path = this.#options.key ?? keyPathOf(about.address);
    if (path === undefined)
      return failedAttempt(
        plainFailure("FC9010", "there is no key to verify the receipt with", "give it with --key"),
      );
    const publicKey = await readPublicKey(this.#terminal, path);
    if (!publicKey.ok) return publicKey;
    const ended = await runLive(this.#terminal, { ...this.#about(about), runId, more: {} }, (common) =>
      resumeProgram(about.document.checked, { ...common, publicKey: publicKey.value }),
    );
    return ended.ok ? attained(ended.value.code) : ended;
  }

  #about({ kernel, document, proof, address }: Omit<Resumed, "address"> & Pick<Asking, "address">) {
    const { tools, callTimeout, concurrency, json = false } = this.#options;
    const [file, form] = [this.#file, this.#form];
    return { file, form, tools, callTimeout, concurrency, json, kernel, document, proof, address };
  }
}

function newRunId(): string {
  return randomBytes(6).toString("hex");
}
