/** The requests of agents: prove a program, run one, list the tools. The MCP server and the adapters share them. */
import { randomBytes } from "node:crypto";
import { ok, type Result, record } from "../../ir/index.ts";
import type { Person } from "../../run/index.ts";
import { type AppliedPolicy, applyPolicy } from "../decide/apply-policy.ts";
import { compileClauses, loadPolicy } from "../decide/load-policy.ts";
import { type PersonQuestion, type PersonReply, personBy } from "../decide/person-questions.ts";
import { policyChannel } from "../decide/policy-channel.ts";
import { signingKey } from "../decide/receipt.ts";
import { endOf } from "../decide/run-teller.ts";
import { ServiceChannel } from "../decide/service-channel.ts";
import {
  type ApprovalChannel,
  type Approved,
  decide,
  type Rejected,
  type RunRequest,
  refusedAtStart,
} from "../decide.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { inFolder } from "../files/paths.ts";
import { type Clock, type FileSystem, withText } from "../files/port.ts";
import { readSource } from "../files/source.ts";
import { readPublicKey } from "../ledger/keys.ts";
import { openMemoryKernel } from "../ledger/memory-kernel.ts";
import { type Address, addressOf, withKernel } from "../ledger/open.ts";
import { type CatalogueModule, catalogueOf } from "../load/catalogue.ts";
import { loadInputs } from "../load/documents.ts";
import { looksLikeDocument } from "../load/form.ts";
import { missingInputs } from "../load/missing-inputs.ts";
import { visibleTools } from "../load/visible-tools.ts";
import { failuresIn, loadRunnable, type Runnable } from "../load.ts";
import type { SolverName, SolverPool } from "../prove/solver-pool.ts";
import { prove } from "../prove.ts";
import { type ProblemReport, problemReports, proofReport } from "../report.ts";
import { type RunHow, run, type ToolSource } from "../run.ts";
import {
  failedRun,
  invalidAnswer,
  notRun,
  type ProveAnswer,
  proveAnswer,
  type RunAnswer,
  runAnswer,
} from "./answers.ts";
import { questionOf, type RunQuestion } from "./question.ts";

/** Plain JSON: it may be sent to the processes that do the work. */
export interface AgentSettings {
  /** The folder that programs are taken to lie in. */
  readonly folder: string;
  readonly tools?: readonly string[];
  readonly policy?: string;
  readonly ledger?: string;
  readonly kernel: string;
  /** The most that a run may spend. */
  readonly budget?: string;
  /** The approval service that is asked where no rule decides. */
  readonly service?: string;
  /** The address of its page for people, if it is another one. */
  readonly page?: string;
  /** The file with the agent's credential at the service. */
  readonly credential?: string;
  /** The key that signs receipts here; with a service, the public key that verifies its receipts. */
  readonly key?: string;
  /** The public key of the service itself, in PEM, in place of a file. */
  readonly serviceKey?: string;
  /** True if a form that the client's host answers may approve a run, where nobody else is asked. */
  readonly forms?: boolean;
  readonly solver: SolverName;
  /** For each question to the solver. */
  readonly timeoutMs: number;
  readonly callTimeoutMs: number;
}

/** The stage of a run after its proof. */
export type RunStage =
  /** The service proves it again, and its policy decides. */
  | { readonly kind: "filed" }
  /** A person has to decide on the page. */
  | { readonly kind: "pending"; readonly address: string }
  /** The host of the client is asked by form, before the run or in the middle of it. */
  | { readonly kind: "form"; readonly id: string; readonly question: FormQuestion }
  /** From now on calls are made, and the run is left alone. */
  | { readonly kind: "running" }
  /** A tool asks a person on the page. */
  | { readonly kind: "asks"; readonly address: string };

/** A question that the host of a client answers by form: about a program, or of a tool. */
export type FormQuestion =
  | { readonly kind: "program"; readonly what: string; readonly items: readonly string[] }
  | PersonQuestion;

/** A reply to a form, with the client that it came from. */
export type FormReply = PersonReply & { readonly by: string };

export interface AgentContext {
  readonly settings: AgentSettings;
  readonly host: FileSystem & Clock;
  readonly pool: SolverPool;
  /** Gives the functions of the tools. */
  readonly tools: ToolSource;
  /** Asked where no rule decides, in place of the service. */
  readonly person?: ApprovalChannel;
  /** Whom tools may ask during a run. */
  readonly asked?: Person;
  /** Asks the host of the client by form. */
  readonly form?: (question: FormQuestion, signal: AbortSignal) => Promise<FormReply>;
  /** The agent's credential at the service, in place of the file of the settings. */
  readonly credential?: string | undefined;
  /** Called before a person reads the question at the service: nobody waits for a solver meanwhile. */
  readonly reading?: () => Promise<void>;
  /** Hears how far a run has come. */
  readonly reached: (stage: RunStage) => void;
  /** Hears what an operator should know and an agent should not. */
  readonly told: (text: string) => void;
  /** Stops waiting for an approval. */
  readonly signal: AbortSignal;
}

// ── proofs ───────────────────────────────────────────────────────────────────────────────────────────────

/** A request of an agent. */
export interface GivenProgram {
  readonly program: string;
  readonly inputs?: unknown;
}

export async function proveForAgent(
  context: AgentContext,
  { program, inputs }: GivenProgram,
): Promise<ProveAnswer> {
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
function loadText({ settings, host }: AgentContext, program: string) {
  const path = inFolder(settings.folder, fileOf(program));
  return loadRunnable({ path, tools: settings.tools }, { fs: withText(host, path, program) });
}

function fileOf(program: string): string {
  return looksLikeDocument(program) ? "program.eir" : "program.ts";
}

function howTo({ pool, settings: { solver, timeoutMs } }: AgentContext) {
  return { pool, solver, timeoutMs };
}

async function inputsIn({ host, settings }: AgentContext, { document }: Runnable, inputs: unknown) {
  if (inputs === undefined) {
    const missing = missingInputs(document);
    return missing === undefined ? ok(record([])) : missing;
  }
  const path = inFolder(settings.folder, "inputs.json");
  return loadInputs(withText(host, path, JSON.stringify(inputs)), path, document);
}

// ── runs ─────────────────────────────────────────────────────────────────────────────────────────────────

export async function runForAgent(context: AgentContext, given: GivenProgram): Promise<RunAnswer> {
  const ready = await readyToRun(context, given);
  if (ready.kind === "not run") return ready.answer;
  const done = await onKernel(context, ready.request.proved.loaded, (kernel, address) =>
    new Run(context, { ...ready.request, kernel }, address).attempt(),
  );
  return done.ok ? done.value : failed(context, "proved", done);
}

/** The answer to `run` before anything is asked or run: who decides, and for a person the request. */
export type Standing =
  | { readonly kind: "not run"; readonly answer: RunAnswer }
  | { readonly kind: "approved"; readonly by: string }
  | { readonly kind: "rejected"; readonly why: string }
  | { readonly kind: "open"; readonly question: RunQuestion };

/** Returns who would decide on a run. Nobody is asked, nothing is charged and nothing is run. */
export async function standingForAgent(context: AgentContext, given: GivenProgram): Promise<Standing> {
  const ready = await readyToRun(context, given);
  if (ready.kind === "not run") return ready;
  const done = await onKernel<Standing>(context, ready.request.proved.loaded, async (kernel, address) => {
    const request = { ...ready.request, kernel };
    const refused = await refusedAtStart(request);
    if (refused !== undefined) return ok({ kind: "rejected", why: whyOf(refused) });
    const applied = await new Run(context, request, address).policy();
    if (!applied.ok) return applied;
    const { decision = undefined, rule } = applied.value ?? {};
    const named = `rule ${rule?.name ?? ""}`;
    if (decision === "auto_approved") return ok({ kind: "approved", by: named });
    if (decision === "auto_rejected") return ok({ kind: "rejected", why: `it was rejected by ${named}` });
    return ok({ kind: "open", question: questionOf(request) });
  });
  return done.ok ? done.value : { kind: "not run", answer: failed(context, "proved", done) };
}

type Ready =
  | { readonly kind: "not run"; readonly answer: RunAnswer }
  | { readonly kind: "ready"; readonly request: Omit<RunRequest, "kernel"> };

async function readyToRun(context: AgentContext, { program, inputs }: GivenProgram): Promise<Ready> {
  const no = (answer: RunAnswer): Ready => ({ kind: "not run", answer });
  const loading = await loadText(context, program);
  if (loading.kind !== "loaded")
    return no(notRun("invalid", "not proved", "it does not compile; `prove` says why"));
  const { loaded } = loading;
  const read = await inputsIn(context, loaded, inputs);
  if (!read.ok) return no(failedRun("invalid", read, true));
  const proved = await prove(loaded, howTo(context));
  if (!proved.ok) return no(failed(context, "unknown", proved));
  const { verdict } = proved.value;
  if (verdict !== "proved") return no(notRun(verdict, "not proved", `it is ${verdict}; \`prove\` says why`));
  const { budget } = context.settings;
  return { kind: "ready", request: { proved: proved.value, inputs: read.value, budget } };
}

function failed({ told }: AgentContext, verdict: RunAnswer["verdict"], failure: Failure): RunAnswer {
  for (const { code, message } of problemReports([failure])) told(`${code}: ${message}`);
  return failedRun(verdict, failure, false);
}

async function onKernel<T>(
  { settings, host }: AgentContext,
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
  readonly #context: AgentContext;
  readonly #request: RunRequest;
  readonly #address: Address | undefined;
  readonly #runId = randomBytes(6).toString("hex");

  constructor(context: AgentContext, request: RunRequest, address: Address | undefined) {
    this.#context = context;
    this.#request = request;
    this.#address = address;
  }

  async attempt(): Promise<Result<RunAnswer, Failure>> {
    const byPolicy = await this.#byPolicy();
    if (!byPolicy.ok) return byPolicy;
    if (byPolicy.value.kind === "approved") return this.#run(byPolicy.value);
    if (byPolicy.value.kind === "rejected") return rejected(byPolicy.value.why);
    const { settings, person } = this.#context;
    if (person !== undefined) return this.#byPerson(person);
    if (settings.service !== undefined) return this.#byService(settings.service);
    if (settings.forms === true) return this.#byForm();
    return rejected(
      "no rule of the policy approves it, and there is no service on which a person could decide",
    );
  }

  async #byPolicy(): Promise<
    Result<Approved | { kind: "rejected"; why: string } | { kind: "open" }, Failure>
  > {
    const { settings, host, told } = this.#context;
    const applied = await this.policy();
    if (!applied.ok) return applied;
    if (applied.value === undefined) return ok({ kind: "open" });
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
    const { value } = decided;
    return ok(value.kind === "approved" ? value : { kind: "rejected", why: whyOf(value) });
  }

  /** Returns what the policy decides; undefined if there is none. */
  async policy(): Promise<Result<AppliedPolicy | undefined, Failure>> {
    const { settings, host } = this.#context;
    if (settings.policy === undefined) return ok(undefined);
    const policy = await loadPolicy(host, settings.policy);
    if (!policy.ok) return policy;
    const clauses = await compileClauses(host, policy.value, settings.folder, settings.tools);
    if (!clauses.ok) return clauses;
    return applyPolicy(policy.value.policy, clauses.value, this.#request.proved.loaded, howTo(this.#context));
  }

  async #byPerson(person: ApprovalChannel): Promise<Result<RunAnswer, Failure>> {
    const { settings, host } = this.#context;
    const signing = await signingKey(host, this.#address, settings.key);
    if (!signing.ok) return signing;
    const decided = await decide(this.#request, person, signing.value, host);
    if (!decided.ok) return decided;
    return decided.value.kind === "approved" ? this.#run(decided.value) : rejected(whyOf(decided.value));
  }

  /** A weak channel: a host may answer by itself. The operator has turned it on, and the receipt says who decided. */
  async #byForm(): Promise<Result<RunAnswer, Failure>> {
    const { form, signal } = this.#context;
    const refused = await this.#formsRefused();
    if (!refused.ok) return refused;
    if (refused.value || form === undefined) return rejected("the policy refuses approvals by form");
    return this.#byPerson({
      ask: async (request) => {
        const { text } = questionOf(request);
        const { approved, by } = await form({ kind: "program", what: text, items: [] }, signal);
        // SOUNDNESS: nothing but `true` is an approval.
        return ok(
          approved === true
            ? { kind: "approved", decision: "approved_once", by: `form of ${by}` }
            : { kind: "rejected", why: `it was not approved in the form of ${by}` },
        );
      },
    });
  }

  async #formsRefused(): Promise<Result<boolean, Failure>> {
    const { settings, host } = this.#context;
    if (settings.policy === undefined) return ok(false);
    const policy = await loadPolicy(host, settings.policy);
    return policy.ok ? ok(policy.value.policy.forms === "refused") : policy;
  }

  /** Whom tools may ask: somebody at the page that has approved the run, or by form. */
  async #personFor(channel: ServiceChannel | undefined): Promise<Person | undefined> {
    const { settings, asked, form } = this.#context;
    if (asked !== undefined) return asked;
    if (channel !== undefined) return channel.person;
    if (settings.forms !== true || form === undefined) return undefined;
    const refused = await this.#formsRefused();
    return refused.ok && !refused.value ? personBy(form) : undefined;
  }

  async #byService(service: string): Promise<Result<RunAnswer, Failure>> {
    const { settings, host, reached, signal } = this.#context;
    const { credential: held } = this.#context;
    const credential = held === undefined ? await secretIn(this.#context, settings.credential) : ok(held);
    if (!credential.ok) return credential;
    const { serviceKey } = settings;
    const publicKey = serviceKey === undefined ? await keyOf(this.#context, settings.key) : ok(serviceKey);
    if (!publicKey.ok) return publicKey;
    const page = (settings.page ?? service).replace(/\/$/, "");
    const addressOf = (id: string): string => `${page}/#/requests/${id}`;
    const channel = new ServiceChannel({
      to: { url: service, credential: credential.value },
      file: this.#request.proved.document.file,
      runId: this.#runId,
      nowMs: host.nowMs,
      signal,
      filed: async () => reached({ kind: "filed" }),
      asked: (id) => reached({ kind: "pending", address: addressOf(id) }),
      questioned: (id, isOpen) =>
        reached(isOpen ? { kind: "asks", address: addressOf(id) } : { kind: "running" }),
    });
    await this.#context.reading?.();
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
    const { settings, host, reached, tools, signal } = this.#context;
    const person = await this.#personFor(channel);
    if (signal.aborted) return rejected("it was cancelled before any call was made");
    const how: RunHow = {
      runId: this.#runId,
      callTimeoutMs: settings.callTimeoutMs,
      wallMs: host.wallMs,
      ledger: this.#address,
      ...(person && { person }),
      ...(channel && { onProgress: channel.hear }),
      prepare: async () => {
        reached({ kind: "running" });
        return ok(undefined);
      },
    };
    const ended = await run(approved, tools, how);
    await channel?.end(endOf(ended));
    if (!ended.ok) return ended;
    const { nonce, decision, by } = approved.receipt;
    return ok(runAnswer(ended.value, { id: nonce, decision, by }));
  }
}

function rejected(why: string): Result<RunAnswer, Failure> {
  return ok(notRun("proved", "rejected", why));
}

function whyOf(decided: Rejected): string {
  switch (decided.kind) {
    case "rejected":
      return decided.why;
    case "cannot begin":
      return `the run cannot begin: ${decided.problems[0]?.code ?? ""}`;
    case "invalid plan":
      return "the plan can go wrong from the state of the kernel";
  }
}

async function secretIn({ host }: AgentContext, file: string | undefined): Promise<Result<string, Failure>> {
  if (file === undefined) {
    const help = "give the file with --credential; `foreclaim serve credential make` makes one";
    return plainFailure("FC9001", "the service must know whose request it is", help);
  }
  const source = await readSource(host, file, 4_096);
  return source.ok ? ok(source.value.text.trim()) : source;
}

async function keyOf({ host }: AgentContext, file: string | undefined): Promise<Result<string, Failure>> {
  if (file !== undefined) return readPublicKey(host, file);
  const help = "give its public key with --key; `foreclaim keys show` shows it";
  return plainFailure("FC9010", "the receipt of the service must be verified", help);
}

export type CatalogueAnswer =
  | { readonly ok: true; readonly modules: readonly CatalogueModule[] }
  | { readonly ok: false; readonly problems: readonly ProblemReport[] };

// ── tools ────────────────────────────────────────────────────────────────────────────────────────────────

export async function catalogueForAgent({ settings, host }: AgentContext): Promise<CatalogueAnswer> {
  const visible = await visibleTools(host, [settings.folder], settings.tools);
  if (visible.kind === "failed") return { ok: false, problems: problemReports(visible.failures) };
  return { ok: true, modules: visible.folders.flatMap((one) => catalogueOf(one, settings.folder)) };
}
