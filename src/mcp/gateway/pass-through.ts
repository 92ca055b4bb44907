/**
 * Pass-through: the tools of other servers as they are, each call held to the session. A call that is refused does not
 * reach its server. Tool modules are compiled here, and nothing of them is executed.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Failure, plainFailure } from "../../app/index.ts";
import {
  type Called,
  openSession,
  type Refusal,
  type Session,
  type SessionSetup,
} from "../../guard/index.ts";
import { ok, quoted, type Result } from "../../ir/index.ts";
import { Connection } from "./connection.ts";
import { type ToolDefinition, toolsIn } from "./definition.ts";
import type { Json } from "./json.ts";
import { digestOf, type LockedTool, readLock } from "./lock.ts";
import { configuredServer, configuredServers } from "./servers.ts";
import { refuseError, structuredIn, type ToolAnswer, textIn } from "./tool-answer.ts";

export interface PassThroughOptions extends Omit<SessionSetup, "tools" | "folder" | "onRefusal"> {
  /** The folder of the project. */
  readonly folder: string;
  /** Names that are taken already. */
  readonly taken: readonly string[];
  readonly callTimeoutMs: number;
  /** Tells the operator something. */
  readonly told: (text: string) => void;
}

/** A tool of another server, as it is listed here. */
export interface PassedTool {
  /** Its name here: its own, unless another tool has it too. */
  readonly name: string;
  readonly definition: ToolDefinition;
}

interface Known extends PassedTool {
  readonly server: Server;
  /** Its name in the tool modules. */
  readonly full: string;
  readonly locked: LockedTool;
}

interface Server {
  readonly name: string;
  readonly folder: string;
  /** Made anew if the server is gone. */
  connection: Connection;
}

export class PassThrough {
  readonly #tools: ReadonlyMap<string, Known>;
  readonly #session: Session;
  readonly #callTimeoutMs: number;
  readonly #isObserving: boolean;
  readonly #close: () => Promise<void>;

  private constructor(
    tools: readonly Known[],
    session: Session,
    { callTimeoutMs, observe = false }: PassThroughOptions,
    close: () => Promise<void>,
  ) {
    this.#tools = new Map(tools.map((one) => [one.name, one]));
    this.#session = session;
    this.#callTimeoutMs = callTimeoutMs;
    this.#isObserving = observe;
    this.#close = close;
  }

  /** Connects to every server that has a lock, and opens the session. */
  static async open(options: PassThroughOptions): Promise<Result<PassThrough, Failure>> {
    const { folder, modules, told, taken } = options;
    const names = configuredServers(folder);
    if (names.length === 0)
      return plainFailure(
        "FC9145",
        "`foreclaim.json` names no server whose tools could be passed through",
        "add one with `foreclaim mcp add`, or all of this project with `foreclaim mcp init`",
      );
    const servers: Server[] = [];
    const close = async () => {
      await Promise.all(servers.map(({ connection }) => connection.close().catch(() => undefined)));
    };
    const found: Omit<Known, "name">[] = [];
    for (const name of names) {
      const opened = await openServer(name, folder, modules ?? [join(folder, "tools")], told);
      if (!opened.ok) {
        await close();
        return opened;
      }
      servers.push(opened.value.server);
      found.push(...opened.value.tools);
    }
    const tools = withNames(found, taken);
    const onRefusal = (tool: string, refusals: readonly Refusal[]): void => {
      const word = options.observe === true ? "would have refused" : "refused";
      for (const { code, message } of refusals) told(`${word} ${quoted(tool)}: ${code}: ${message}`);
    };
    const session = await openSession({
      ...options,
      folder,
      tools: tools.map(({ full }) => full),
      onRefusal,
    });
    if (!session.ok) {
      await close();
      return session;
    }
    return ok(
      new PassThrough(tools, session.value.session, options, async () => {
        await close();
        await session.value.close();
      }),
    );
  }

  get tools(): readonly PassedTool[] {
    return [...this.#tools.values()];
  }

  /** Makes a call if the session lets it pass, and returns the answer as it came. */
  async call(name: string, args: unknown, signal?: AbortSignal): Promise<ToolAnswer> {
    const tool = this.#tools.get(name);
    if (tool === undefined) return problem(`there is no tool ${quoted(name)}`);
    const drift = await driftOf(tool);
    if (drift !== undefined) return problem(drift);
    let answer: ToolAnswer | undefined;
    const called = await this.#session.call(tool.full, args, async (passed) => {
      answer = await this.#made(tool, passed, signal);
      refuseError(answer);
      const { outputSchema } = tool.definition;
      return outputSchema === undefined
        ? textIn(answer)
        : structuredIn(tool.definition.name, answer, outputSchema);
    });
    return answerFor(called, answer, this.#isObserving);
  }

  async #made(
    { server, definition }: Known,
    passed: unknown,
    signal: AbortSignal | undefined,
  ): Promise<ToolAnswer> {
    return server.connection.call(definition.name, Object(passed), {
      timeoutMs: this.#callTimeoutMs,
      signal,
    });
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** The answer as it came, unless nothing was called, or the tool answered what it must not. */
function answerFor(called: Called, answer: ToolAnswer | undefined, isObserving: boolean): ToolAnswer {
  switch (called.kind) {
    case "refused":
      return problem(called.refusals.map(({ code, message }) => `${code}: ${message}`).join("\n"));
    case "returned":
      return answer ?? problem("the server gave no answer");
    case "failed":
    case "not done": {
      if (answer !== undefined && (answer.isError === true || isObserving)) return answer;
      return problem(called.error instanceof Error ? called.error.message : "the call failed");
    }
  }
}

function problem(text: string): ToolAnswer {
  const said = { type: "text", text };
  return { content: [said], isError: true };
}

/**
 * SOUNDNESS: the definition is the one of the lock, or nothing is called. The server is asked before every call: it may
 * change its tools and say nothing.
 */
async function driftOf({ server, definition: { name }, locked }: Known): Promise<string | undefined> {
  const listed = toolsIn(server.name, await listOf(server).catch(() => []));
  const now = listed.ok ? listed.value.find((one) => one.name === name) : undefined;
  if (now !== undefined && digestOf(now) === locked.digest) return undefined;
  const what = now === undefined ? "is no longer there" : "has changed";
  return `FC9144: the definition of ${quoted(name)} ${what} since it was reviewed; nothing was called`;
}

async function listOf(server: Server): Promise<readonly Json[]> {
  try {
    return await server.connection.list();
  } catch {
    await server.connection.close().catch(() => undefined);
    server.connection = await Connection.open(configuredServer(server.folder, server.name));
    return server.connection.list();
  }
}

async function openServer(
  name: string,
  folder: string,
  modules: readonly string[],
  told: (text: string) => void,
): Promise<Result<{ readonly server: Server; readonly tools: readonly Omit<Known, "name">[] }, Failure>> {
  const file = modules.map((one) => resolve(one, `${name}.lock.json`)).find((one) => existsSync(one));
  const lock = file === undefined ? undefined : readLock(readFileSync(file, "utf8"));
  if (lock === undefined)
    return plainFailure(
      "FC9144",
      `the server ${quoted(name)} has no module with a lock`,
      `make it with \`foreclaim mcp add ${name}\``,
    );
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(configuredServer(folder, name));
    const listed = toolsIn(name, await connection.list());
    if (!listed.ok) {
      await connection.close().catch(() => undefined);
      return listed;
    }
    const server: Server = { name, folder, connection };
    const tools: Omit<Known, "name">[] = [];
    for (const definition of listed.value) {
      const locked = lock.tools.get(definition.name);
      if (locked !== undefined && locked.digest === digestOf(definition))
        tools.push({ server, definition, locked, full: `${name}.${locked.as}` });
      else
        told(
          `FC9144: ${quoted(definition.name)} of ${quoted(name)} is not listed: it ${locked === undefined ? "is new" : "has changed"}; see \`foreclaim mcp update --name ${name}\``,
        );
    }
    return ok({ server, tools });
  } catch (thrown) {
    await connection?.close().catch(() => undefined);
    const words = thrown instanceof Error ? thrown.message : "it threw something";
    return plainFailure("FC9145", `the server ${quoted(name)} cannot be used: ${words}`);
  }
}

/** A name that two tools have is given to neither: each gets the name of its server before it. */
function withNames(tools: readonly Omit<Known, "name">[], taken: readonly string[]): readonly Known[] {
  const uses = new Map<string, number>();
  for (const { definition } of tools) uses.set(definition.name, (uses.get(definition.name) ?? 0) + 1);
  return tools.map((one) => {
    const { name } = one.definition;
    const isFree = uses.get(name) === 1 && !taken.includes(name) && !(name in {});
    return { ...one, name: isFree ? name : `${one.server.name}_${name}` };
  });
}
