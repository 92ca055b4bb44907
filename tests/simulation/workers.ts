/**
 * The whole of it: requests that are filed, proved and approved, real workers that take them from the real queue, the executor
 * that runs them under kernels on one failing ledger, tools with effects in a world, and a person who resolves what is in doubt.
 * One seed gives one history.
 */

import { type Clock, type FileSystem, withText } from "../../src/app/files/port.ts";
import { loadRunnable } from "../../src/app/load.ts";
import { SolverPool } from "../../src/app/prove/solver-pool.ts";
import { prove } from "../../src/app/prove.ts";
import type { ToolSource } from "../../src/app/run.ts";
import { Worker } from "../../src/app/worker/worker.ts";
import { inputsDigest, type Log, newNonce, receiptText, signReceipt } from "../../src/approve/index.ts";
import type { Decision } from "../../src/approve/requests/state.ts";
import { RequestStore } from "../../src/approve/requests/store.ts";
import { hashDocument, readInputs } from "../../src/ir/index.ts";
import { Kernel, newKeys, verify } from "../../src/kernel/index.ts";
import { MemoryFiles } from "../app/memory-files.ts";
import { aRequest, aView } from "../serve/records.ts";
import { type Bugs, Engine, SimulatedLedger } from "./engine.ts";
import { entryIn } from "./history.ts";
import type { Simulated } from "./kernels.ts";
import { setServers } from "./place.ts";
import { prepared, preparedProof } from "./prepared.ts";
import { SimulatedStore, StoreServer } from "./store.ts";
import { type Process, World } from "./world.ts";

/** Bugs that are put in by hand. */
export interface WorkerBugs extends Bugs {
  /** The person says of every call in doubt that it did not happen. */
  readonly doubtsIgnored?: boolean;
}

const folder = "/p";
const files = new MemoryFiles({
  [`${folder}/tools/world.ts`]: `/** A world that remembers every call. */
import { contract, tool } from "foreclaim";
/** Happens each time that it is called. */
export const once = tool({ cost: () => 1, run: async ({ n }: { n: number }): Promise<void> => {} });
/** Happens once for each key. */
export const keyed = tool({ idempotent: true, run: async ({ n }: { n: number }): Promise<void> => {} });
export const atMost = contract((n: number) => once.count() <= n);
`,
  [`${folder}/tools/door.ts`]: `/** A door that one run uses at a time. */
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
`,
});

const program = (module: string, guarantee: string, body: string) => `import { program } from "foreclaim";
import * as ${module} from "./tools/${module}";
export default program({
  guarantees: [${guarantee}],
  async run() {
    ${body}
  },
});
`;

const programs = {
  /** Some calls do harm if they are made twice. */
  steps: program(
    "world",
    "world.atMost(2)",
    `await world.once({ n: 1 });
    await Promise.all([world.once({ n: 2 }), world.keyed({ n: 3 })]);`,
  ),
  /** Holds its fluents from the first call to the last. */
  door: program(
    "door",
    'door.lockedAtEnd("front")',
    `await door.open({ name: "front" });
    await door.lock({ name: "front" });`,
  ),
};
type Name = keyof typeof programs;

const calls: Readonly<Record<Name, readonly string[]>> = {
  steps: ["once 1", "once 2", "keyed 3"],
  door: ["open", "lock"],
};

const signing = newKeys();
files.texts.set(`${folder}/approve.pub`, signing.publicKey);

/** Compiles and proves the programs, which takes real time. */
export async function prepareWorkers(): Promise<void> {
  const pool = new SolverPool();
  for (const name of Object.keys(programs) as Name[]) {
    const path = `${folder}/queued-program.ts`;
    const fs = withText(files, path, programs[name]);
    const loading = await loadRunnable({ path, tools: undefined }, { fs });
    if (loading.kind !== "loaded") throw new Error(JSON.stringify(loading));
    const found = await prove(loading.loaded, { pool, timeoutMs: 60_000 });
    if (!found.ok || found.value.verdict !== "proved") throw new Error(`\`${name}\` is not proved`);
    prepared.set(programs[name], found.value);
  }
  await pool.close();
}

interface Filed {
  readonly id: string;
  readonly name: Name;
}

class Field {
  readonly world: World;
  readonly engine: Engine;
  readonly store: StoreServer;
  readonly bugs: WorkerBugs;
  readonly filed: Filed[] = [];
  /** Effects in the world, in their order: of which call of which run. */
  readonly effects: { readonly run: string; readonly call: string; readonly key: string }[] = [];
  readonly over = new AbortController();
  /** The run that has opened the door. */
  #openedBy: string | undefined;
  thawedMs = 0;
  isFiled = false;

  constructor(world: World, engine: Engine, store: StoreServer, bugs: WorkerBugs) {
    this.world = world;
    this.engine = engine;
    this.store = store;
    this.bugs = bugs;
  }

  happen(run: string, call: string, key: string): void {
    this.effects.push({ run, call, key });
    if (call === "open") {
      if (this.#openedBy !== undefined && this.#openedBy !== run) this.world.blame("two runs use the door");
      this.#openedBy = run;
    }
    if (call === "lock" && this.#openedBy === run) this.#openedBy = undefined;
  }

  get isOver(): boolean {
    return this.over.signal.aborted;
  }

  /** Tools as a run calls them; an effect that was asked for comes although the process is dead by then. */
  readonly tools: ToolSource = async () => {
    const { world } = this;
    const tool = (name: string) => ({
      run: async (args: unknown, info: unknown): Promise<void> => {
        // SAFETY: the executor gives these fields to every tool.
        const { key, runId } = info as { readonly key: string; readonly runId: string };
        const n = typeof args === "object" && args !== null && "n" in args ? ` ${String(args.n)}` : "";
        const delayMs = world.random() * 20;
        world.happens(() => this.happen(runId, `${name}${n}`, key), delayMs);
        await world.sleep(delayMs + world.random() * 20);
      },
    });
    return {
      ok: true,
      tools: new Map([
        ["world.once", tool("once")],
        ["world.keyed", tool("keyed")],
        ["door.open", tool("open")],
        ["door.lock", tool("lock")],
      ]),
    };
  };

  host(skewMs: number): FileSystem & Clock {
    const { world } = this;
    return {
      readFile: files.readFile,
      readFileNow: files.readFileNow,
      listFolder: files.listFolder,
      realPath: files.realPath,
      chunks: async function* (path) {
        const text = files.texts.get(path);
        if (text === undefined) throw Object.assign(new Error("there is no such file"), { code: "ENOENT" });
        yield new TextEncoder().encode(text);
      },
      writeFile: async () => "EROFS",
      createFiles: async () => ({ kind: "failed", path: "", code: "EROFS" }),
      isSameFile: async (a, b) => a === b,
      nowMs: () => world.nowMs,
      wallMs: () => Math.floor(world.nowMs) + skewMs,
    };
  }
}

const address = "postgres://simulated";

/** A worker as the command starts it. */
async function work(field: Field, stop: AbortSignal): Promise<void> {
  const { world } = field;
  const host = field.host(Math.floor(world.random() * 20));
  const settings = {
    ...{ store: address, ledger: address, kernel: "main", key: `${folder}/approve.pub`, folder },
    ...{ runs: 3, lease: 1, callTimeout: 30, timeout: 60, solver: "z3" as const },
  };
  const log: Log = (_, event, about = {}) => {
    if (event === "fault" && "why" in about) world.blame(`a worker has a fault: ${String(about.why)}`);
  };
  while (!stop.aborted) {
    const opened = await Worker.open(settings, { host, tools: field.tools, log });
    if (opened.ok) {
      await opened.value.work(stop);
      return;
    }
    await world.sleep(100);
  }
}

// ── those who file and approve ───────────────────────────────────────────────────────────────────────────

async function patiently<T>(world: World, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (!/^(StoreUnavailable|LedgerUnavailable|LedgerBroken|InDoubt)$/.test(error.name)) throw error;
      await world.sleep(20);
    }
  }
}

async function fileAndApprove(field: Field, process: Process, kernel: string): Promise<void> {
  const { world } = field;
  const store = new RequestStore(new SimulatedStore(field.store, process));
  const at = () => Math.floor(world.nowMs);
  const runs = 2 + Math.floor(world.random() * 2);
  for (let n = 0; n < runs; n++) {
    await world.sleep(world.random() * 300);
    const name = world.pick(["steps", "door"] as const);
    const { document } = preparedProof(programs[name]);
    const filed = { program: { file: "p.ts", text: programs[name] }, inputs: {}, budget: null, kernel };
    const record = aRequest({
      id: `r${`${n}`.padStart(24, "0")}`,
      filedAt: at(),
      expiresAt: at() + 10_000_000,
      filed: { ...filed, words: null, follows: null, run: "worker" },
    });
    const { id } = record;
    field.filed.push({ id, name });
    await patiently(world, async () => (await store.get(id)) ?? (await store.file(record, 10)));
    const inputs = readInputs(document.checked, {});
    if (!inputs.ok) throw new TypeError("the program has inputs");
    const binding = {
      program: hashDocument(document.checked.document),
      modules: document.modules,
      inputs: inputsDigest(document.checked, inputs.value),
    };
    await patiently(world, async () => {
      await store.claim({ by: "prover", untilMs: at() + 10 }, at());
      await store.settle(id, "prover", { kind: "proof", view: aView("proved"), binding });
      if ((await store.get(id))?.status === "proving") throw Object.assign(new Error(), { name: "InDoubt" });
    });
    // Two who decide at the same time: one of them has decided.
    await Promise.all(
      ["ann", "bob"].map(async (by) => {
        await world.sleep(world.random() * 10);
        await patiently(world, async () => {
          const found = await store.get(id);
          if (found?.status === "pending")
            await store.decide(id, found.revision, approval(field, binding, kernel, by));
        });
      }),
    );
  }
}

function approval(
  { world }: Field,
  binding: { readonly program: string; readonly modules: string; readonly inputs: string },
  kernel: string,
  by: string,
): Decision {
  const now = Math.floor(world.nowMs);
  const grant = {
    ...binding,
    ...{ kernel, budget: null, uses: 1, notBefore: now - 100, expires: now + 10_000_000, nonce: newNonce() },
    ...({ decision: "approved_once", by } as const),
  };
  const receipt = receiptText(signReceipt(grant, signing.privateKey));
  return { decision: "approved_once", by, at: now, text: null, rule: null, proposed: null, receipt };
}

/** LIMIT: of a history; the longest pause of a worker is half of it. */
const longestMs = 800_000;

/** A person who looks at the world, and says of calls in doubt whether they happened. */
async function resolveDoubts(field: Field, process: Process): Promise<void> {
  const { world } = field;
  const store = new RequestStore(new SimulatedStore(field.store, process));
  const ledger = new SimulatedLedger(field.engine, process);
  const isDone = async ({ id }: Filed): Promise<boolean> => (await store.get(id))?.progress?.state === "done";
  for (;;) {
    await world.sleep(700);
    if (world.nowMs > longestMs) {
      for (const { id } of field.filed) {
        const progress = (await patiently(world, () => store.get(id)))?.progress;
        if (progress?.state !== "done") world.blame(`${id} has not ended: ${JSON.stringify(progress)}`);
      }
      break;
    }
    const states = await patiently(world, () => Promise.all(field.filed.map(isDone)));
    if (states.length > 0 && states.every((one) => one) && field.isFiled) break;
    // A process that only stands still may still make the call.
    if (world.nowMs < field.thawedMs + 500) continue;
    await patiently(world, () => resolveOnce(field, store, ledger));
  }
  field.over.abort();
}

async function resolveOnce(field: Field, store: RequestStore, ledger: SimulatedLedger): Promise<void> {
  const { world, bugs } = field;
  const opened = await Kernel.open({ ledger, clock: () => Math.floor(world.nowMs) });
  if (!opened.ok) throw new Error(opened.problem.message);
  const kernel = opened.value;
  for (const { id } of field.filed) {
    if ((await store.get(id))?.progress?.state !== "in_doubt") continue;
    for (const { key = "", receipt, time } of kernel.inDoubt()) {
      if (!key.includes(" call ") || !key.includes(id) || time > world.nowMs - 500) continue;
      world.count("call in doubt resolved");
      const name = key.replace(/ again [0-9]+/, "");
      const happened = field.effects.some((one) => one.key === name);
      if (happened && !bugs.doubtsIgnored) await kernel.settle(receipt, { outcome: { returned: true } });
      else await kernel.release(receipt, "the world knows nothing of it");
    }
  }
}

// ── everybody ────────────────────────────────────────────────────────────────────────────────────────────

export async function simulateWorkers(seed: number, bugs: WorkerBugs = {}): Promise<Simulated> {
  const world = new World(seed, 0);
  const engine = new Engine(world, {});
  const store = new StoreServer(world);
  const field = new Field(world, engine, store, bugs);
  setServers({ engine, store });
  try {
    await world.run(() => {
      world.start("set up", (process) => setUp(field, process));
    });
    await check(field);
  } finally {
    setServers(undefined);
    store.connection.close();
  }
  const { problems, faults } = world;
  return { problems, faults, entries: engine.flushed, operations: field.effects.length };
}

async function setUp(field: Field, process: Process): Promise<void> {
  const { world, engine, bugs } = field;
  const ledger = new SimulatedLedger(engine, process);
  const policy = { budgets: { usd: 1_000 } };
  const opened = await Kernel.open({ ledger, policy, clock: () => Math.floor(world.nowMs) });
  if (!opened.ok) throw new Error(opened.problem.message);
  await opened.value.execute({ id: "first" });
  // Until it is on the disk, also for a disk that says so too early.
  await world.sleep(200);
  const kernel = (await opened.value.entries(1, 1))[0]?.hash ?? "";
  world.rate = 1;
  engine.bugs = bugs;
  world.start("service", async (self) => {
    await fileAndApprove(field, self, kernel);
    field.isFiled = true;
  });
  world.start("person", (self) => resolveDoubts(field, self));
  for (let n = 0; n < 2; n++) workerLives(field, `worker ${n}`);
  serverFaults(field);
}

/** Lives of one worker: it is killed, paused, cut off and told to stop, and starts again until everything is done. */
function workerLives(field: Field, name: string, life = 0): void {
  const { world, engine, store } = field;
  if (field.isOver) return;
  const stop = new AbortController();
  const end = () => stop.abort();
  field.over.signal.addEventListener("abort", end);
  const again = () => {
    field.over.signal.removeEventListener("abort", end);
    if (!field.isOver) world.happens(() => workerLives(field, name, life + 1), world.random() * 200);
  };
  const process = world.start(name, async () => {
    await work(field, stop.signal);
    again();
  });
  process.onDeath.push(again);
  // Later lives are longer, so that everything comes to its end.
  if (life >= 4) return;
  const spanMs = 300 * 2 ** life;
  const chance = world.random();
  const afterMs = 50 + world.random() * spanMs;
  if (chance < 0.45) world.happens(() => world.kill(process, "worker killed"), afterMs);
  else if (chance < 0.55)
    world.happens(() => {
      if (process.isDead) return;
      world.count("worker told to stop");
      end();
    }, afterMs);
  else if (chance < 0.75)
    world.happens(() => {
      if (process.isDead) return;
      // Longer than the lease of its runs, and now and then than that of their fluents.
      const ms = world.random() < 0.05 ? 400_000 : 500 + world.random() * 4_000;
      world.freeze(process, ms);
      field.thawedMs = Math.max(field.thawedMs, world.nowMs + ms);
    }, afterMs);
  else if (chance < 0.9)
    world.happens(() => {
      if (process.isDead) return;
      world.count("network parted");
      world.count("network parted");
      const parted = world.pick([[engine.parted], [store.parted], [engine.parted, store.parted]]);
      for (const one of parted) one.add(process);
      world.happens(
        () => {
          for (const one of parted) one.delete(process);
        },
        100 + world.random() * 3_000,
      );
    }, afterMs);
}

function serverFaults({ world, engine, store }: Field): void {
  const sometimes = (rate: number, work: () => void) => {
    if (world.random() < rate) world.happens(work, 100 + world.random() * 1_500);
  };
  sometimes(0.3, () => {
    world.count("power of the ledger cut");
    engine.powerCut();
  });
  sometimes(0.3, () => {
    world.count("server restarted");
    engine.restart();
  });
  // Leases spread the work and are no safety: two workers on one run do no harm.
  for (let n = 0; n < 2; n++)
    sometimes(0.4, () => {
      world.count("leases of runs lost");
      store.connection.exec("UPDATE queued_run SET lease_until = 1 WHERE lease_until > 1");
    });
}

// ── what must be true afterwards ─────────────────────────────────────────────────────────────────────────

async function check({ world, engine, filed, effects }: Field): Promise<void> {
  const log = engine.log.slice(0, engine.flushed);
  const blame = (problem: string) => world.blame(problem);
  const verified = await verify(log);
  if (!verified.ok) return blame(`entry ${verified.problem?.seq}: ${verified.problem?.what}`);
  const entries = log.map(({ bytes }) => entryIn(bytes));
  for (const { id, name } of filed) {
    const own = effects.filter(({ run }) => run === id);
    for (const call of calls[name]) {
      const made = own.filter((one) => one.call === call);
      if (made.length === 0) blame(`\`${call}\` of ${id} never happened`);
      if (new Set(made.map(({ key }) => key)).size > 1) blame(`\`${call}\` of ${id} has several keys`);
      if (made.length > 1 && !/^(?:keyed|lock)/.test(call))
        blame(`\`${call}\` of ${id} happened ${made.length} times`);
    }
    const first = own.findIndex(({ call }) => call === calls[name][0]);
    if (first > 0) blame(`the calls of ${id} are out of order`);
    // One that finds an earlier run without an outcome lets go again, and one that has ended is told so.
    const begun = entries.flatMap(({ kind, verdict, action, repeats }, i) =>
      kind === "reserve" && verdict === "allowed" && repeats === undefined && action === `run ${id}`
        ? [`r${i + 1}-`]
        : [],
    );
    const released = entries.filter(({ kind, verdict }) => kind === "release" && verdict === "allowed");
    const kept = begun.filter((start) => !released.some(({ receipt }) => receipt?.startsWith(start)));
    if (kept.length !== 1) blame(`${id} began ${kept.length} times`);
  }
  const ledger = {
    transact: async () => undefined,
    read: async (_: string, from: number, limit: number) => log.slice(from - 1, from - 1 + limit),
  };
  const opened = await Kernel.open({ ledger, clock: () => Math.floor(world.nowMs) });
  if (!opened.ok) return blame(opened.problem.message);
  const status = opened.value.status();
  const spent = 2 * filed.filter(({ name }) => name === "steps").length;
  if (Number(status.budgets.usd?.net) !== spent) blame(`${status.budgets.usd?.net} is spent, not ${spent}`);
  if (status.inDoubt.length > 0) blame(`${status.inDoubt.length} reservations are left`);
}
