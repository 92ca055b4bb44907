/**
 * The tools of another server, as a generated module calls them. The connection is made by the first call of a run and
 * belongs to it. A tool whose definition is not the one that a person has seen is not called.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { NotDone, onRunEnd } from "../../toolkit/index.ts";
import { Connection } from "./connection.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { digestOf, type Lock, readLock } from "./lock.ts";
import { configuredServer } from "./servers.ts";
import { refuseError, structuredIn, type ToolAnswer, textIn } from "./tool-answer.ts";

/** The part of a call that `run` of a tool passes on. */
export interface UpstreamCall {
  readonly signal?: AbortSignal;
}

export interface Upstream {
  /** Calls a tool and returns its text. */
  readonly text: (tool: string, args: object, call?: UpstreamCall) => Promise<string>;
  /** Calls a tool and returns its structured result, projected to the fields that its definition names. */
  readonly structured: <T>(tool: string, args: object, call?: UpstreamCall) => Promise<T>;
}

/**
 * The server of a generated module.
 *
 * @param url `import.meta.url` of the module, whose lock lies beside it
 */
export function upstream(name: string, url: string): Upstream {
  const file = fileURLToPath(url);
  const server = new UpstreamServer(name, file.replace(/\.[cm]?ts$/, ".lock.json"), dirname(file));
  return {
    text: (tool, args, call) => server.text(tool, args, call),
    // SAFETY: the run verifies the result against the type that the module declares, whatever it is.
    structured: async <T>(tool: string, args: object, call?: UpstreamCall) =>
      (await server.structured(tool, args, call)) as T,
  };
}

/** LIMIT: of a call; the run has a limit of its own, which is told by the signal. */
const callMs = 24 * 60 * 60 * 1000;

interface Open {
  readonly connection: Connection;
  readonly definitions: ReadonlyMap<string, JsonObject>;
}

class UpstreamServer {
  readonly #name: string;
  readonly #lockFile: string;
  readonly #folder: string;
  #open: Promise<Connection> | undefined;

  constructor(name: string, lockFile: string, folder: string) {
    this.#name = name;
    this.#lockFile = lockFile;
    this.#folder = folder;
    onRunEnd(() => this.#close());
  }

  async text(tool: string, args: object, call?: UpstreamCall): Promise<string> {
    return textIn(await this.#call(await this.#seen(tool), tool, args, call));
  }

  async structured(tool: string, args: object, call?: UpstreamCall): Promise<Json> {
    const open = await this.#seen(tool);
    const schema = open.definitions.get(tool)?.outputSchema;
    const answer = await this.#call(open, tool, args, call);
    return structuredIn(tool, answer, schema);
  }

  /** SOUNDNESS: the definition is the one of the lock, or nothing is called. */
  async #seen(tool: string): Promise<Open> {
    let open: Open;
    try {
      this.#open ??= this.#connect();
      const connection = await this.#open;
      // Before every call: a server may change its tools and say nothing.
      open = { connection, definitions: await definitionsOf(connection) };
    } catch (thrown) {
      this.#open = undefined;
      throw new NotDone(`FC9145: the server \`${this.#name}\` cannot be used: ${messageOf(thrown)}`);
    }
    const now = open.definitions.get(tool);
    const seen = this.#lock().tools.get(tool);
    if (seen !== undefined && now !== undefined && digestOf({ whole: now }) === seen.digest) return open;
    const what = now === undefined ? "is no longer there" : seen === undefined ? "is new" : "has changed";
    const message = `FC9144: the definition of \`${tool}\` ${what} since it was reviewed; see \`foreclaim mcp update\``;
    throw new NotDone(message);
  }

  async #connect(): Promise<Connection> {
    return Connection.open(configuredServer(this.#folder, this.#name));
  }

  async #call(
    { connection }: Open,
    tool: string,
    args: object,
    call: UpstreamCall | undefined,
  ): Promise<ToolAnswer> {
    const answer = await connection.call(tool, args, { timeoutMs: callMs, signal: call?.signal });
    refuseError(answer);
    return answer;
  }

  #lock(): Lock {
    const lock = readLock(readFileSync(this.#lockFile, "utf8"));
    if (lock === undefined) throw new NotDone(`FC9144: \`${this.#lockFile}\` is no lock of a tool module`);
    return lock;
  }

  async #close(): Promise<void> {
    const open = await this.#open?.catch(() => undefined);
    this.#open = undefined;
    await open?.close().catch(() => undefined);
  }
}

async function definitionsOf(connection: Connection): Promise<ReadonlyMap<string, JsonObject>> {
  const tools = await connection.list();
  return new Map(tools.filter(isObject).map((one) => [String(one.name), one]));
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : "it threw something";
}
