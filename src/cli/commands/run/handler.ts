/** `run`: proves a program, asks, and runs exactly what was proved, under a kernel. */
import { randomBytes } from "node:crypto";
import {
  type Address,
  type AppliedPolicy,
  type ApprovalChannel,
  type Approved,
  absentFile,
  addressOf,
  applyPolicy,
  compileClauses,
  decide,
  endOf,
  type Failure,
  type Finished,
  folderOf,
  isDocument,
  isTypeScript,
  keyPathOf,
  type LoadedProgram,
  loadPolicy,
  loadRunnable,
  misnamed,
  moduleTools,
  NewLedger,
  noLedger,
  openMemoryKernel,
  type ProgramForm,
  type Proved,
  type ProveHow,
  plainFailure,
  policyChannel,
  policyReport,
  problemsToJson,
  proofReport,
  prove,
  type Rejected,
  type RunHow,
  type Runnable,
  type RunRequest,
  readPublicKey,
  refusedAtStart,
  resume,
  run,
  ServiceChannel,
  type SigningKey,
  type SolverName,
  SolverPool,
  signingKey,
  withKernel,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, type Result, record } from "../../../ir/index.ts";
import type { Kernel } from "../../../kernel/index.ts";
import { type ExitCode, fine, notApproved, notSo, stoppedAtRun } from "../../exit-code.ts";
import { failureText, reportFailure, writeJson } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import { Progress } from "../../progress.ts";
import { Typing } from "../../typing.ts";
import { inputsOf } from "../ir/run.ts";
import { policyText } from "../policy/render.ts";
import { proofText } from "../prove/render.ts";
import { tellInvalidPlan } from "./invalid-plan.ts";
import { runLive, tellStopped } from "./live.ts";
import { pageOf, serviceFor } from "./own-service.ts";
import { personChannel, type Question, questionText } from "./question.ts";

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
  /** The file with the state of a plan, where nothing is kept. */
  readonly state?: string;
  readonly concurrency?: number;
  readonly callTimeout: number;
  readonly timeout: number;
  readonly solver: SolverName;
  readonly json?: boolean;
}

export async function runProgramFile(
  host: Host,
  file: string,
  options: RunProgramOptions,
): Promise<ExitCode> {
  const done = await attempt(host, file, options);
  return done.ok ? done.value : reportFailure(host, done, options.json === true);
}

async function attempt(
  host: Host,
  file: string,
  options: RunProgramOptions,
): Promise<Result<ExitCode, Failure>> {
  const read = [file, options.input, options.policy].filter((path) => path === "-");
  const misuse = read.length > 1 ? await misnamed(host, read) : await misnamed(host, [file], options);
  if (misuse !== undefined) return misuse;
  if (file !== "-" && options.as === undefined && !isTypeScript(file) && !isDocument(file)) {
    const help =
      "give a TypeScript program (.ts), a plan (.json), or a document of the Effect IR (.eir, .json)";
    return plainFailure("FC9001", `\`${file}\` is not what can be run`, help);
  }
  const pool = new SolverPool();
  const typing = new Typing(host);
  try {
    return await new RunCommand(host, file, options, pool, typing).attempt();
  } finally {
    typing.close();
    await pool.close();
  }
}

/** The program, and what the policy decides, if there is one. */
interface Subject {
  readonly proved: Proved<Runnable>;
  readonly policy?: AppliedPolicy;
}

/** Everything that is known when somebody is asked. */
interface Asking extends Subject {
  readonly request: RunRequest;
  readonly address: Address | undefined;
  /** The ledger at the address, if the run makes it. */
  readonly made?: NewLedger;
}

class RunCommand {
  readonly #host: Host;
  /** As it is shown. */
  readonly #file: string;
  readonly #path: string;
  readonly #options: RunProgramOptions;
  readonly #pool: SolverPool;
  readonly #typing: Typing;

  constructor(host: Host, path: string, options: RunProgramOptions, pool: SolverPool, typing: Typing) {
    this.#host = host;
    this.#path = path;
    this.#file = path === "-" ? "<stdin>" : path;
    this.#options = options;
    this.#pool = pool;
    this.#typing = typing;
  }

  async attempt(): Promise<Result<ExitCode, Failure>> {
    const { ledger, tools, input, resume, as, budget, guarantee } = this.#options;
    const misuse = this.#misuse();
    if (misuse !== undefined) return misuse;
    const address = ledger === undefined ? ok(undefined) : addressOf(ledger);
    if (!address.ok) return address;
    const loading = await loadRunnable({ path: this.#path, as, tools, guarantee }, { fs: this.#host });
    if (loading.kind === "unreadable") return loading.failure;
    if (loading.kind === "invalid") return ok(await this.#invalid(loading.failures));
    const { document } = loading.loaded;
    const inputs = resume === undefined ? await inputsOf(this.#host, document, input) : ok(record([]));
    if (!inputs.ok) return inputs;
    const subject = await this.#prove(loading.loaded);
    // Nobody waits for the solver while a person reads.
    await this.#pool.close();
    if (!subject.ok) return subject;
    const { proved } = subject.value;
    if (proved.verdict !== "proved") return ok(await this.#notProved(proved));
    return this.#onKernel(address.value, document, (kernel, made) =>
      resume === undefined || address.value === undefined
        ? this.#ask({
            ...subject.value,
            request: { proved, inputs: inputs.value, kernel, budget },
            address: address.value,
            ...(made && { made }),
          })
        : this.#resume(proved, kernel, address.value, resume),
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

  async #prove(loaded: Runnable): Promise<Result<Subject, Failure>> {
    const { solver, timeout, policy: file } = this.#options;
    const progress = new Progress(this.#host);
    const asking = () => progress.waiting(`${this.#file}: asking the solver`);
    const how = { pool: this.#pool, solver, timeoutMs: timeout * 1000, asking };
    try {
      const proved = await prove(loaded, how);
      if (!proved.ok) return proved;
      if (file === undefined || proved.value.verdict !== "proved") return ok({ proved: proved.value });
      const policy = await this.#applied(loaded, file, how);
      return policy.ok ? ok({ proved: proved.value, policy: policy.value }) : policy;
    } finally {
      await progress.clear();
    }
  }

  async #applied(loaded: Runnable, file: string, how: ProveHow): Promise<Result<AppliedPolicy, Failure>> {
    const policy = await loadPolicy(this.#host, file);
    if (!policy.ok) return policy;
    const folder = folderOf(this.#file);
    const clauses = await compileClauses(this.#host, policy.value, folder, this.#options.tools);
    if (!clauses.ok) return clauses;
    return applyPolicy(policy.value.policy, clauses.value, loaded, how);
  }

  async #invalid(failures: readonly Parameters<typeof failureText>[0][]): Promise<ExitCode> {
    const { stdout, stderr } = this.#host;
    if (this.#options.json)
      await writeJson(stdout, {
        outcome: "not proved",
        verdict: "invalid",
        problems: failures.flatMap(problemsToJson),
      });
    else for (const failure of failures) await stderr.write(failureText(failure, stderr));
    return notSo;
  }

  async #notProved(proved: Proved<Runnable>): Promise<ExitCode> {
    const { stdout } = this.#host;
    const { document, proof, coverage } = proved;
    if (this.#options.json)
      await writeJson(stdout, { outcome: "not proved", proof: proofReport(this.#file, proved, 0) });
    else await stdout.write(`${proofText(document, proof, coverage, stdout)}nothing was run\n`);
    return notSo;
  }

  // ── the question ───────────────────────────────────────────────────────────────────────────────────────

  async #onKernel(
    address: Address | undefined,
    document: LoadedProgram,
    work: (kernel: Kernel, made?: NewLedger) => Promise<Result<ExitCode, Failure>>,
  ): Promise<Result<ExitCode, Failure>> {
    if (address !== undefined) {
      const absent = await absentFile(this.#host, address);
      if (!absent.ok) return absent;
      if (absent.value !== undefined && this.#options.resume === undefined)
        return this.#onNewLedger(absent.value, work);
      return withKernel(this.#host, address, this.#options.kernel, (kernel) => work(kernel));
    }
    const opened = await openMemoryKernel(this.#host, document, this.#options.state, this.#host);
    return opened.ok ? work(opened.value) : opened;
  }

  async #onNewLedger(
    address: Address & { readonly file: string },
    work: (kernel: Kernel, made: NewLedger) => Promise<Result<ExitCode, Failure>>,
  ): Promise<Result<ExitCode, Failure>> {
    const { kernel: name, budget, key, service } = this.#options;
    if (budget === undefined) return noLedger(address, ", or give `--budget 10`, and the run makes it");
    const hasKeys = key === undefined || service !== undefined;
    const opened = await NewLedger.open(this.#host, address, { name, budget, hasKeys });
    if (!opened.ok) return opened;
    const { ledger, kernel } = opened.value;
    try {
      return await work(kernel, ledger);
    } finally {
      await kernel.close().catch(() => undefined);
      await ledger.close();
    }
  }

  async #ask(asking: Asking): Promise<Result<ExitCode, Failure>> {
    const { approve, yes, dryRun, key } = this.#options;
    const { request, proved } = asking;
    const signing = await this.#signing(asking, key);
    if (!signing.ok) return signing;
    // Nobody is shown what could not begin, and no service is started for it.
    const refused = await refusedAtStart(request);
    if (refused !== undefined) return ok(await this.#rejected(proved, refused));
    if (dryRun) return ok(await this.#dryRun(asking));
    if (approve === "page" && yes !== true) return this.#onPage(asking, signing.value);
    const decided = await decide(request, this.#channel(asking), signing.value, this.#host);
    if (!decided.ok) return decided;
    if (decided.value.kind !== "approved") return ok(await this.#rejected(proved, decided.value));
    const ended = await this.#run(asking, decided.value, newRunId());
    return ended.ok ? ok(codeOf(ended.value)) : ended;
  }

  /** Shows the question and the decision of the policy, and asks the person where the policy decides nothing. */
  #channel(asking: Asking): ApprovalChannel {
    const { json = false, yes } = this.#options;
    const { policy, address } = asking;
    const host = this.#host;
    const person = personChannel(host, {
      yes: yes === true,
      isTyped: this.#isTyped,
      typing: this.#typing,
    });
    const decides =
      policy === undefined
        ? person
        : policyChannel({
            policy,
            keepsCount: address !== undefined,
            wallMs: host.wallMs,
            told: (text) => host.stderr.write(`${text}\n`),
            otherwise: person,
          });
    return {
      ask: async (request) => {
        if (!json || !yes) await this.#show(asking);
        return decides.ask(request);
      },
    };
  }

  async #show({ request, proved, policy, address, made }: Asking): Promise<void> {
    const { inputs, budget } = request;
    const ledger = made === undefined ? address?.shown : `${made.address.shown}, made when the run begins`;
    const { document, proof, coverage } = proved;
    const asked: Question = { document, proof, coverage, inputs, budget, ledger };
    await this.#out.write(questionText(asked, this.#out));
    if (policy !== undefined && this.#options.json !== true) await this.#showPolicy(policy);
  }

  async #showPolicy(policy: AppliedPolicy): Promise<void> {
    await this.#out.write(`${policyText(this.#file, policy, this.#out)}\n`);
  }

  /** With `--json`, standard output is for the answer alone. */
  get #out(): Output {
    return this.#options.json ? this.#host.stderr : this.#host.stdout;
  }

  async #dryRun(asking: Asking): Promise<ExitCode> {
    const { policy, proved } = asking;
    const { json, yes } = this.#options;
    if (!json || !yes) await this.#show(asking);
    if (json)
      await writeJson(this.#host.stdout, {
        outcome: "dry run",
        ...(policy === undefined ? {} : { policy: policyReport(this.#file, policy) }),
        proof: proofReport(this.#file, proved, 0),
      });
    else await this.#out.write("nothing was run\n");
    return fine;
  }

  #rejected({ document }: Proved<Runnable>, rejected: Rejected): Promise<ExitCode> {
    const json = this.#options.json === true;
    switch (rejected.kind) {
      case "rejected":
        return this.#refused(rejected.why);
      case "cannot begin":
        return tellStopped(this.#host, { document, json }, rejected.problems);
      case "invalid plan":
        return tellInvalidPlan(this.#host, document, rejected.found, json);
    }
  }

  /** Of a service that runs already, only the public key is here. */
  async #signing({ address, made }: Asking, key: string | undefined): Promise<Result<SigningKey, Failure>> {
    if (this.#options.service === undefined) return signingKey(this.#host, address, key, made?.keys);
    if (key === undefined) {
      const help = "give its public key with --key; `foreclaim keys show` shows it";
      return plainFailure("FC9010", "the receipt of the service must be verified", help);
    }
    const publicKey = await readPublicKey(this.#host, key);
    return publicKey.ok ? ok({ privateKey: "", publicKey: publicKey.value }) : publicKey;
  }

  async #refused(why: string): Promise<ExitCode> {
    const { stdout, stderr } = this.#host;
    if (this.#options.json) await writeJson(stdout, { outcome: "not approved", reason: why });
    else await stderr.write(`${why}; nothing was run\n`);
    return notApproved;
  }

  // ── the run ────────────────────────────────────────────────────────────────────────────────────────────

  async #onPage(asking: Asking, signing: SigningKey): Promise<Result<ExitCode, Failure>> {
    const { service, credential, tools, words } = this.#options;
    const host = this.#host;
    const to = await serviceFor(host, { file: this.#file, service, credential, tools }, signing);
    if (!to.ok) return to;
    const runId = newRunId();
    const stop = new AbortController();
    const leave = host.onInterrupt?.(() => stop.abort());
    const channel = new ServiceChannel({
      to: to.value,
      file: this.#file,
      words,
      runId,
      nowMs: host.nowMs,
      signal: stop.signal,
      filed: (id) =>
        this.#out.write(
          `request ${visibleText(id)} is filed; decide on it at\n  ${visibleText(pageOf(to.value.page, id))}\n`,
        ),
    });
    try {
      const decided = await decide(asking.request, channel, signing, host);
      leave?.();
      if (!decided.ok) return decided;
      if (decided.value.kind !== "approved") return ok(await this.#rejected(asking.proved, decided.value));
      const ended = await this.#run(asking, decided.value, runId, channel.hear);
      await channel.end(endOf(ended));
      return ended.ok ? ok(codeOf(ended.value)) : ended;
    } finally {
      leave?.();
      await to.value.close();
    }
  }

  #run(
    { proved, made, address }: Asking,
    approved: Approved,
    runId: string,
    hear?: RunHow["onProgress"],
  ): Promise<Result<Finished, Failure>> {
    const { program, modules, nonce, decision, by } = approved.receipt;
    return runLive(
      this.#host,
      {
        ...this.#about(proved, runId, address),
        more: { program, modules, receipt: nonce, decision, by },
        ...(made && { prepare: () => made.make() }),
        ...(hear !== undefined && { hear }),
      },
      (how) => run(approved, moduleTools, how),
    );
  }

  /** Resumes a run as it was approved: the receipt and the inputs are in the trace. */
  async #resume(
    proved: Proved<Runnable>,
    kernel: Kernel,
    address: Address,
    runId: string,
  ): Promise<Result<ExitCode, Failure>> {
    const path = this.#options.key ?? keyPathOf(address);
    if (path === undefined)
      return plainFailure("FC9010", "there is no key to verify the receipt with", "give it with --key");
    const publicKey = await readPublicKey(this.#host, path);
    if (!publicKey.ok) return publicKey;
    const about = { ...this.#about(proved, runId, address), more: {} };
    const ended = await runLive(this.#host, about, (how) =>
      resume(proved, kernel, publicKey.value, moduleTools, how),
    );
    return ended.ok ? ok(codeOf(ended.value)) : ended;
  }

  #about(proved: Proved<Runnable>, runId: string, address: Address | undefined) {
    const { callTimeout, concurrency, json = false } = this.#options;
    const typing = this.#isTyped ? this.#typing : undefined;
    return { proved, runId, address, callTimeout, concurrency, json, typing };
  }

  /** True if a person sits at standard input, and the program was not read from it. */
  get #isTyped(): boolean {
    return this.#path !== "-" && this.#host.isTyped;
  }
}

function codeOf(finished: Finished): ExitCode {
  return finished.kind === "ran" && finished.run.kind === "done" ? fine : stoppedAtRun;
}

function newRunId(): string {
  return randomBytes(6).toString("hex");
}
