/** A service with workers, as an operator starts them: one store and one ledger on a PostgreSQL server. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Kernel } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { foreclaim } from "../cli/built.ts";
import { main, Serve } from "./serve-process.ts";

const tools = `/** A world that remembers every call. */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { contract, type ToolCall, tool } from "foreclaim";
import * as person from "foreclaim/tools";

const done = async (text: string, call: ToolCall): Promise<void> => {
  await sleep(20);
  appendFileSync("world.txt", text + " " + call.key + "\\n");
  await sleep(20);
};

/** Happens each time that it is called. */
export const once = tool({
  cost: () => 1,
  run: ({ n }: { n: number }, call: ToolCall): Promise<void> => done("once " + n, call),
});
/** Happens once for each key. */
export const keyed = tool({
  idempotent: true,
  run: ({ n }: { n: number }, call: ToolCall): Promise<void> => done("keyed " + n, call),
});
/** Asks the person at the page. */
export const approve = tool({
  reads: true,
  run: ({ what, text }: { what: string; text: string }, call: ToolCall): Promise<string> =>
    person.approve({ what, text }, call),
});
export const atMost = contract((n: number) => once.count() <= n);
`;

const door = `/** A door that one run uses at a time. */
import { contract, fluent, tool } from "foreclaim";
/** True if it is locked. */
export const locked = fluent<string, boolean>({ initial: true });
export const open = tool({
  effects: ({ name }) => [locked.set(name, false)],
  run: async ({ name }: { name: string }): Promise<void> => {},
});
export const lock = tool({
  idempotent: true,
  effects: ({ name }) => [locked.set(name, true)],
  run: async ({ name }: { name: string }): Promise<void> => {},
});
export const lockedAtEnd = contract((name: string) => locked.final.get(name));
`;

const program = (guarantee: string, body: string, imports = "") => `import { program } from "foreclaim";
import * as world from "./tools/world";
${imports}
export default program({
  guarantees: [${guarantee}],
  async run() {
    ${body}
  },
});
`;

export const programs = {
  /** Five calls; some do harm if they are made twice. */
  steps: program(
    "world.atMost(3)",
    `await world.once({ n: 1 });
    await world.keyed({ n: 2 });
    await Promise.all([world.once({ n: 3 }), world.keyed({ n: 4 })]);
    await world.once({ n: 5 });
    return "done";`,
  ),
  /** Waits for a person while the door is open. */
  door: program(
    'door.lockedAtEnd("front")',
    `await door.open({ name: "front" });
    await world.approve({ what: "to lock", text: "the door" });
    await door.lock({ name: "front" });`,
    'import * as door from "./tools/door";',
  ),
  /** Waits for a person between two calls. */
  asks: program(
    "world.atMost(2)",
    `await world.once({ n: 1 });
    const said = await world.approve({ what: "to go on", text: "the second call" });
    await world.once({ n: 2 });
    return said;`,
  ),
};

export class Field {
  readonly folder: string;
  readonly url: string;
  serve!: Serve;
  readonly #workers = new Set<ChildProcess>();

  private constructor(folder: string, url: string) {
    this.folder = folder;
    this.url = url;
  }

  /** @param rules a policy of the service; without it people decide */
  static async start(url: string, rules?: readonly object[], budget = "1000"): Promise<Field> {
    const folder = mkdtempSync(join(tmpdir(), "foreclaim-worker-"));
    const field = new Field(folder, url);
    field.write("tools/world.ts", tools);
    field.write("tools/door.ts", door);
    if (rules !== undefined) field.write("policy.json", JSON.stringify({ version: 1, rules }));
    await field.command("kernel", "init", url, "--budget", `usd=${budget}`);
    await field.command("keys", "make", "approve.key");
    for (const role of ["agent", "reviewer"]) {
      const args = ["--name", role, "--role", role, "--store", url, "--json"];
      const { credential } = JSON.parse(await field.command("serve", "credential", "make", ...args));
      field.write(`approvals.db.${role}`, credential);
    }
    const policy = rules === undefined ? [] : ["--policy", "policy.json"];
    field.serve = await Serve.start(
      folder,
      ...["--store", url, "--ledger", url, "--key", "approve.key", "--workers", "2", "--no-mcp", ...policy],
    );
    return field;
  }

  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs a command that must succeed. */
  async command(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await foreclaim(args, { cwd: this.folder });
    if (code !== 0) throw new Error(`foreclaim ${args.join(" ")} ended with ${code}\n${out}${err}`);
    return out;
  }

  worker(...args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<string> } {
    const files = ["--store", this.url, "--ledger", this.url, "--key", "approve.pub", "--log", "json"];
    const child = spawn(process.execPath, [main, "worker", ...files, ...args], {
      cwd: this.folder,
      env: { PATH: process.env.PATH ?? "" },
    });
    this.#workers.add(child);
    let log = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      log += chunk.toString();
    });
    const ended = new Promise<string>((resolve) => {
      child.once("close", () => {
        this.#workers.delete(child);
        resolve(log);
      });
    });
    return { child, ended };
  }

  /** Files a program for workers, and gives its id. */
  async file(text: string): Promise<string> {
    const body = { program: { file: "program.ts", text }, inputs: {}, run: "worker" };
    const { status, json } = await this.serve.ask(this.serve.agent, "/api/requests", { body });
    if (status !== 201) throw new Error(JSON.stringify(json));
    return json.id;
  }

  /** The request as a reviewer reads it, once it is as it should be. */
  async until(id: string, isSo: (request: ReturnType<typeof JSON.parse>) => boolean) {
    for (let revision = 0; ; ) {
      const path = `/api/requests/${id}/wait?revision=${revision}&seconds=20`;
      const { json } = await this.serve.ask(this.serve.reviewer, path);
      if (isSo(json)) return json;
      ({ revision } = json);
    }
  }

  async approve(id: string): Promise<void> {
    const { revision } = await this.until(id, ({ status }) => status === "pending");
    const { status, text } = await this.serve.decide(id, "approved_once", revision);
    if (status !== 200) throw new Error(text);
  }

  /** Everything that has happened: what, and for which call. */
  world(): readonly string[] {
    const path = join(this.folder, "world.txt");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  }

  async onKernel<T>(work: (kernel: Kernel) => Promise<T>): Promise<T> {
    const ledger = await openLedger(this.url, { create: false });
    try {
      const opened = await Kernel.open({ ledger, name: "main", clock: Date.now });
      if (!opened.ok) throw new Error(opened.problem.message);
      return await work(opened.value);
    } finally {
      await ledger.close();
    }
  }

  /** A person who is asked about calls in doubt looks at the world; gives how many there were. */
  async resolve(): Promise<number> {
    return this.onKernel(async (kernel) => {
      const calls = kernel.inDoubt().filter(({ key = "" }) => / call /.test(key));
      for (const { key = "", receipt } of calls) {
        const name = key.replace(/ again [0-9]+/, "");
        const isDone = this.world().some((line) => line.startsWith("once ") && line.endsWith(` ${name}`));
        if (isDone) await kernel.settle(receipt, { outcome: { returned: true } });
        else await kernel.release(receipt, "the world knows nothing of it");
      }
      return calls.length;
    });
  }

  async stop(): Promise<void> {
    for (const child of this.#workers) child.kill("SIGKILL");
    while (this.#workers.size > 0) await sleep(20);
    await this.serve?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
