/** The tools of a run in a process of their own, as the run calls them. */
import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import { NotDone } from "../../kernel/index.ts";
import { type CallInfo, type LoadedProbe, type LoadedTool, Lost, type ToolPlace } from "../../run/index.ts";
import { noReply, type PersonQuestion, type PersonReply } from "../decide/person-questions.ts";
import type { ToolSource } from "../run.ts";
import { type FromTools, type ToTools, toolsCommand } from "./messages.ts";

/** LIMIT: until a process that was told to stop a call, and does not even answer, is killed. */
const deafMs = 2_000;
/** LIMIT: until a process that was told to end is killed, and until its last words are given up. */
const endMs = 3_000;
const wordsMs = 300;

/**
 * Loads tool modules in another process.
 *
 * @param entry the script of the command, which starts such a process
 */
export function childTools(entry: string): ToolSource {
  return async (places, print = toStdout, fluents = []) => {
    if (places.length + fluents.length === 0) return { ok: true, tools: new Map() };
    const process = new ToolProcess(entry, { places, fluents }, print);
    const loaded = await process.start();
    if (!loaded.ok) {
      await process.close();
      return loaded;
    }
    const tools = new Map(loaded.tools.map(({ name, undo }) => [name, process.tool(name, undo)]));
    const probes = new Map(loaded.probes.map((one) => [one.name, process.probe(one)]));
    return {
      ok: true,
      tools,
      probes,
      close: () => process.close(),
      recheck: (isSame) => process.recheck(isSame),
    };
  };
}

function toStdout(line: string): void {
  process.stdout.write(`${line}\n`);
}

type LoadedNames = Omit<Extract<FromTools, { kind: "loaded" }>, "kind">;

type Loading =
  | ({ readonly ok: true } & LoadedNames)
  | { readonly ok: false; readonly file: string; readonly message: string };

/** Part of the context of a probe that is sent. */
interface ProbeCall {
  readonly signal: AbortSignal;
}

interface Places {
  readonly places: readonly ToolPlace[];
  readonly fluents: readonly ToolPlace[];
}

interface Waiting {
  /** Absent for a probe. */
  readonly info?: CallInfo;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

class ToolProcess {
  readonly #entry: string;
  readonly #places: Places;
  readonly #print: (line: string) => void;
  readonly #calls = new Map<number, Waiting>();
  #child: Child | undefined;
  #starting: Promise<Loading> | undefined;
  #isSame: () => Promise<boolean> = async () => true;
  #isClosed = false;
  #count = 0;

  constructor(entry: string, places: Places, print: (line: string) => void) {
    this.#entry = entry;
    this.#places = places;
    this.#print = print;
  }

  /** Sets how to verify that the modules are still what was proved, for a process that is started again. */
  recheck(isSame: () => Promise<boolean>): void {
    this.#isSame = isSame;
  }

  start(): Promise<Loading> {
    this.#starting ??= this.#load();
    return this.#starting;
  }

  tool(name: string, hasUndo: boolean): LoadedTool {
    // SAFETY: runs give it, here and below.
    const run = (args: unknown, info: unknown) => this.#call(name, "run", [args], info as CallInfo);
    const undo = (args: unknown, result: unknown, info: unknown) =>
      this.#call(name, "undo", [args, result], info as CallInfo);
    return hasUndo ? { run, undo } : { run };
  }

  probe({ name, keys, takes }: LoadedNames["probes"][number]): LoadedProbe {
    // SAFETY: those who ask give it, as for tools.
    const ask = (how: "probe" | "keys", given: readonly unknown[], call: unknown) =>
      this.#asked((call as ProbeCall).signal, {}, (id) => ({ kind: "probe", id, fluent: name, how, given }));
    return {
      probe: (key, call) => ask("probe", [key], call),
      ...(keys && { keys: (call: unknown) => ask("keys", [], call) }),
      takes,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#child?.end();
  }

  async #load(): Promise<Loading> {
    const child = new Child(this.#entry, this.#print);
    this.#child = child;
    const loading = new Promise<Loading>((resolve) => {
      child.onMessage((message) => {
        if (message.kind === "loaded") resolve({ ok: true, tools: message.tools, probes: message.probes });
        else if (message.kind === "not loaded") resolve({ ...message, ok: false });
        else afterOutput(() => this.#hear(child, message));
      });
      void child.ended.then(() => {
        const { places, fluents } = this.#places;
        const file = places[0]?.file ?? fluents[0]?.file ?? "";
        resolve({ ok: false, file, message: "it ended the process that loaded it" });
        this.#lost(child);
      });
    });
    child.send({ kind: "load", ...this.#places });
    return loading;
  }

  /** SOUNDNESS: a process that is started again loads the files again, so they must still be what was proved. */
  async #live(): Promise<Child> {
    if (this.#starting === undefined && !this.#isClosed) {
      const loaded = await this.start();
      if (!loaded.ok) throw new NotDone(`the tools cannot be loaded again: ${loaded.message}`);
      if (!(await this.#isSame())) {
        await this.#child?.end();
        throw new NotDone("a tool module was changed since it was proved");
      }
    }
    await this.#starting;
    const child = this.#child;
    if (this.#isClosed || child === undefined) throw new NotDone("the process of the tools has ended");
    return child;
  }

  #call(tool: string, how: "run" | "undo", given: readonly unknown[], info: CallInfo): Promise<unknown> {
    const { actionId, runId, key, attempt, result, signal, person } = info;
    const call = {
      ...{ actionId, runId, key, attempt, hasPerson: person !== undefined },
      ...(result && { result }),
    };
    return this.#asked(signal, { info }, (id) => ({ kind: "call", id, tool, how, given, call }));
  }

  async #asked(
    signal: AbortSignal,
    about: Pick<Waiting, "info">,
    message: (id: number) => ToTools,
  ): Promise<unknown> {
    const child = await this.#live();
    const id = ++this.#count;
    const stop = (): void => {
      child.send({ kind: "abort", id, reason: signal.reason instanceof Error ? signal.reason.message : "" });
      child.mustHear();
    };
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.#calls.set(id, { ...about, resolve, reject });
        child.send(message(id));
        signal.addEventListener("abort", stop, { once: true });
        if (signal.aborted) stop();
      });
    } finally {
      this.#calls.delete(id);
      signal.removeEventListener("abort", stop);
    }
  }

  #hear(child: Child, message: FromTools): void {
    switch (message.kind) {
      case "done":
        this.#calls.get(message.id)?.resolve(message.value);
        break;
      case "no data":
        // A value of no type: the run refuses it as it refuses every wrong result.
        this.#calls.get(message.id)?.resolve(() => undefined);
        break;
      case "failed": {
        const error = message.notDone ? new NotDone(message.message) : new Error(message.message);
        this.#calls.get(message.id)?.reject(error);
        break;
      }
      case "ask":
        void this.#ask(child, message);
        break;
      case "pong":
        child.heard();
        break;
      case "loaded":
      case "not loaded":
        break;
    }
  }

  async #ask(child: Child, { id, call, question }: Extract<FromTools, { kind: "ask" }>): Promise<void> {
    const info = this.#calls.get(call)?.info;
    const reply = info === undefined ? noReply : await replyOf(info, question).catch(() => noReply);
    child.send({ kind: "reply", id, reply });
  }

  /** Gives up the calls in progress: their effect is unknown. */
  #lost(child: Child): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#starting = undefined;
    for (const { reject } of this.#calls.values()) reject(new Lost("the process of the tool has ended"));
  }
}

async function replyOf(
  { person, signal }: CallInfo,
  { kind, what, items }: PersonQuestion,
): Promise<PersonReply> {
  if (person === undefined) return noReply;
  switch (kind) {
    case "approve":
      return { ...noReply, approved: await person.approve({ what, text: items[0] ?? "" }, signal) };
    case "approve_list":
      return { ...noReply, chosen: await person.approveList({ what, items }, signal) };
    case "ask":
      return { ...noReply, words: (await person.ask({ question: what }, signal)) ?? null };
  }
}

/**
 * Lets the lines that a tool printed before its message be passed on first. They are in the pipe by then, and one turn of the
 * event loop reads them.
 */
function afterOutput(hear: () => void): void {
  setImmediate(() => setImmediate(hear));
}

/** A process, whose lines on standard output are passed on. */
class Child {
  readonly #process: ChildProcess;
  readonly ended: Promise<void>;
  #deaf: NodeJS.Timeout | undefined;
  #pings = 0;

  constructor(entry: string, print: (line: string) => void) {
    this.#process = fork(entry, [toolsCommand], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      serialization: "advanced",
    });
    const { stdout } = this.#process;
    if (stdout !== null) createInterface({ input: stdout }).on("line", print);
    this.ended = new Promise((resolve) => {
      this.#process.once("error", () => resolve());
      this.#process.once("exit", () => {
        clearTimeout(this.#deaf);
        // A process that it left behind may hold its output open.
        const late = setTimeout(() => stdout?.destroy(), wordsMs);
        this.#process.once("close", () => {
          clearTimeout(late);
          resolve();
        });
      });
    });
  }

  onMessage(hear: (message: FromTools) => void): void {
    this.#process.on("message", hear);
  }

  /** A process that is gone says so itself. */
  send(message: ToTools): void {
    this.#process.send(message, () => {});
  }

  /** Kills the process if it does not answer soon: its thread is busy, and would be forever. */
  mustHear(): void {
    this.#deaf ??= setTimeout(() => this.#process.kill("SIGKILL"), deafMs);
    this.send({ kind: "ping", id: ++this.#pings });
  }

  heard(): void {
    clearTimeout(this.#deaf);
    this.#deaf = undefined;
  }

  async end(): Promise<void> {
    this.send({ kind: "close" });
    const late = setTimeout(() => this.#process.kill("SIGKILL"), endMs);
    await this.ended;
    clearTimeout(late);
  }
}
