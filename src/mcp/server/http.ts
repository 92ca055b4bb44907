/**
 * Serves MCP over Streamable HTTP, inside of the approval service, which authenticates. Each agent has its own runs, filed with its own credential. Clients of the 2025 era have sessions, in which the
 * server can ask them; those of 2026-07-28 have none.
 */
import { randomUUID } from "node:crypto";
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type FileSystem, Runs } from "../../app/index.ts";
import { Asking } from "./asking.ts";
import { JobPool } from "./job-pool.ts";
import { mcpServer } from "./server.ts";
import type { McpSettings } from "./settings.ts";
import { startIn } from "./start-run.ts";

export interface HttpParts {
  readonly settings: McpSettings;
  readonly fs: Pick<FileSystem, "readFile">;
  readonly version: string;
  /** The script that starts a job process. */
  readonly entry: string;
  /** The folder with a page for each error code. */
  readonly pages: string;
  readonly nowMs: () => number;
  readonly told: (text: string) => void;
}

/** An agent that the service has authenticated. */
export interface Caller {
  readonly name: string;
  readonly secret: string;
}

/** LIMIT: of proofs at the same time. */
const proofs = 4;
/** LIMIT: of sessions in all, and of one agent; one that was not used for so long makes room. */
const mostSessions = 1_000;
const mostOfAgent = 300;
const idleMs = 10 * 60_000;
/** LIMIT: of a request. A program has a million characters at most. */
const mostBytes = 4 * 1024 * 1024;

interface Session {
  readonly agent: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastMs: number;
  /** Requests in progress; a session with one is not idle. */
  open: number;
}

export class HttpFace {
  readonly #parts: HttpParts;
  readonly #asking = new Asking();
  readonly #pool: JobPool;
  readonly #modern: McpHttpHandler;
  readonly #runs = new Map<string, Runs>();
  readonly #sessions = new Map<string, Session>();

  constructor(parts: HttpParts) {
    this.#parts = parts;
    const { entry, settings, told } = parts;
    this.#pool = new JobPool({ entry, settings, size: proofs });
    this.#modern = createMcpHandler((context) => this.#server(context.authInfo), {
      legacy: "reject",
      maxRequestBodySize: mostBytes,
      onerror: (error) => told(error.message),
    });
  }

  async fetch(request: Request, from: Caller): Promise<Response> {
    const authInfo: AuthInfo = { token: from.secret, clientId: from.name, scopes: [] };
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: mostBytes })))
      return this.#modern.fetch(request, { authInfo });
    return this.#inSession(request, authInfo);
  }

  /** Ends everything but the runs that make calls, and waits for those. */
  async close(): Promise<void> {
    await this.#modern.close();
    for (const id of [...this.#sessions.keys()]) await this.#end(id);
    await this.#pool.close();
  }

  #server(authInfo: AuthInfo | undefined): McpServer {
    const { fs, pages, version, settings } = this.#parts;
    if (authInfo === undefined) throw new TypeError("a request came without its agent");
    const { proveTimeoutMs } = settings;
    const [pool, asking] = [this.#pool, this.#asking];
    const runs = this.#runsOf(authInfo);
    return mcpServer({ version, pool, runs, asking, fs, pages, proveTimeoutMs, hasPrograms: true });
  }

  /** SOUNDNESS: the runs of one agent are not there for another, whatever it knows of them. */
  #runsOf({ clientId, token }: AuthInfo): Runs {
    const known = this.#runs.get(clientId);
    if (known !== undefined) return known;
    const runs = new Runs(startIn(this.#pool, token));
    this.#runs.set(clientId, runs);
    return runs;
  }

  async #inSession(request: Request, authInfo: AuthInfo): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const session = id === null ? await this.#open(authInfo) : this.#sessions.get(id);
    // A session of somebody else is none.
    if (session === undefined || session.agent !== authInfo.clientId)
      return id === null
        ? refusal(503, "there are too many sessions; try again later")
        : refusal(404, "there is no such session");
    session.open++;
    try {
      return await session.transport.handleRequest(request, { authInfo });
    } finally {
      session.open--;
      session.lastMs = this.#parts.nowMs();
      if (session.transport.sessionId === undefined) await session.server.close();
    }
  }

  async #open(authInfo: AuthInfo): Promise<Session | undefined> {
    const agent = authInfo.clientId;
    await this.#makeRoom(agent);
    const ofAgent = [...this.#sessions.values()].filter((one) => one.agent === agent).length;
    if (this.#sessions.size >= mostSessions || ofAgent >= mostOfAgent) return undefined;
    const server = this.#server(authInfo);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: mostBytes,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
      onsessionclosed: (id) => this.#end(id),
    });
    const session: Session = { agent, server, transport, lastMs: this.#parts.nowMs(), open: 0 };
    await server.connect(transport);
    return session;
  }

  /** Ends the sessions of an agent that has too many and leaves them idle. */
  async #makeRoom(agent: string): Promise<void> {
    const isFull = this.#sessions.size >= mostSessions;
    const own = [...this.#sessions].filter(([, one]) => isFull || one.agent === agent);
    if (!isFull && own.length < mostOfAgent) return;
    const before = this.#parts.nowMs() - idleMs;
    for (const [id, { lastMs, open }] of own) if (open === 0 && lastMs < before) await this.#end(id);
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close();
  }
}

function refusal(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }, { status });
}
