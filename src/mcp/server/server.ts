/** The MCP server: tools, resources and prompts over the work of the job processes. It serves both eras of the protocol. */
import {
  type CallToolResult,
  fromJsonSchema,
  type InputRequiredResult,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  agentGuide,
  agentTools,
  type CatalogueModule,
  declarationsOf,
  type FileSystem,
  givenUpAnswer,
  type ProveAnswer,
  type RunAnswer,
  type Runs,
  searchTools,
} from "../../app/index.ts";
import { isObject, type JsonObject } from "../gateway/json.ts";
import type { PassThrough } from "../gateway/pass-through.ts";
import { type AskedState, type Asking, digestOf, heard } from "./asking.ts";
import { explainCode } from "./explain.ts";
import type { JobOutcome, JobPool } from "./job-pool.ts";
import { repairProgram, writeContracts, writeProgram } from "./prompts.ts";
import {
  explainInput,
  explainOutput,
  programInput,
  proveOutput,
  runOutput,
  searchInput,
  searchOutput,
  waitInput,
} from "./schemas.ts";

export interface ServerParts {
  readonly version: string;
  readonly pool: JobPool;
  readonly runs: Runs;
  readonly asking: Asking;
  readonly fs: Pick<FileSystem, "readFile">;
  /** The folder with a page for each error code. */
  readonly pages: string;
  /** For a whole proof, as it is told. */
  readonly proveTimeoutMs: number;
  /** The tools of other servers, if calls are passed through. */
  readonly passThrough?: PassThrough;
  /** True if programs can be submitted. */
  readonly hasPrograms: boolean;
}

/** Until a run that goes on is answered as such; most clients give up after a minute. */
const answerMs = 45_000;
const progressMs = 5_000;
const waitMs = 25_000;
/** LIMIT: until a person has answered the client. */
const roundTimeoutMs = 600_000;

const instructions =
  "Foreclaim proves what a program over tools will do before any of it runs. Find tools with `search_tools`, write one TypeScript program with its guarantees, call `prove` until it is proved, then `run`. The resource foreclaim://guide says how programs are written.";

export function mcpServer(parts: ServerParts): McpServer {
  const { version, passThrough, hasPrograms } = parts;
  const server = new McpServer(
    { name: "foreclaim", version },
    {
      ...(hasPrograms && { instructions }),
      inputRequired: { roundTimeoutMs },
      requestState: { verify: parts.asking.verify },
    },
  );
  if (passThrough !== undefined) addPassedTools(server, passThrough);
  if (!hasPrograms) return server;
  addTools(server, parts);
  addResources(server, parts);
  addPrompts(server, parts);
  return server;
}

/** The names of our own tools. */
export const ownTools = ["search_tools", "prove", "run", "wait", "explain"];

/** A schema that is listed as it is. The session looks at arguments and answers itself. */
function asListed(schema: JsonObject) {
  const jsonSchema = { input: () => ({ ...schema }), output: () => ({ ...schema }) };
  const validate = (value: unknown) => ({ value });
  return { "~standard": { version: 1 as const, vendor: "foreclaim", jsonSchema, validate } };
}

function addPassedTools(server: McpServer, passThrough: PassThrough): void {
  for (const { name, definition } of passThrough.tools) {
    const { description, inputSchema, outputSchema, annotations, whole } = definition;
    server.registerTool(
      name,
      {
        ...(typeof whole.title === "string" && { title: whole.title }),
        ...(description !== "" && { description }),
        inputSchema: asListed(isObject(inputSchema) ? inputSchema : {}),
        ...(isObject(outputSchema) && { outputSchema: asListed(outputSchema) }),
        ...(whole.annotations !== undefined && { annotations: { ...annotations } }),
      },
      async (args, { mcpReq }) => {
        const answer = await passThrough.call(name, args, mcpReq.signal);
        // SAFETY: an answer as it came over the protocol.
        return answer as CallToolResult;
      },
    );
  }
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────────────

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

function addTools(server: McpServer, parts: ServerParts): void {
  server.registerTool(
    "search_tools",
    {
      ...wordsOf("search_tools"),
      inputSchema: searchInput,
      outputSchema: searchOutput,
      annotations: reading,
    },
    async ({ query, namespace }) => {
      const found = await catalogueFor(parts);
      return "problem" in found
        ? problem(found.problem)
        : structured(searchTools(found.modules, query, namespace));
    },
  );
  server.registerTool(
    "prove",
    {
      ...wordsOf("prove"),
      inputSchema: programInput,
      outputSchema: proveOutput,
      annotations: reading,
    },
    async ({ program, inputs }, context) => {
      const answer = await proveProgram(parts, program, inputs, context);
      return answer === undefined ? tooMuch() : structured(answer);
    },
  );
  server.registerTool(
    "run",
    {
      ...wordsOf("run"),
      inputSchema: programInput,
      outputSchema: runOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    async (args, context) => {
      const { program, inputs } = args;
      const given = { program, ...(inputs !== undefined && { inputs }) };
      return answered(server, parts, context, digestOf("run", args), answerMs, () =>
        parts.runs.start(given, answerMs, context.mcpReq.signal),
      );
    },
  );
  server.registerTool(
    "wait",
    {
      ...wordsOf("wait"),
      inputSchema: waitInput,
      outputSchema: runOutput,
      annotations: reading,
    },
    async (args, context) => {
      const { request, seconds } = args;
      if (parts.runs.get(request) === undefined)
        return problem(`FC9102: there is no request \`${request.slice(0, 100)}\``);
      const ms = seconds === undefined ? waitMs : seconds * 1000;
      // `run` told the request that the page decides; a question that comes up later is asked here too.
      const known = parts.runs.question(request)?.id;
      return answered(server, parts, context, digestOf("wait", args), ms, () =>
        parts.runs.next(request, ms, known),
      );
    },
  );
  server.registerTool(
    "explain",
    {
      title: "Explain an error code",
      description: "Explain the code of an error, with an example that fails and one that is mended.",
      inputSchema: explainInput,
      outputSchema: explainOutput,
      annotations: reading,
    },
    async ({ code }) => {
      const text = await explainCode(parts.fs, parts.pages, code);
      return text === undefined
        ? problem(`there is no code \`${code}\``)
        : structured({ code: code.toUpperCase(), text });
    },
  );
}

/**
 * The answer to `run` and `wait`: how the run stands, or a question to the person at the client. When the client comes back
 * with an answer, the same run goes on, and nothing is started again.
 */
async function answered(
  server: McpServer,
  { runs, asking }: ServerParts,
  context: ServerContext,
  of: string,
  ms: number,
  begin: () => Promise<RunAnswer | undefined>,
): Promise<CallToolResult | InputRequiredResult> {
  const end = progress(context, "proving, asking or running");
  try {
    const state = context.mcpReq.requestState<AskedState>();
    if (state !== undefined && state.of !== of)
      return problem("FC9103: the state belongs to another request");
    const asked = state && heard(server, context, runs, state);
    const answer = state === undefined ? await begin() : await runs.next(state.request, ms, asked);
    if (answer === undefined)
      return state === undefined ? tooMuch() : problem("FC9102: the run is forgotten");
    const question = await asking.ask(server, context, runs, answer, of, asked);
    if (question !== undefined) return question;
    // A form that nobody can be shown was just answered with no.
    const isOver =
      answer.request !== undefined && answer.status === "pending" && answer.address === undefined;
    return structured((isOver ? await runs.wait(answer.request ?? "", ms) : undefined) ?? answer);
  } finally {
    end();
  }
}

function wordsOf(name: keyof typeof agentTools) {
  const { title, description } = agentTools[name];
  return { title, description };
}

/** The same data for clients that read it and for models that read text. */
function structured(answer: object): CallToolResult {
  // SAFETY: answers are plain objects made of JSON.
  const structuredContent = answer as Record<string, unknown>;
  return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent };
}

function problem(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function tooMuch(): CallToolResult {
  return problem("FC9101: the server has too much to do; try again later");
}

async function proveProgram(
  { pool, proveTimeoutMs }: ServerParts,
  program: string,
  inputs: unknown,
  context: ServerContext,
): Promise<ProveAnswer | undefined> {
  const handle = pool.submit({ kind: "prove", program, ...(inputs !== undefined && { inputs }) });
  if (handle === undefined) return undefined;
  const end = progress(context, "proving");
  const { signal } = context.mcpReq;
  signal.addEventListener("abort", handle.cancel, { once: true });
  const outcome = await handle.outcome;
  signal.removeEventListener("abort", handle.cancel);
  end();
  if (outcome.kind === "answered" && outcome.answer.kind === "prove") return outcome.answer.answer;
  return givenUpAnswer(
    outcome.kind === "timeout" ? `it takes longer than ${proveTimeoutMs / 1000} s` : endedWords(outcome),
  );
}

function endedWords({ kind }: JobOutcome): string {
  return kind === "cancelled" ? "it was cancelled" : "the process that proved it ended by itself";
}

/** Tells a client that asks for it that the work goes on. Returns how to stop. */
function progress({ mcpReq }: ServerContext, message: string): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let count = 0;
  const timer = setInterval(() => {
    const params = { progressToken, progress: ++count, message };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  }, progressMs);
  return () => clearInterval(timer);
}

type Catalogue = { readonly modules: readonly CatalogueModule[] } | { readonly problem: string };

async function catalogueFor({ pool }: ServerParts): Promise<Catalogue> {
  const outcome = await pool.submit({ kind: "catalogue" })?.outcome;
  if (outcome?.kind !== "answered" || outcome.answer.kind !== "catalogue")
    return { problem: "FC9101: the server has too much to do; try again later" };
  const { answer } = outcome.answer;
  if (answer.ok) return { modules: answer.modules };
  const [first] = answer.problems;
  return { problem: `the tool modules do not compile: ${first?.code ?? ""} ${first?.message ?? ""}` };
}

// ── resources ────────────────────────────────────────────────────────────────────────────────────────────

function addResources(server: McpServer, parts: ServerParts): void {
  server.registerResource(
    "tools",
    "foreclaim://tools.d.ts",
    {
      title: "Tools and contracts",
      description: "All tools as TypeScript declarations.",
      mimeType: "text/plain",
    },
    async (uri) => {
      const found = await catalogueFor(parts);
      return contents(
        uri,
        "text/plain",
        "problem" in found ? `// ${found.problem}\n` : declarationsOf(found.modules),
      );
    },
  );
  server.registerResource(
    "guide",
    "foreclaim://guide",
    { title: "How programs are written", description: "The guide for agents.", mimeType: "text/markdown" },
    async (uri) => contents(uri, "text/markdown", agentGuide),
  );
  server.registerResource(
    "error",
    new ResourceTemplate("foreclaim://errors/{code}", { list: undefined }),
    { title: "An error code", mimeType: "text/markdown" },
    async (uri, { code }) => {
      const text = await explainCode(parts.fs, parts.pages, String(code));
      if (text === undefined) throw new ResourceNotFoundError(uri.href);
      return contents(uri, "text/markdown", text);
    },
  );
  server.registerResource(
    "request",
    new ResourceTemplate("foreclaim://requests/{id}", { list: undefined }),
    { title: "A run that was asked for here", mimeType: "application/json" },
    async (uri, { id }) => {
      const answer: RunAnswer | undefined = parts.runs.get(String(id));
      if (answer === undefined) throw new ResourceNotFoundError(uri.href);
      return contents(uri, "application/json", JSON.stringify(answer));
    },
  );
}

function contents(uri: URL, mimeType: string, text: string) {
  return { contents: [{ uri: uri.href, mimeType, text }] };
}

// ── prompts ──────────────────────────────────────────────────────────────────────────────────────────────

function addPrompts(server: McpServer, parts: ServerParts): void {
  server.registerPrompt(
    "write-program",
    {
      title: "Write a program",
      description: "Write a program that does a task, and prove it.",
      argsSchema: textArgs("task"),
    },
    async ({ task = "" }) => asked(writeProgram(task, agentGuide)),
  );
  server.registerPrompt(
    "repair",
    {
      title: "Repair a program",
      description: "Repair a program that is not proved.",
      argsSchema: textArgs("program", "proof"),
    },
    async ({ program = "", proof = "" }) => asked(repairProgram(program, proof)),
  );
  server.registerPrompt(
    "write-contracts",
    {
      title: "Write contracts",
      description: "Write contracts for a tool module, for a person to read.",
      argsSchema: textArgs("module"),
    },
    async ({ module = "" }) => {
      const found = await catalogueFor(parts);
      const own =
        "problem" in found
          ? []
          : found.modules.filter((one) => one.entries[0]?.name.startsWith(`${module}.`));
      return asked(writeContracts(module, declarationsOf(own)));
    },
  );
}

function textArgs(...names: readonly string[]) {
  return fromJsonSchema<{ readonly [name: string]: string }>({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    required: [...names],
  });
}

function asked(text: string) {
  return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
}
