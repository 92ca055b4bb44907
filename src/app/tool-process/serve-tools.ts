/**
 * The process of the tools of one run. Tool modules are loaded and executed here and nowhere else, so a tool that ends the
 * process, blocks the thread or throws out of nowhere does not take the run with it.
 */
import { Worker } from "node:worker_threads";
import { closeConnections, holdConnections, type LoadedProbe, type LoadedTool } from "../../run/index.ts";
import { type PersonReply, personBy } from "../decide/person-questions.ts";
import { toolLoader } from "../unbundled-imports.ts";
import type { FromTools, ToTools } from "./messages.ts";

/** Serves the run that started this process, and ends with it. */
export async function serveTools(): Promise<never> {
  // Ctrl-C is told to all processes of a terminal; the run decides when it is over.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  process.on("disconnect", leave);
  watchParent();
  const served = new ServedTools();
  process.on("message", (message: ToTools) => void served.hear(message));
  return new Promise<never>(() => {});
}

function leave(): void {
  process.exit();
}

class ServedTools {
  #tools: ReadonlyMap<string, LoadedTool> = new Map();
  #probes: ReadonlyMap<string, LoadedProbe> = new Map();
  readonly #calls = new Map<number, AbortController>();
  readonly #questions = new Map<number, (reply: PersonReply) => void>();
  #asked = 0;

  async hear(message: ToTools): Promise<void> {
    switch (message.kind) {
      case "load": {
        const { loadTools } = await toolLoader();
        const loaded = await loadTools(message.places, message.fluents);
        if (!loaded.ok) return say({ kind: "not loaded", file: loaded.file, message: loaded.message });
        this.#tools = loaded.tools;
        this.#probes = loaded.probes;
        holdConnections();
        const tools = Array.from(loaded.tools, ([name, { undo }]) => ({ name, undo: undo !== undefined }));
        const probes = Array.from(loaded.probes, ([name, { keys, takes }]) => {
          return { name, keys: keys !== undefined, takes };
        });
        return say({ kind: "loaded", tools, probes });
      }
      case "probe":
        return this.#probe(message);
      case "call":
        return this.#call(message);
      case "abort":
        this.#calls.get(message.id)?.abort(new Error(message.reason));
        return;
      case "reply": {
        // SAFETY: the run makes it.
        this.#questions.get(message.id)?.(message.reply as PersonReply);
        this.#questions.delete(message.id);
        return;
      }
      case "ping":
        return say({ kind: "pong", id: message.id });
      case "close":
        await closeConnections();
        // Work that a tool has left behind may end by itself; the run gives it a moment.
        process.off("disconnect", leave);
        process.disconnect();
        return;
    }
  }

  async #probe({ id, fluent, how, given }: Extract<ToTools, { kind: "probe" }>): Promise<void> {
    const loaded = this.#probes.get(fluent);
    const [key] = given;
    await this.#answer(id, (signal) =>
      how === "probe" ? loaded?.probe(key, { signal }) : loaded?.keys?.({ signal }),
    );
  }

  async #call({ id, tool, how, given, call }: Extract<ToTools, { kind: "call" }>): Promise<void> {
    const { hasPerson, ...info } = call;
    await this.#answer(id, (signal) => {
      const context = {
        ...info,
        signal,
        ...(hasPerson && { person: personBy((question) => this.#ask(id, question)) }),
      };
      const loaded = this.#tools.get(tool);
      const [args, result] = given;
      return how === "run" ? loaded?.run(args, context) : loaded?.undo?.(args, result, context);
    });
  }

  async #answer(id: number, work: (signal: AbortSignal) => unknown): Promise<void> {
    const stop = new AbortController();
    this.#calls.set(id, stop);
    try {
      sayDone(id, await work(stop.signal));
    } catch (thrown) {
      const notDone = thrown instanceof Error && thrown.name === "NotDone";
      const message =
        thrown instanceof Error ? String(thrown.message) : typeof thrown === "string" ? thrown : "";
      say({ kind: "failed", id, notDone, message });
    } finally {
      this.#calls.delete(id);
    }
  }

  #ask(call: number, question: Parameters<Parameters<typeof personBy>[0]>[0]): Promise<PersonReply> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#questions.set(id, resolve);
      say({ kind: "ask", id, call, question });
    });
  }
}

function sayDone(id: number, value: unknown): void {
  try {
    say({ kind: "done", id, value });
  } catch {
    say({ kind: "no data", id });
  }
}

function say(message: FromTools): void {
  process.send?.(message);
}

/** A tool can keep this thread busy for long; another one notices that the run is gone. */
function watchParent(): void {
  const watch = `const parent = process.ppid;
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 1000);`;
  new Worker(watch, { eval: true }).unref();
}
