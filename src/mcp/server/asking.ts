/**
 * Asks for an approval through the client: opens the page of the service, or, if the operator has turned that on, shows a
 * form. The answer comes back with a state that went through the client's hands, so the state is signed, is good once, and
 * belongs to one agent and one request. It is made only for a run that is proved.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  type FormQuestion,
  type FormReply,
  noReply,
  type OpenQuestion,
  type PersonReply,
  type RunAnswer,
  type Runs,
} from "../../app/index.ts";
import { visibleText } from "../../explain/index.ts";
import { isObject } from "../gateway/json.ts";

/** The state that the client sends back. It names things and says nothing about them. */
export interface AskedState {
  readonly request: string;
  readonly question: string;
  /** The digest of the tool and the arguments that it was made for. */
  readonly of: string;
  readonly nonce: string;
}

/** LIMIT: until a state is good no more, and of states that are out. */
const stateSeconds = 600;
const mostStates = 10_000;

const key = "answer";

export class Asking {
  readonly #out = new Set<string>();
  readonly #codec = createRequestStateCodec<AskedState>({
    key: randomBytes(32),
    ttlSeconds: stateSeconds,
    bind: (context) => `${context.mcpReq.method}\0${context.http?.authInfo?.clientId ?? ""}`,
  });

  /** SOUNDNESS: a state that was used, or that is of another agent or process, is refused before any handler sees it. */
  readonly verify = async (state: string, context: ServerContext): Promise<AskedState> => {
    const found = await this.#codec.verify(state, context);
    if (!this.#out.delete(found.nonce)) throw new Error("replayed");
    return found;
  };

  /** Returns the question of a run as the client has to ask it; undefined if it cannot, or there is none. */
  async ask(
    server: McpServer,
    context: ServerContext,
    runs: Runs,
    { request, verdict }: RunAnswer,
    of: string,
    asked: string | undefined,
  ): Promise<InputRequiredResult | undefined> {
    const open = request === undefined ? undefined : runs.question(request);
    if (request === undefined || open === undefined || open.id === asked || verdict !== "proved")
      return undefined;
    const input = inputFor(open, elicitationOf(server, context));
    if (input === undefined) {
      // A form that no client can show is answered with no.
      if (open.kind === "form") runs.reply(request, open.id, nobody);
      return undefined;
    }
    const state = { request, question: open.id, of, nonce: randomBytes(16).toString("base64url") };
    const [oldest] = this.#out;
    if (this.#out.size >= mostStates && oldest !== undefined) this.#out.delete(oldest);
    this.#out.add(state.nonce);
    const requestState = await this.#codec.mint(state, context);
    return inputRequired({ inputRequests: { [key]: input }, requestState });
  }
}

const nobody: FormReply = { ...noReply, by: "nobody" };

/** The digest of a request, to which a state belongs. */
export function digestOf(tool: string, args: object): string {
  return createHash("sha256")
    .update(JSON.stringify([tool, args]))
    .digest("base64url");
}

/** Takes the client's answer to a question. Returns the question that is known from now on. */
export function heard(
  server: McpServer,
  context: ServerContext,
  runs: Runs,
  { request, question }: { readonly request: string; readonly question: string },
): string {
  const open = runs.question(request);
  const answer = inputResponse(context.mcpReq.inputResponses, key);
  const action = answer.kind === "elicit" ? answer.action : "cancel";
  if (open === undefined || open.id !== question) return question;
  if (open.kind === "form") {
    const reply = action === "accept" ? replyIn(context, open.question) : noReply;
    runs.reply(request, question, { ...reply, by: clientOf(server, context) });
  } else if (action === "decline" && open.isBefore) runs.cancel(request);
  return question;
}

function inputFor(open: OpenQuestion, has: Elicitation): InputRequest | undefined {
  if (open.kind === "page") {
    if (!has.url) return undefined;
    const message = open.isBefore
      ? "A program is proved and waits for approval. Open the page to read what it may do, and decide."
      : "A run waits with a question to a person. Open the page to answer it.";
    return inputRequired.elicitUrl({ message, url: open.address });
  }
  if (!has.form) return undefined;
  const { question } = open;
  return inputRequired.elicit({ message: textOf(question), requestedSchema: schemaOf(question) });
}

interface Elicitation {
  readonly form: boolean;
  readonly url: boolean;
}

/** The ways in which the client can be asked. An empty object stands for forms, as it did before there were addresses. */
function elicitationOf(server: McpServer, { mcpReq }: ServerContext): Elicitation {
  const declared =
    saidIn(mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY) ?? server.server.getClientCapabilities();
  const elicitation = isObject(declared) ? declared.elicitation : undefined;
  if (!isObject(elicitation)) return { form: false, url: false };
  const url = elicitation.url !== undefined;
  return { form: elicitation.form !== undefined || !url, url };
}

function saidIn(envelope: object | undefined, name: string): unknown {
  return envelope === undefined ? undefined : Reflect.get(envelope, name);
}

/** LIMIT: of the name that a client gives itself, as a receipt holds it. */
const mostName = 60;

/** The client as it names itself. Nobody verifies the name. */
function clientOf(server: McpServer, { mcpReq, http }: ServerContext): string {
  const info = saidIn(mcpReq.envelope, CLIENT_INFO_META_KEY) ?? server.server.getClientVersion();
  const given = isObject(info) && typeof info.name === "string" ? info.name : "unnamed";
  const name = visibleText(given.slice(0, mostName)).slice(0, mostName);
  const agent = http?.authInfo?.clientId;
  return agent === undefined ? `the client "${name}"` : `the client "${name}" of ${agent}`;
}

// ── forms ────────────────────────────────────────────────────────────────────────────────────────────────

function textOf({ kind, what, items }: FormQuestion): string {
  const lines = (text: string) => text.split("\n").map((line) => `| ${visibleText(line)}`);
  switch (kind) {
    // Made of the proof, and visible already.
    case "program":
      return what;
    case "approve":
      return [`The run asks you: ${visibleText(what)}`, ...items.flatMap(lines)].join("\n");
    case "approve_list":
      return [
        `The run asks you: ${visibleText(what)}`,
        ...items.map((item, i) => `${i + 1} | ${visibleText(item)}`),
      ].join("\n");
    case "ask":
      return ["The run asks you:", ...lines(what)].join("\n");
  }
}

function schemaOf({ kind, items }: FormQuestion) {
  switch (kind) {
    case "program":
    case "approve":
      return {
        type: "object" as const,
        properties: { approve: { type: "boolean" as const, title: "Approve", default: false } },
        required: ["approve"],
      };
    case "approve_list":
      return {
        type: "object" as const,
        properties: {
          chosen: {
            type: "array" as const,
            title: "Which of them?",
            items: { type: "string" as const, enum: items.map((_, i) => String(i + 1)) },
          },
        },
        required: ["chosen"],
      };
    case "ask":
      return {
        type: "object" as const,
        properties: { answer: { type: "string" as const, title: "Your answer", maxLength: 10_000 } },
        required: ["answer"],
      };
  }
}

/** Reads a form. SOUNDNESS: whatever does not fit is no. */
function replyIn({ mcpReq }: ServerContext, { kind, items }: FormQuestion): PersonReply {
  const content = acceptedContent(mcpReq.inputResponses, key) ?? {};
  switch (kind) {
    case "program":
    case "approve":
      return { ...noReply, approved: content.approve === true };
    case "approve_list": {
      const given = Array.isArray(content.chosen) ? new Set(content.chosen.map(String)) : new Set();
      return { ...noReply, chosen: items.flatMap((_, i) => (given.has(String(i + 1)) ? [i] : [])) };
    }
    case "ask":
      return { ...noReply, words: typeof content.answer === "string" ? content.answer : null };
  }
}
