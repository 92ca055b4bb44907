/** Asks the approval service, whose page shows the request to a person, and tells the service how the run goes. */
import { type RequestDetail, readReceipt } from "../../approve/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { writtenText } from "../../plan/index.ts";
import { type RunProgress, toJson } from "../../run/index.ts";
import type { Answer, ApprovalChannel, RunRequest } from "../decide.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { LoadedProgram } from "../load/typescript.ts";
import { type RunEnd, RunTeller } from "./run-teller.ts";
import { type ServiceAddress, ServiceClient } from "./service-client.ts";

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
  /** Stops waiting for an answer. */
  readonly signal: AbortSignal;
}

export class ServiceChannel implements ApprovalChannel {
  readonly #options: ServiceChannelOptions;
  readonly #client: ServiceClient;
  #teller: RunTeller | undefined;

  constructor(options: ServiceChannelOptions) {
    this.#options = options;
    this.#client = new ServiceClient(options.to, options.nowMs);
  }

  readonly ask = async (request: RunRequest): Promise<Result<Answer, Failure>> => {
    const { filed, runId, signal } = this.#options;
    const body = await requestBody(this.#options, request);
    const id = body.ok ? await this.#client.file(body.value) : body;
    if (!id.ok) return id;
    await filed(id.value);
    const decided = await this.#client.decision(id.value, signal);
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
function refusalIn({ status, decided, problems, proof }: RequestDetail): string | undefined {
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
