/** The work of the server: proves a program, runs one, lists the tools. Runs in a process of its own. */
import { randomBytes } from "node:crypto";
import {
  type Address,
  type Approved,
  addressOf,
  applyPolicy,
  type Clock,
  catalogueOf,
  compileClauses,
  decide,
  endOf,
  type Failure,
  type FileSystem,
  failuresIn,
  inFolder,
  loadInputs,
  loadPolicy,
  loadRunnable,
  looksLikeDocument,
  missingInputs,
  moduleTools,
  openMemoryKernel,
  plainFailure,
  policyChannel,
  problemReports,
  proofReport,
  prove,
  type RunHow,
  type Runnable,
  type RunRequest,
  readPublicKey,
  readSource,
  run,
  ServiceChannel,
  type SolverPool,
  signingKey,
  visibleTools,
  withKernel,
  withText,
} from "../../app/index.ts";
import { ok, type Result, record } from "../../ir/index.ts";
import {
  failedRun,
  invalidAnswer,
  notRun,
  type ProveAnswer,
  proveAnswer,
  type RunAnswer,
  runAnswer,
} from "./answers.ts";
import type { CatalogueAnswer, Job, JobAnswer, Stage } from "./messages.ts";
import type { McpSettings } from "./settings.ts";

export interface JobContext {
  readonly settings: McpSettings;
  readonly host: FileSystem & Clock;
  readonly pool: SolverPool;
  /** Hears how far a run has come. */
  readonly reached: (stage: Stage) => void;
  /** Hears what an operator should know and an agent should not. */
  readonly told: (text: string) => void;
  /** Stops waiting for an approval. */
  readonly signal: AbortSignal;
}

export async function perform(context: JobContext, job: Job): Promise<JobAnswer> {
  switch (job.kind) {
    case "prove":
      return { kind: "prove", answer: await proveText(context, job) };
    case "run":
      return { kind: "run", answer: await runText(context, job) };
    case "catalogue":
      return { kind: "catalogue", answer: await catalogue(context) };
  }
}

// ── proofs ───────────────────────────────────────────────────────────────────────────────────────────────

interface Given {
  readonly program: string;
  readonly inputs?: unknown;
}

async function proveText(context: JobContext, { program, inputs }: Given): Promise<ProveAnswer> {
  const loading = await loadText(context, program);
  if (loading.kind !== "loaded") return invalidAnswer(fileOf(program), failuresIn(loading));
  const { loaded } = loading;
  if (inputs !== undefined) {
    const read = await inputsIn(context, loaded, inputs);
    if (!read.ok) return invalidAnswer(fileOf(program), [read]);
  }
  const startMs = context.host.nowMs();
  const proved = await prove(loaded, howTo(context));
  if (!proved.ok) return invalidAnswer(fileOf(program), [proved]);
  return proveAnswer(proofReport(fileOf(program), proved.value, context.host.nowMs() - startMs));
}

/** The program as if it lay in the folder of the project. */
function loadText({ settings, host }: JobContext, program: string) {
  const path = inFolder(settings.folder, fileOf(program));
  return loadRunnable({ path, tools: settings.tools }, { fs: withText(host, path, program) });
}

function fileOf(program: string): string {
  return looksLikeDocument(program) ? "program.eir" : "program.ts";
}

function howTo({ pool, settings: { solver, timeoutMs } }: JobContext) {
  return { pool, solver, timeoutMs };
}

async function inputsIn({ host, settings }: JobContext, { document }: Runnable, inputs: unknown) {
  if (inputs === undefined) {
    const missing = missingInputs(document);
    return missing === undefined ? ok(record([])) : missing;
  }
  const path = inFolder(settings.folder, "inputs.json");
  return loadInputs(withText(host, path, JSON.stringify(inputs)), path, document);
}

// ── runs ─────────────────────────────────────────────────────────────────────────────────────────────────

async function runText(context: JobContext, { program, inputs }: Given): Promise<RunAnswer> {
  const loading = await loadText(context, program);
  if (loading.kind !== "loaded")
    return notRun("invalid", "not proved", "it does not compile; `prove` says why");
  const { loaded } = loading;
  const read = await inputsIn(context, loaded, inputs);
  if (!read.ok) return failedRun("invalid", read, true);
  const proved = await prove(loaded, howTo(context));
  if (!proved.ok) return failed(context, "unknown", proved);
  const { verdict } = proved.value;
  if (verdict !== "proved") return notRun(verdict, "not proved", `it is ${verdict}; \`prove\` says why`);
  const done = await onKernel(context, loaded, (kernel, address) =>
    new Run(
      context,
      { proved: proved.value, inputs: read.value, kernel, budget: context.settings.budget },
      address,
    ).attempt(),
  );
  return done.ok ? done.value : failed(context, "proved", done);
}

function failed({ told }: JobContext, verdict: RunAnswer["verdict"], failure: Failure): RunAnswer {
  for (const { code, message } of problemReports([failure])) told(`${code}: ${message}`);
  return failedRun(verdict, failure, false);
}

async function onKernel<T>(
  { settings, host }: JobContext,
  { document }: Runnable,
  work: (kernel: RunRequest["kernel"], address: Address | undefined) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  if (settings.ledger === undefined) {
    const opened = await openMemoryKernel(host, document, undefined, host);
    return opened.ok ? work(opened.value, undefined) : opened;
  }
  const address = addressOf(settings.ledger);
  if (!address.ok) return address;
  return withKernel(host, address.value, settings.kernel, (kernel) => work(kernel, address.value));
}

/** One run: the policy decides, or the service is asked, and what is approved is run. */
class Run {
  readonly #context: JobContext;
  readonly #request: RunRequest;
  readonly #address: Address | undefined;
  readonly #runId = randomBytes(6).toString("hex");

  constructor(context: JobContext, request: RunRequest, address: Address | undefined) {
    this.#context = context;
    this.#request = request;
    this.#address = address;
  }

  async attempt(): Promise<Result<RunAnswer, Failure>> {
    const byPolicy = await this.#byPolicy();
    if (!byPolicy.ok) return byPolicy;
    if (byPolicy.value.kind === "approved") return this.#run(byPolicy.value);
    if (byPolicy.value.kind === "rejected") return rejected(byPolicy.value.why);
    const { service } = this.#context.settings;
    if (service === undefined)
      return rejected(
        "no rule of the policy approves it, and there is no service on which a person could decide",
      );
    return this.#byPerson(service);
  }

  async #byPolicy(): Promise<
    Result<Approved | { kind: "rejected"; why: string } | { kind: "open" }, Failure>
  > {
    const { settings, host, told } = this.#context;
    if (settings.policy === undefined) return ok({ kind: "open" });
    const applied = await this.#applied(settings.policy);
    if (!applied.ok) return applied;
    let isOpen = false;
    const channel = policyChannel({
      policy: applied.value,
      keepsCount: this.#address !== undefined,
      wallMs: host.wallMs,
      told: async (text) => told(text),
      otherwise: {
        ask: async () => {
          isOpen = true;
          return ok({ kind: "rejected", why: "" });
        },
      },
    });
    const key = settings.service === undefined ? settings.key : undefined;
    const signing = await signingKey(host, this.#address, key);
    // Without a key nothing is approved here; the service may.
    if (!signing.ok) return settings.service === undefined ? signing : ok({ kind: "open" });
    const decided = await decide(this.#request, channel, signing.value, host);
    if (!decided.ok) return decided;
    if (isOpen) return ok({ kind: "open" });
    return ok(
      decided.value.kind === "approved" ? decided.value : { kind: "rejected", why: whyOf(decided.value) },
    );
  }

  async #applied(file: string) {
    const { settings, host } = this.#context;
    const policy = await loadPolicy(host, file);
    if (!policy.ok) return policy;
    const clauses = await compileClauses(host, policy.value, settings.folder, settings.tools);
    if (!clauses.ok) return clauses;
    return applyPolicy(policy.value.policy, clauses.value, this.#request.proved.loaded, howTo(this.#context));
  }

  async #byPerson(service: string): Promise<Result<RunAnswer, Failure>> {
    const { settings, host, reached, signal } = this.#context;
    const credential = await secretIn(this.#context, settings.credential);
    if (!credential.ok) return credential;
    const publicKey = await keyOf(this.#context, settings.key);
    if (!publicKey.ok) return publicKey;
    const channel = new ServiceChannel({
      to: { url: service, credential: credential.value },
      file: this.#request.proved.document.file,
      runId: this.#runId,
      nowMs: host.nowMs,
      signal,
      filed: async (id) =>
        reached({ kind: "pending", address: `${service.replace(/\/$/, "")}/#/requests/${id}` }),
    });
    // Nobody waits for the solver while a person reads.
    await this.#context.pool.close();
    const decided = await decide(
      this.#request,
      channel,
      { privateKey: "", publicKey: publicKey.value },
      host,
    );
    if (!decided.ok) return decided;
    if (decided.value.kind !== "approved") return rejected(whyOf(decided.value));
    return this.#run(decided.value, channel);
  }

  async #run(approved: Approved, channel?: ServiceChannel): Promise<Result<RunAnswer, Failure>> {
    const { settings, host, reached } = this.#context;
    const how: RunHow = {
      runId: this.#runId,
      callTimeoutMs: settings.callTimeoutMs,
      wallMs: host.wallMs,
      ledger: this.#address,
      ...(channel && { onProgress: channel.hear }),
      prepare: async () => {
        reached({ kind: "running" });
        return ok(undefined);
      },
    };
    const ended = await run(approved, moduleTools, how);
    await channel?.end(endOf(ended));
    if (!ended.ok) return ended;
    const { nonce, decision, by } = approved.receipt;
    return ok(runAnswer(ended.value, { id: nonce, decision, by }));
  }
}

function rejected(why: string): Result<RunAnswer, Failure> {
  return ok(notRun("proved", "rejected", why));
}

function whyOf(decided: Exclude<Awaited<ReturnType<typeof decide>>, { ok: false }>["value"]): string {
  switch (decided.kind) {
    case "rejected":
      return decided.why;
    case "cannot begin":
      return `the run cannot begin: ${decided.problems[0]?.code ?? ""}`;
    case "invalid plan":
      return "the plan can go wrong from the state of the kernel";
    case "approved":
      return "";
  }
}

async function secretIn({ host }: JobContext, file: string | undefined): Promise<Result<string, Failure>> {
  if (file === undefined) {
    const help = "give the file with --credential; `foreclaim serve credential make` makes one";
    return plainFailure("FC9001", "the service must know whose request it is", help);
  }
  const source = await readSource(host, file, 4_096);
  return source.ok ? ok(source.value.text.trim()) : source;
}

async function keyOf({ host }: JobContext, file: string | undefined): Promise<Result<string, Failure>> {
  if (file !== undefined) return readPublicKey(host, file);
  const help = "give its public key with --key; `foreclaim keys show` shows it";
  return plainFailure("FC9010", "the receipt of the service must be verified", help);
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────────────

async function catalogue({ settings, host }: JobContext): Promise<CatalogueAnswer> {
  const visible = await visibleTools(host, [settings.folder], settings.tools);
  if (visible.kind === "failed") return { ok: false, problems: problemReports(visible.failures) };
  return { ok: true, modules: visible.folders.flatMap((one) => catalogueOf(one, settings.folder)) };
}
