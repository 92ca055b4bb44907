/** Approval on a page: by a service that is running, or by one that is started for this one question. */
import { dirname } from "node:path";
import { type Receipt, type RequestDetail, type RunView, readReceipt } from "../../approve/index.ts";
import type { RecordValue } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import { writtenText } from "../../plan/index.ts";
import { type RunProgress, toJson } from "../../run/index.ts";
import { type Attempt, attained, failedAttempt, plainFailure } from "../failure.ts";
import type { LoadedProgram } from "../load-program.ts";
import { readSource } from "../source.ts";
import type { Terminal } from "../terminal.ts";
import { visible } from "../text/width.ts";
import type { SigningKey } from "./approval.ts";
import { startOwnService } from "./own-service.ts";
import { RunTeller } from "./run-teller.ts";
import { ServiceClient } from "./service-client.ts";

export interface PageOptions {
  readonly file: string;
  readonly service?: string | undefined;
  readonly credential?: string | undefined;
  readonly words?: string | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly budget?: string | undefined;
  readonly json?: boolean | undefined;
}

/** What came of asking; `close` is called when the run is over. */
export interface PageAnswer {
  readonly answer: { readonly receipt: Receipt } | { readonly refused: string };
  readonly hear: (progress: RunProgress) => void;
  readonly end: (view: Pick<RunView, "state" | "text">) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function askOnPage(
  terminal: Terminal,
  options: PageOptions,
  document: LoadedProgram,
  inputs: RecordValue,
  kernel: Kernel,
  runId: string,
  signing: SigningKey,
): Promise<Attempt<PageAnswer>> {
  const to = await serviceOf(terminal, options, signing);
  if (!to.ok) return to;
  const { close, page } = to.value;
  try {
    const client = new ServiceClient(to.value, terminal.nowMs);
    const body = await requestBody(options, document, inputs, kernel);
    const filed = body.ok ? await client.file(body.value) : body;
    if (!filed.ok) return await closed(filed, close);
    const id = filed.value;
    // With `--json`, standard output is for the answer alone.
    const out = options.json ? terminal.stderr : terminal.stdout;
    await out.write(`request ${visible(id)} is filed; decide on it at\n  ${visible(pageOf(page, id))}\n`);
    const stop = new AbortController();
    const leave = terminal.onInterrupt?.(() => stop.abort());
    const decided = await client.decision(id, stop.signal);
    leave?.();
    if (!decided.ok) return await closed(decided, close);
    const refused = refusalIn(decided.value);
    const teller = new RunTeller(runId, (view) => client.tell(id, view));
    const more = { hear: teller.hear, end: teller.end, close };
    if (refused !== undefined) return attained({ answer: { refused }, ...more });
    const text = await client.receipt(id);
    const read = text.ok ? readReceipt(text.value) : text;
    if (read.ok) return attained({ answer: { receipt: read.value }, ...more });
    const failure =
      "failure" in read
        ? read.failure
        : plainFailure("FC9012", `the service gave no receipt: ${read.problems[0]?.message}`);
    return await closed(failedAttempt(failure), close);
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Where that request is on the page. */
function pageOf(page: string, id: string): string {
  return page.includes("#") ? `${page}&request=${id}` : `${page.replace(/\/$/, "")}/#/requests/${id}`;
}

async function closed<T>(attempt: T, close: () => Promise<void>): Promise<T> {
  await close();
  return attempt;
}

interface Reached {
  readonly url: string;
  readonly credential: string;
  readonly page: string;
  readonly close: () => Promise<void>;
}

async function serviceOf(
  terminal: Terminal,
  { file, service, credential, tools }: PageOptions,
  { privateKey }: SigningKey,
): Promise<Attempt<Reached>> {
  if (service === undefined) return startOwnService({ folder: dirname(file), tools, privateKey });
  if (credential === undefined) {
    const help = "give the file with --credential; `foreclaim serve credential make` makes one";
    return failedAttempt(plainFailure("FC9001", "the service must know whose request it is", help));
  }
  const secret = await readSource(terminal, credential, 4_096);
  if (!secret.ok) return secret;
  return attained({
    url: service,
    page: service,
    credential: secret.value.text.trim(),
    close: async () => {},
  });
}

async function requestBody(
  { file, budget, words }: PageOptions,
  document: LoadedProgram,
  inputs: RecordValue,
  kernel: Kernel,
): Promise<Attempt<string>> {
  const json = toJson(inputs);
  if (json === undefined) return failedAttempt(plainFailure("FC9001", "an input cannot be written as JSON"));
  const [first] = await kernel.entries(1, 1);
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const more = words === undefined ? "" : `,"words":${JSON.stringify(words)}`;
  const rest = JSON.stringify({
    program: { file: name, text: filedText(document) },
    budget: budget ?? null,
    kernel: first?.hash ?? "",
  });
  // The inputs as they are: a number of JavaScript would not hold all that JSON can say.
  return attained(`${rest.slice(0, -1)},"inputs":${writtenText(json)}${more}}`);
}

/** The text that is filed; a plan with the guarantees that were stated beside it. */
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
      return "nobody decided in time";
    case undefined:
      return "it was not decided";
  }
}
