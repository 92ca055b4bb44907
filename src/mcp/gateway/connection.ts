/** A connection to a server of others, in whichever era it speaks. */
import { resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { isObject, type Json } from "./json.ts";
import { jsonWithoutSecrets, secretsOf, withoutSecrets } from "./secrets.ts";
import { ServerLog } from "./server-log.ts";
import type { FoundConfig } from "./servers.ts";
import type { ToolAnswer } from "./tool-answer.ts";
import { expandedText, expandedTexts, type Variables } from "./variables.ts";

/** LIMIT: of pages of a list of tools, and of the time until a server answers the first time. */
const mostPages = 100;
const startMs = 60_000;
/** LIMIT: of one message of a server. */
const mostBytes = 10 * 1024 * 1024;

/** An answer as it came, before anybody has looked at it. */
const asItCame = {
  "~standard": {
    version: 1 as const,
    vendor: "foreclaim",
    validate: (value: unknown) => ({ value }),
  },
};

export class Connection {
  readonly #client: Client;
  readonly #secrets: readonly string[];

  private constructor(client: Client, secrets: readonly string[]) {
    this.#client = client;
    this.#secrets = secrets;
    // After a message that is too long nothing can be understood any more, so every caller is told at once. The server
    // may be busy writing the rest of it, so it is not asked to end.
    client.onerror = (error) => {
      if (!/exceeded maximum size/.test(error.message)) return;
      const { transport } = client;
      if (transport instanceof StdioClientTransport && transport.pid !== null) kill(transport.pid);
      void client.close().catch(() => undefined);
    };
  }

  /** Most servers speak the era of 2025; one that does not is asked again in the next one. */
  static async open(found: FoundConfig): Promise<Connection> {
    try {
      return await Connection.openIn(found, "legacy");
    } catch (thrown) {
      try {
        return await Connection.openIn(found, { pin: "2026-07-28" });
      } catch {
        throw thrown;
      }
    }
  }

  /** Starts the server, or reaches it, in one era. */
  static async openIn(found: FoundConfig, mode: "legacy" | { pin: string }): Promise<Connection> {
    const variables = { environment: process.env, folder: found.folder };
    const secrets = secretsOf(found.config, variables);
    const client = new Client({ name: "foreclaim", version: "1" }, { versionNegotiation: { mode } });
    const connection = new Connection(client, secrets);
    try {
      await client.connect(transportTo(found, variables, secrets), { timeout: startMs });
      return connection;
    } catch (thrown) {
      await client.close().catch(() => undefined);
      throw told(thrown, secrets);
    }
  }

  /** Lists all tools, word for word. */
  async list(): Promise<readonly Json[]> {
    const tools: Json[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const answer = await this.#client
        .request({ method: "tools/list", params }, asItCame, { timeout: startMs })
        .catch((thrown: unknown) => Promise.reject(told(thrown, this.#secrets)));
      if (!isObject(answer) || !Array.isArray(answer.tools))
        throw new Error("the server has no list of tools");
      tools.push(...answer.tools.map((one: Json) => describedWithout(one, this.#secrets)));
      if (typeof answer.nextCursor !== "string") return tools;
      cursor = answer.nextCursor;
    }
    throw new Error(`the list of tools has more than ${mostPages} pages`);
  }

  /** Calls a tool. The answer is as it came, but for the secrets of the server. */
  async call(
    name: string,
    args: object,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<ToolAnswer> {
    try {
      const answer = await this.#client.callTool(
        { name, arguments: { ...args } },
        { timeout: timeoutMs, ...(signal && { signal }) },
      );
      if (this.#secrets.length === 0) return answer;
      // SAFETY: it came out of JSON, and keeps its form.
      return jsonWithoutSecrets(answer as unknown as Json, this.#secrets) as unknown as ToolAnswer;
    } catch (thrown) {
      throw told(thrown, this.#secrets);
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** The message alone: what an error carries besides may hold a header or an address with a key. */
function told(thrown: unknown, secrets: readonly string[]): Error {
  return new Error(thrown instanceof Error ? withoutSecrets(thrown.message, secrets) : "it threw something");
}

/** Descriptions without secrets; names and types are no place for one, and a change there would be no use. */
function describedWithout(json: Json, secrets: readonly string[]): Json {
  if (secrets.length === 0) return json;
  if (Array.isArray(json)) return json.map((one: Json) => describedWithout(one, secrets));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, one]) => [
      name,
      name === "description" && typeof one === "string"
        ? withoutSecrets(one, secrets)
        : describedWithout(one, secrets),
    ]),
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

function transportTo({ config, folder }: FoundConfig, variables: Variables, secrets: readonly string[]) {
  if ("url" in config)
    return new StreamableHTTPClientTransport(new URL(expandedText(config.url, variables)), {
      requestInit: { headers: expandedTexts(config.headers ?? {}, variables) },
      fetch: bounded,
    });
  const transport = new StdioClientTransport({
    command: expandedText(config.command, variables),
    args: (config.args ?? []).map((one) => expandedText(one, variables)),
    env: { ...getDefaultEnvironment(), ...expandedTexts(config.env ?? {}, variables) },
    cwd: resolve(folder, expandedText(config.cwd ?? ".", variables)),
    stderr: "pipe",
    maxBufferSize: mostBytes,
  });
  const log = new ServerLog(secrets, (text) => process.stderr.write(text));
  transport.stderr?.on("data", (chunk: Buffer) => log.add(chunk));
  transport.stderr?.on("end", () => log.end());
  return transport;
}

/** Reads no more than so much of an answer to one message. */
async function bounded(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null || init?.method !== "POST") return response;
  let length = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      length += chunk.length;
      if (length > mostBytes) controller.error(new Error(`the answer has more than ${mostBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}
