/** Asks the approval service, whose page shows the request to a person, and tells the service how the run goes. */
import { createHash, randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type RequestDetail, readReceipt } from "../../approve/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { writtenText } from "../../plan/index.ts";
import { type Person, type RunProgress, toJson } from "../../run/index.ts";
import type { Answer, ApprovalChannel, RunRequest } from "../decide.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { LoadedProgram } from "../load/typescript.ts";
import { noReply, personBy } from "./person-questions.ts";
import { type RunEnd, RunTeller } from "./run-teller.ts";
import { type ServiceAddress, ServiceClient } from "./service-client.ts";

const showAgainMs = 30_000;

export interface ServiceChannelOptions {
  readonly to: ServiceAddress;
  /** The program, as the person at the page reads it. */
  readonly file: string;
  /** The agent's own words about the run. */
  readonly words?: string | undefined;
  readonly runId: string;
  readonly nowMs: () => number;
  /** Hears the number of the request once it is filed. */
  readonly filed: (id: string) => Promise<void>;
  /** Hears that no rule of the service decides, so that a person has to. */
  readonly asked?: (id: string) => void;
  /** Hears that a tool asks a person on the page, and that the question is over. */
  readonly questioned?: (id: string, isOpen: boolean) => void;
  /** Stops waiting for an answer. */
  readonly signal: AbortSignal;
}

export class ServiceChannel implements ApprovalChannel {
  readonly #options: ServiceChannelOptions;
  readonly #client: ServiceClient;
  #teller: RunTeller | undefined;
  #id = "";

  constructor(options: ServiceChannelOptions) {
    this.#options = options;
    this.#client = new ServiceClient(options.to, options.nowMs);
  }

  readonly ask = async (request: RunRequest): Promise<Result<Answer, Failure>> => {
    const { filed, asked, runId, signal } = this.#options;
    const body = await requestBody(this.#options, request);
    const id = body.ok ? await this.#client.file(body.value) : body;
    if (!id.ok) return id;
    this.#id = id.value;
    await filed(id.value);
    const decided = await this.#client.decision(id.value, signal, () => asked?.(id.value));
    if (!decided.ok) return decided;
    this.#teller = new RunTeller(runId, (view) => this.#client.tell(id.value, view));
    const why = refusalIn(decided.value);
    if (why !== undefined) return ok({ kind: "rejected", why });
    const text = await this.#client.receipt(id.value);
    if (!text.ok) return text;
    const read = readReceipt(text.value);
    if (read.ok) return ok({ kind: "receipt", receipt: read.value });
    const message = `the service gave no receipt: ${read.problems[0]?.message}`;
    return plainFailure("FC9012", message);
  };

  /** Somebody at the page, whom tools may ask while the run goes on. */
  readonly person: Person = personBy(async (question, signal) => {
    const { questioned } = this.#options;
    // A holder of the secret may read the reply. The service knows its digest alone.
    const secret = randomBytes(32).toString("base64url");
    const shown = { id: createHash("sha256").update(secret).digest("hex"), ...question };
    const show = (): void => this.#teller?.ask({ ...shown, items: [...question.items] });
    show();
    // A report may get lost while the service is started anew.
    const again = setInterval(show, showAgainMs);
    questioned?.(this.#id, true);
    try {
      const reply = await this.#client.reply(this.#id, secret, signal);
      // SOUNDNESS: what somebody approved is what the program asked about, to the letter.
      return reply !== undefined && isDeepStrictEqual(reply.question, shown) ? reply : noReply;
    } finally {
      clearInterval(again);
      this.#teller?.ask(undefined);
      questioned?.(this.#id, false);
    }
  });

  /** Passes the progress of the run on. */
  readonly hear = (progress: RunProgress): void => this.#teller?.hear(progress);

  readonly end = async (end: RunEnd): Promise<void> => {
    await this.#teller?.end(end);
  };
}

async function requestBody(
  { file, words }: Pick<ServiceChannelOptions, "file" | "words">,
  { proved, inputs, kernel, budget }: RunRequest,
): Promise<Result<string, Failure>> {
  const json = toJson(inputs);
  if (json === undefined) return plainFailure("FC9001", "an input cannot be written as JSON");
  const [first] = await kernel.entries(1, 1);
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const more = words === undefined ? "" : `,"words":${JSON.stringify(words)}`;
  const rest = JSON.stringify({
    program: { file: name, text: filedText(proved.document) },
    budget: budget ?? null,
    kernel: first?.hash ?? "",
  });
  // The inputs as they are: a number of JavaScript would not hold all that JSON can say.
  return ok(`${rest.slice(0, -1)},"inputs":${writtenText(json)}${more}}`);
}

/** Returns the text that is filed; a plan with the guarantees that were stated beside it. */
function filedText({ text, plan }: LoadedProgram): string {
  if (plan === undefined || plan.stated.length === 0) return text;
  const { json, guarantees } = plan.plan;
  return writtenText({ ...json, guarantees: [...guarantees, ...plan.stated] });
}

/** Why it may not run; undefined if it may. */
export function refusalIn({ status, decided, problems, proof }: RequestDetail): string | undefined {
  if (status === "invalid")
    return `the service cannot compile it: ${problems[0]?.message ?? "no reason given"}`;
  if (status === "not_proved")
    return `the service has not proved it: it is ${proof?.verdict ?? "unknown"} there`;
  const by = decided?.by ?? "";
  const said = decided?.text ? `: ${decided.text}` : "";
  switch (decided?.decision) {
    case "approved_once":
    case "approved_remember":
    case "auto_approved":
      return undefined;
    case "rejected":
    case "auto_rejected":
      return `it was rejected by ${by}${said}`;
    case "request_more":
      return `${by} asks for more${said}`;
    case "expired":
      return "the request expired without a decision";
    case undefined:
      return "it was not decided";
  }
}
