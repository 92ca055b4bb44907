/** A connection to a server of others, in whichever era it speaks. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { isObject, type Json } from "./json.ts";
import { expanded, type FoundConfig } from "./servers.ts";

/** LIMIT: of pages of a list of tools, and of the time until a server answers the first time. */
const mostPages = 100;
const startMs = 60_000;

/** An answer as it came, before anybody has looked at it. */
const asItCame = {
  "~standard": {
    version: 1 as const,
    vendor: "foreclaim",
    validate: (value: unknown) => ({ value }),
  },
};

export class Connection {
  readonly client: Client;
  /** Set where the server has said that its tools have changed. */
  isStale = false;

  private constructor(client: Client) {
    this.client = client;
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      this.isStale = true;
    });
  }

  /** Most servers speak the era of 2025; one that does not is asked again in the next one. */
  static async open(found: FoundConfig): Promise<Connection> {
    try {
      return await connected(found, "legacy");
    } catch (thrown) {
      try {
        return await connected(found, { pin: "2026-07-28" });
      } catch {
        throw thrown;
      }
    }
  }

  static made(client: Client): Connection {
    return new Connection(client);
  }

  /** Lists all tools, word for word. */
  async list(): Promise<readonly Json[]> {
    this.isStale = false;
    const tools: Json[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const answer = await this.client.request({ method: "tools/list", params }, asItCame, {
        timeout: startMs,
      });
      if (!isObject(answer) || !Array.isArray(answer.tools))
        throw new Error("the server has no list of tools");
      tools.push(...answer.tools);
      if (typeof answer.nextCursor !== "string") return tools;
      cursor = answer.nextCursor;
    }
    throw new Error(`the list of tools has more than ${mostPages} pages`);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

async function connected(found: FoundConfig, mode: "legacy" | { pin: string }): Promise<Connection> {
  const client = new Client({ name: "foreclaim", version: "1" }, { versionNegotiation: { mode } });
  const connection = Connection.made(client);
  try {
    await client.connect(transportTo(found), { timeout: startMs });
    return connection;
  } catch (thrown) {
    await client.close().catch(() => undefined);
    throw thrown;
  }
}

function transportTo({ config, folder }: FoundConfig) {
  if ("url" in config) {
    const headers = expanded(config.headers ?? {}, process.env);
    return new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers } });
  }
  return new StdioClientTransport({
    command: config.command,
    args: [...(config.args ?? [])],
    env: { ...getDefaultEnvironment(), ...expanded(config.env ?? {}, process.env) },
    cwd: folder,
    stderr: "inherit",
  });
}
