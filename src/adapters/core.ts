/**
 * The core of every adapter: `search_tools`, `prove`, `run` and `wait` over the hall, in this process. An adapter only
 * gives them the shape of its SDK. Answers are those of the MCP server.
 */
import { createHash } from "node:crypto";
import {
  type AgentContext,
  type AgentToolName,
  type ApprovalChannel,
  agentTools,
  catalogueForAgent,
  type GivenProgram,
  misfit,
  nodeClock,
  nodeFiles,
  type ProveAnswer,
  proveForAgent,
  questionOf,
  type RunAnswer,
  type RunQuestion,
  type RunStage,
  Runs,
  runForAgent,
  type SolverName,
  SolverPool,
  type Standing,
  type StartedRun,
  searchTools,
  standingForAgent,
  type WaitInput,
} from "../app/index.ts";
import { ok } from "../ir/index.ts";
import type { Person } from "../run/index.ts";
import { handlerTools, type ToolHandlers } from "./handlers.ts";

export interface ForeclaimOptions {
  /** The folder that programs are taken to lie in; the current one by default. */
  readonly folder?: string;
  /** Folders of trusted tool modules, in place of the usual ones. */
  readonly tools?: string | readonly string[];
  /** Functions that do the work of tools, by full name (`bank.pay`), in place of `run` of their modules. */
  readonly handlers?: ToolHandlers;
  /**
   * Asks a person about a run that is proved and that no rule decides. If it is omitted, the SDK's own approval counts, or the
   * service. An exception passes through to the SDK, which may use one to interrupt.
   */
  readonly approve?: Approve;
  /** Whom tools such as `person.approve` ask during a run; without it, they can ask nobody. */
  readonly person?: Person;
  /** A file with an approval policy. It decides first. */
  readonly policy?: string;
  /** A SQLite file or `postgres://…`; without it nothing is kept. */
  readonly ledger?: string;
  readonly kernel?: string;
  /** The most that a run may spend. */
  readonly budget?: string;
  /** The address of an approval service, on whose page a person decides. */
  readonly service?: string;
  /** The file with the agent's credential at the service. */
  readonly credential?: string;
  /** The file of the key that signs receipts; with a service, of the public key that verifies its receipts. */
  readonly key?: string;
  readonly solver?: SolverName;
  /** For each question to the solver, in seconds; 10 by default. */
  readonly timeout?: number;
  /** For each call of a tool, in seconds; 60 by default. */
  readonly callTimeout?: number;
  /** Hears what an operator should know and an agent should not. */
  readonly told?: (text: string) => void;
}

export type Approve = (question: RunQuestion) => Approval | Promise<Approval>;

/** The answer of a person: yes or no, or with who decided and why. */
export type Approval =
  | boolean
  | { readonly approved: boolean; readonly by?: string; readonly reason?: string };

/** The SDK's name for one call of a tool, and the signal that ends it. */
export interface AgentCall {
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer, as JSON. */
export type AgentAnswer = ReturnType<typeof searchTools> | ProveAnswer | RunAnswer | AgentProblem;
export type AgentProblem = { readonly error: string };

/** LIMIT: of calls that are answered at the same time. */
const mostAtOnce = 32;
/** LIMIT: of calls that an SDK has asked a person about and not made yet. */
const mostTickets = 1_000;
/** Until a run that goes on is answered as such. */
const answerMs = 10 * 60 * 1000;
const waitMs = 25_000;

/** Shared by all of this process. Idle solvers do not keep it alive, so nobody has to close them. */
const sharedPool = new SolverPool();

/** A call that the SDK said it would ask a person about. */
interface Ticket {
  readonly given: string;
  readonly question: RunQuestion;
}

export class Foreclaim {
  readonly #options: ForeclaimOptions;
  readonly #by: string;
  readonly #runs: Runs;
  readonly #tickets = new Map<string, Ticket>();
  /** Names of calls, from when a run starts until its channel is asked. */
  readonly #calls = new WeakMap<GivenProgram, AgentCall>();
  #busy = 0;

  /** @param by names the SDK in receipts */
  constructor(options: ForeclaimOptions, by: string) {
    this.#options = options;
    this.#by = by;
    this.#runs = new Runs((given, onStage) => this.#startRun(given, onStage));
  }

  /** Makes one call of an agent's tool. Rejects only with what `approve` throws, and for our own faults. */
  async call(name: AgentToolName, args: unknown, call: AgentCall = {}): Promise<AgentAnswer> {
    const wrong = misfit(name, args);
    if (wrong !== undefined) return { error: `FC9001: ${wrong}` };
    if (this.#busy >= mostAtOnce) return { error: "FC9101: there is too much to do; try again later" };
    this.#busy++;
    try {
      // SAFETY: `misfit` has looked at every field.
      return await this.#answer(name, args as Record<string, unknown>, call);
    } finally {
      this.#busy--;
    }
  }

  /** Returns who would decide on this call of `run`; undefined if the arguments do not fit. Nothing is run. */
  async standing(args: unknown): Promise<Standing | undefined> {
    if (misfit("run", args) !== undefined) return undefined;
    return standingForAgent(
      this.#context(() => {}, new AbortController().signal),
      givenIn(args),
    );
  }

  /**
   * Returns the question that the SDK has to ask a person before this call of `run`; undefined if it has to ask nobody.
   * A program that is not proved needs nobody: `run` says so.
   */
  async questionFor(args: unknown, { id }: AgentCall): Promise<RunQuestion | undefined> {
    const { approve, service } = this.#options;
    if (approve !== undefined || service !== undefined) return undefined;
    const standing = await this.standing(args);
    if (standing?.kind !== "open") return undefined;
    const { question } = standing;
    if (id !== undefined) this.#keep(id, { given: digestOf(givenIn(args)), question });
    return question;
  }

  /** Returns the question about a call that waits for a person. */
  asked(id: string): RunQuestion | undefined {
    return this.#tickets.get(id)?.question;
  }

  async #answer(name: AgentToolName, args: Record<string, unknown>, call: AgentCall): Promise<AgentAnswer> {
    switch (name) {
      case "search_tools":
        return this.#search(String(args.query), args.namespace);
      case "prove":
        return this.#prove(givenIn(args));
      case "run": {
        const given = givenIn(args);
        this.#calls.set(given, call);
        return (await this.#runs.start(given, answerMs, call.signal)) ?? tooMuch;
      }
      case "wait": {
        const { request, seconds }: Partial<WaitInput> = args;
        const ms = seconds === undefined ? waitMs : seconds * 1000;
        const answer = await this.#runs.wait(String(request), ms);
        return answer ?? { error: `FC9102: there is no request \`${request}\`` };
      }
    }
  }

  async #search(query: string, namespace: unknown): Promise<AgentAnswer> {
    const found = await catalogueForAgent(this.#context(() => {}, new AbortController().signal));
    if (found.ok)
      return searchTools(found.modules, query, typeof namespace === "string" ? namespace : undefined);
    const [first] = found.problems;
    return { error: `the tool modules do not compile: ${first?.code ?? ""} ${first?.message ?? ""}` };
  }

  #prove(given: GivenProgram): Promise<ProveAnswer> {
    return proveForAgent(
      this.#context(() => {}, new AbortController().signal),
      given,
    );
  }

  #startRun(given: GivenProgram, onStage: (stage: RunStage) => void): StartedRun {
    const leaving = new AbortController();
    const call = this.#calls.get(given) ?? {};
    const context = this.#context(onStage, leaving.signal, this.#person(given, call));
    return { answer: runForAgent(context, given), cancel: () => leaving.abort() };
  }

  /** SOUNDNESS: without `approve`, only a call that the SDK said it would ask about is approved, once, for what it asked about. */
  #person(given: GivenProgram, { id, signal }: AgentCall): ApprovalChannel | undefined {
    const { approve, service } = this.#options;
    if (approve === undefined && service !== undefined) return undefined;
    const rejected = (why: string) => ok({ kind: "rejected" as const, why });
    return {
      ask: async (request) => {
        const question = questionOf(request);
        if (signal?.aborted === true) return rejected("the call was cancelled");
        if (approve !== undefined) {
          const answer = await approve(question);
          const { by = this.#by, reason = "it was not approved" }: { by?: string; reason?: string } =
            Object(answer);
          return isApproval(answer)
            ? ok({ kind: "approved", decision: "approved_once", by })
            : rejected(reason);
        }
        const ticket = id === undefined ? undefined : this.#tickets.get(id);
        if (id !== undefined) this.#tickets.delete(id);
        if (ticket?.given !== digestOf(given) || ticket.question.program !== question.program)
          return rejected("a person has to approve it, and nobody was asked about this call");
        return ok({ kind: "approved", decision: "approved_once", by: this.#by });
      },
    };
  }

  #keep(id: string, ticket: Ticket): void {
    this.#tickets.delete(id);
    this.#tickets.set(id, ticket);
    for (const [oldest] of this.#tickets) {
      if (this.#tickets.size <= mostTickets) break;
      this.#tickets.delete(oldest);
    }
  }

  #context(reached: (stage: RunStage) => void, signal: AbortSignal, person?: ApprovalChannel): AgentContext {
    const {
      folder = ".",
      tools,
      handlers = {},
      kernel = "main",
      solver = "z3",
      told = () => {},
    } = this.#options;
    const {
      policy,
      ledger,
      budget,
      service,
      credential,
      key,
      timeout = 10,
      callTimeout = 60,
    } = this.#options;
    return {
      settings: {
        folder,
        ...(tools !== undefined && { tools: typeof tools === "string" ? [tools] : tools }),
        ...(policy !== undefined && { policy }),
        ...(ledger !== undefined && { ledger }),
        kernel,
        ...(budget !== undefined && { budget }),
        ...(service !== undefined && { service }),
        ...(credential !== undefined && { credential }),
        ...(key !== undefined && { key }),
        solver,
        timeoutMs: timeout * 1000,
        callTimeoutMs: callTimeout * 1000,
      },
      host: { ...nodeFiles, ...nodeClock },
      pool: sharedPool,
      tools: handlerTools(handlers),
      ...(person && { person }),
      ...(this.#options.person && { asked: this.#options.person }),
      reached,
      told,
      signal,
    };
  }
}

const tooMuch: AgentProblem = { error: "FC9101: there is too much to do; try again later" };

/** SOUNDNESS: nothing but `true` is an approval, whatever a function without types returns. */
export function isApproval(answer: Approval): boolean {
  return answer === true || (typeof answer === "object" && answer !== null && answer.approved === true);
}

function givenIn(args: unknown): GivenProgram {
  const { program, inputs }: { readonly program?: unknown; readonly inputs?: unknown } = Object(args);
  // A schema that is strict for a model gives null for what is omitted.
  return { program: String(program), ...(inputs !== undefined && inputs !== null && { inputs }) };
}

function digestOf({ program, inputs }: GivenProgram): string {
  return createHash("sha256")
    .update(JSON.stringify([program, inputs ?? null]))
    .digest("hex");
}

/** The names, words and schemas of the tools, for adapters. */
// SAFETY: the keys of the table are its names.
export const toolList = (Object.keys(agentTools) as AgentToolName[]).map((name) => ({
  name,
  description: agentTools[name].description,
  schema: agentTools[name].input,
}));
