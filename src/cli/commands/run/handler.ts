/** `run`: proves a program, asks, and runs exactly the program that was proved, under a kernel. */
import { randomBytes } from "node:crypto";
import {
  type Address,
  type AppliedPolicy,
  type ApprovalChannel,
  type Approved,
  type Attest,
  addressOf,
  applyPolicyFile,
  attestorsOf,
  childTools,
  decide,
  endOf,
  type Failure,
  type Finished,
  inputsOf,
  isDocument,
  isTypeScript,
  keyPathOf,
  loadRunnable,
  misnamed,
  type NewLedger,
  type ProgramForm,
  type Proved,
  pageOf,
  plainFailure,
  policyChannel,
  policyReport,
  problemsToJson,
  proofReport,
  prove,
  type Rejected,
  type Runnable,
  type RunRequest,
  readPublicKey,
  refusedAtStart,
  resume,
  run,
  ServiceChannel,
  type SigningKey,
  SolverPool,
  serviceFor,
  signingKey,
  verifyingKey,
  withRunKernel,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, type Result, record } from "../../../ir/index.ts";
import type { Kernel } from "../../../kernel/index.ts";
import type { Ended } from "../../command-spec.ts";
import { type ExitCode, fine, notApproved, notSo, stoppedAtRun } from "../../exit-code.ts";
import { failureText, writeJson } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import type { JsonOption, SolverChoice } from "../../options.ts";
import { entry } from "../../places.ts";
import { Progress } from "../../progress.ts";
import { Typing } from "../../typing.ts";
import { policyText } from "../policy/render.ts";
import { proofText } from "../prove/render.ts";
import { tellInvalidPlan } from "./invalid-plan.ts";
import { runLive, tellStopped } from "./live.ts";
import { personChannel, questionText } from "./question.ts";

export interface RunProgramOptions extends JsonOption, SolverChoice {
  readonly input?: string;
  readonly ledger?: string;
  readonly kernel: string;
  readonly approve: "terminal" | "policy" | "page";
  readonly service?: string;
  readonly credential?: string;
  readonly words?: string;
  /** Set if a worker of the service runs it. */
  readonly worker?: boolean;
  readonly policy?: string;
  readonly yes?: boolean;
  readonly budget?: string;
  readonly key?: string;
  readonly dryRun?: boolean;
  readonly resume?: string;
  readonly tools?: readonly string[];
  readonly as?: ProgramForm;
  /** Contracts with their arguments, for a plan. */
  readonly guarantee?: readonly string[];
  /** The file with the initial state of a plan, for a run without a ledger. */
  readonly state?: string;
  readonly concurrency?: number;
  readonly callTimeout: number;
  /** The moments at which fluents are compared with the world. */
  readonly look?: "start" | "calls";
  readonly attestation?: readonly string[];
  readonly attestor?: readonly string[];
}

export async function runProgramFile(host: Host, file: string, options: RunProgramOptions): Promise<Ended> {
  const read = [file, options.input, options.policy].filter((path) => path === "-");
  const misuse = read.length > 1 ? await misnamed(host, read) : await misnamed(host, [file], options);
  if (misuse !== undefined) return misuse;
  if (file !== "-" && options.as === undefined && !isTypeScript(file) && !isDocument(file)) {
    const help =
      "give a TypeScript program (.ts), a plan (.json), or a document of the Effect IR (.eir, .json)";
    return plainFailure("FC9001", `\`${file}\` is not a program`, help);
  }
  const pool = new SolverPool();
  const typing = new Typing(host);
  try {
    const ended = await new RunCommand(host, file, options, pool, typing).run();
    return ended.ok ? ended.value : ended;
  } finally {
    typing.close();
    await pool.close();
  }
}

/** Everything that is known when somebody is asked. */
interface Asking {
  readonly proved: Proved<Runnable>;
  /** The decision of the policy, if there is one. */
  readonly policy?: AppliedPolicy | undefined;
  readonly request: RunRequest;
  readonly address: Address | undefined;
  /** The ledger at the address, if the run makes it. */
  readonly made?: NewLedger | undefined;
}

class RunCommand {
  readonly #host: Host;
  /** As it is shown. */
  readonly #file: string;
  readonly #path: string;
  readonly #options: RunProgramOptions;
  readonly #pool: SolverPool;
  readonly #typing: Typing;
  #attest: Attest | undefined;

  constructor(host: Host, path: string, options: RunProgramOptions, pool: SolverPool, typing: Typing) {
    this.#host = host;
    this.#path = path;
    this.#file = path === "-" ? "<stdin>" : path;
    this.#options = options;
    this.#pool = pool;
    this.#typing = typing;
  }

  async run(): Promise<Result<ExitCode, Failure>> {
    const { ledger, tools, input, resume: runId, as, budget, guarantee, kernel, state } = this.#options;
    const misuse = misuseOf(this.#options);
    if (misuse !== undefined) return misuse;
    if (this.#options.worker) {
      const { runByWorker } = await import("./by-worker.ts");
      return runByWorker(this.#host, this.#path, this.#options);
    }
    const address = ledger === undefined ? ok(undefined) : addressOf(ledger);
    if (!address.ok) return address;
    const attest = await attestorsOf(
      this.#host,
      this.#options,
      (line) => void this.#host.stderr.write(`${line}\n`),
    );
    if (!attest.ok) return attest;
    this.#attest = attest.value;
    const loading = await loadRunnable({ path: this.#path, as, tools, guarantee }, { fs: this.#host });
    if (loading.kind === "unreadable") return loading.failure;
    if (loading.kind === "invalid") return ok(await this.#invalid(loading.failures));
    const { document } = loading.loaded;
    const inputs = runId === undefined ? await inputsOf(this.#host, document, input) : ok(record([]));
    if (!inputs.ok) return inputs;
    const found = await this.#prove(loading.loaded);
    // The solver is not needed while a person reads.
    await this.#pool.close();
    if (!found.ok) return found;
    const { proved, policy } = found.value;
    if (proved.verdict !== "proved") return ok(await this.#notProved(proved));
    const { key, service } = this.#options;
    const hasKeys = key === undefined || service !== undefined;
    const choice = { address: address.value, kernel, budget, state, resumes: runId !== undefined, hasKeys };
    return withRunKernel(this.#host, document, choice, (opened, made) => {
      if (runId !== undefined && address.value !== undefined)
        return this.#resume(proved, opened, address.value, runId);
      const request = { proved, inputs: inputs.value, kernel: opened, budget };
      return this.#ask({ proved, policy, request, address: address.value, made });
    });
  }

  // ── the proof ──────────────────────────────────────────────────────────────────────────────────────────

  async #prove(loaded: Runnable): Promise<Result<Pick<Asking, "proved" | "policy">, Failure>> {
    const { solver, timeout, policy: file, tools } = this.#options;
    const progress = new Progress(this.#host);
    const asking = () => progress.waiting(`${this.#file}: asking the solver`);
    const how = { pool: this.#pool, solver, timeoutMs: timeout * 1000, asking };
    try {
      const proved = await prove(loaded, how);
      if (!proved.ok) return proved;
      if (file === undefined || proved.value.verdict !== "proved") return ok({ proved: proved.value });
      const where = { fs: this.#host, path: this.#file, tools };
      const policy = await applyPolicyFile(where, file, loaded, how);
      return policy.ok ? ok({ proved: proved.value, policy: policy.value }) : policy;
    } finally {
      await progress.clear();
    }
  }

  async #invalid(failures: readonly Failure[]): Promise<ExitCode> {
    const { stdout, stderr } = this.#host;
    const problems = failures.flatMap(problemsToJson);
    if (this.#options.json) await writeJson(stdout, { outcome: "not proved", verdict: "invalid", problems });
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

  async #ask(asking: Asking): Promise<Result<ExitCode, Failure>> {
    const { approve, yes, dryRun, key, service } = this.#options;
    const { request, proved, address, made } = asking;
    const signing =
      service === undefined
        ? await signingKey(this.#host, address, key, made?.keys)
        : await verifyingKey(this.#host, key);
    if (!signing.ok) return signing;
    // Nobody is asked about a run that could not begin, and no service is started for it.
    const refused = await refusedAtStart(request);
    if (refused !== undefined) return ok(await this.#rejected(proved, refused));
    if (dryRun) return ok(await this.#dryRun(asking));
    if (approve === "page" && yes !== true) return this.#onPage(asking, signing.value);
    const decided = await decide(request, this.#channel(asking), signing.value, this.#host);
    if (!decided.ok) return decided;
    if (decided.value.kind !== "approved") return ok(await this.#rejected(proved, decided.value));
    return codeOf(await this.#run(asking, decided.value, newRunId()));
  }

  /** Shows the question and the decision of the policy, and asks the person where the policy decides nothing. */
  #channel(asking: Asking): ApprovalChannel {
    const { json = false, yes = false } = this.#options;
    const { policy, address } = asking;
    const host = this.#host;
    const person = personChannel(host, { yes, isTyped: this.#isTyped, typing: this.#typing });
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
    const asked = { document, proof, coverage, inputs, budget, ledger };
    await this.#out.write(questionText(asked, this.#out));
    if (policy !== undefined && this.#options.json !== true)
      await this.#out.write(`${policyText(this.#file, policy, this.#out)}\n`);
  }

  /** With `--json`, standard output is for the result alone. */
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

  async #rejected({ document }: Proved<Runnable>, rejected: Rejected): Promise<ExitCode> {
    const { json = false } = this.#options;
    const { stdout, stderr } = this.#host;
    switch (rejected.kind) {
      case "rejected":
        if (json) await writeJson(stdout, { outcome: "not approved", reason: rejected.why });
        else await stderr.write(`${rejected.why}; nothing was run\n`);
        return notApproved;
      case "cannot begin":
        return tellStopped(this.#host, { document, json }, rejected.problems);
      case "invalid plan":
        return tellInvalidPlan(this.#host, document, rejected.found, json);
    }
  }

  async #onPage(asking: Asking, signing: SigningKey): Promise<Result<ExitCode, Failure>> {
    const { service, credential, tools, words } = this.#options;
    const host = this.#host;
    const to = await serviceFor(host, { file: this.#file, service, credential, tools, entry }, signing);
    if (!to.ok) return to;
    const runId = newRunId();
    const stop = new AbortController();
    const leave = host.onInterrupt?.(() => stop.abort());
    const page = (id: string) => visibleText(pageOf(to.value.page, id));
    const channel = new ServiceChannel({
      to: to.value,
      file: this.#file,
      words,
      runId,
      nowMs: host.nowMs,
      signal: stop.signal,
      filed: (id) => this.#out.write(`request ${visibleText(id)} is filed; decide on it at\n  ${page(id)}\n`),
      questioned: (id, isOpen) => {
        if (isOpen) void host.stderr.write(`the run asks a person at ${page(id)}\n`);
      },
    });
    try {
      const decided = await decide(asking.request, channel, signing, host);
      leave?.();
      if (!decided.ok) return decided;
      if (decided.value.kind !== "approved") return ok(await this.#rejected(asking.proved, decided.value));
      const ended = await this.#run(asking, decided.value, runId, channel);
      await channel.end(endOf(ended));
      return codeOf(ended);
    } finally {
      leave?.();
      await to.value.close();
    }
  }

  // ── the run ────────────────────────────────────────────────────────────────────────────────────────────

  #run(
    { proved, made, address }: Asking,
    approved: Approved,
    runId: string,
    channel?: ServiceChannel,
  ): Promise<Result<Finished, Failure>> {
    const { program, modules, nonce, decision, by } = approved.receipt;
    const about = {
      ...this.#about(proved, runId, address),
      more: { program, modules, receipt: nonce, decision, by },
      ...(made && { prepare: () => made.make() }),
      ...(channel && { hear: channel.hear, person: channel.person }),
    };
    return runLive(this.#host, about, (how) => run(approved, childTools(entry), how));
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
      resume(proved, kernel, publicKey.value, childTools(entry), how),
    );
    return codeOf(ended);
  }

  #about(proved: Proved<Runnable>, runId: string, address: Address | undefined) {
    const { callTimeout, concurrency, look, json = false } = this.#options;
    const typing = this.#isTyped ? this.#typing : undefined;
    return { proved, runId, address, callTimeout, concurrency, look, attest: this.#attest, json, typing };
  }

  /** True if a person sits at standard input, and the program was not read from it. */
  get #isTyped(): boolean {
    return this.#path !== "-" && this.#host.isTyped;
  }
}

/** Returns the failure of options that contradict each other. */
function misuseOf(options: RunProgramOptions): Failure | undefined {
  const { approve, policy, resume, ledger, input, budget, yes, dryRun } = options;
  const wrong = (message: string, help: string) => plainFailure("FC9001", message, help);
  const { service, credential, words, worker } = options;
  if (approve !== "page" && (service ?? credential ?? words ?? worker) !== undefined)
    return wrong(
      "`--service`, `--credential`, `--words` and `--worker` belong to `--approve page`",
      "write `--approve page --service http://…`, or omit them",
    );
  if ((approve === "policy") !== (policy !== undefined))
    return wrong(
      "`--approve policy` and `--policy` belong together",
      "write `--approve policy --policy policy.json`, or omit both",
    );
  if (worker && (ledger ?? resume ?? options.guarantee ?? options.tools ?? yes ?? dryRun) !== undefined)
    return wrong(
      "with `--worker` the service has the ledger and the tools, and its workers resume runs",
      "omit --ledger, --resume, --tools, --guarantee, --yes and --dry-run",
    );
  if (resume === undefined) return undefined;
  if (ledger === undefined) return wrong("`--resume` needs the ledger of the run", "name it with --ledger");
  if (input !== undefined || budget !== undefined || policy !== undefined || yes || dryRun)
    return wrong(
      "`--resume` cannot change the inputs, budget or policy of an approved run",
      "omit --input, --budget, --policy, --yes and --dry-run",
    );
  return undefined;
}

function codeOf(ended: Result<Finished, Failure>): Result<ExitCode, Failure> {
  if (!ended.ok) return ended;
  return ok(ended.value.kind === "ran" && ended.value.run.kind === "done" ? fine : stoppedAtRun);
}

function newRunId(): string {
  return randomBytes(6).toString("hex");
}
