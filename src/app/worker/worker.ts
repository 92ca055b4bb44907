/** A worker: takes approved runs from the queue of a store and carries them out on one kernel, several at the same time. */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import {
  type Database,
  type Log,
  openStore,
  RequestStore,
  RunQueue,
  StoreUnavailable,
  type TakenRun,
} from "../../approve/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import type { LookWhen } from "../../run/index.ts";
import { RunTeller } from "../decide/run-teller.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import { readPublicKey } from "../ledger/keys.ts";
import { type Address, type Asker, addressOf, withKernel } from "../ledger/open.ts";
import { type SolverName, SolverPool } from "../prove/solver-pool.ts";
import type { ToolSource } from "../run.ts";
import { Changes } from "./changes.ts";
import { type QueuedRunContext, runIdOf, runQueued } from "./run-queued.ts";
import { ScheduledReconciler } from "./scheduled-reconciler.ts";
import { storePerson } from "./store-person.ts";

/** Times are in seconds. */
export interface WorkerSettings extends Asker {
  readonly store: string;
  readonly ledger: string;
  readonly kernel: string;
  /** The file with the public key of the service. */
  readonly key: string;
  readonly folder: string;
  readonly tools?: readonly string[];
  /** The number of runs at the same time. */
  readonly runs: number;
  readonly lease: number;
  readonly callTimeout: number;
  /** The moments at which runs compare fluents with the world. */
  readonly look?: LookWhen;
  /** Time between two comparisons of all fluents with the world; none by default. */
  readonly reconcile?: number;
  readonly timeout: number;
  readonly solver: SolverName;
  /** Ends once no run is left that can begin or go on. */
  readonly drain?: boolean;
}

export interface WorkerHost {
  readonly host: FileSystem & Clock;
  readonly tools: ToolSource;
  readonly log: Log;
}

/** Renewals of a lease before it is over. */
const renewals = 4;
/** LIMIT: until the queue is looked at again, if nobody says that it has changed. */
const lookMs = 500;
/** The lease of a run's fluents. It shows in the trace alone, so it may be long: every renewal is an entry. */
const holdMs = 300_000;

interface Active {
  readonly ended: Promise<void>;
  /** True if nothing is under way but a question to a person, which another worker asks again. */
  readonly isWaiting: () => boolean;
}

export class Worker {
  /** The name of this worker in leases. */
  readonly name = `${hostname().slice(0, 40)}-${process.pid}-${randomBytes(4).toString("hex")}`;
  readonly #settings: WorkerSettings;
  readonly #host: WorkerHost;
  readonly #database: Database;
  readonly #store: RequestStore;
  readonly #queue: RunQueue;
  readonly #address: Address;
  readonly #kernelHash: string;
  readonly #publicKey: string;
  readonly #pool = new SolverPool();
  readonly #changes: Changes;
  readonly #active = new Map<string, Active>();
  /** The runs whose leases this worker has, and until when at least. */
  readonly #mine = new Map<string, number>();

  private constructor(
    settings: WorkerSettings,
    host: WorkerHost,
    database: Database,
    on: { readonly address: Address; readonly kernelHash: string; readonly publicKey: string },
  ) {
    this.#settings = settings;
    this.#host = host;
    this.#database = database;
    this.#store = new RequestStore(database);
    this.#queue = new RunQueue(database);
    this.#changes = new Changes(database);
    this.#address = on.address;
    this.#kernelHash = on.kernelHash;
    this.#publicKey = on.publicKey;
  }

  static async open(settings: WorkerSettings, host: WorkerHost): Promise<Result<Worker, Failure>> {
    const { store, ledger, kernel, key, principal, principalKey } = settings;
    const address = addressOf(ledger);
    if (!address.ok) return address;
    const publicKey = await readPublicKey(host.host, key);
    if (!publicKey.ok) return publicKey;
    const asker = { ...(principal && { principal }), ...(principalKey && { principalKey }) };
    const first = await withKernel(
      host.host,
      address.value,
      kernel,
      async (opened) => ok((await opened.entries(1, 1))[0]?.hash ?? ""),
      asker,
    );
    if (!first.ok) return first;
    try {
      const database = await openStore(store, { create: false });
      const on = { address: address.value, kernelHash: first.value, publicKey: publicKey.value };
      return ok(new Worker(settings, host, database, on));
    } catch (thrown) {
      if (!(thrown instanceof StoreUnavailable)) throw thrown;
      return plainFailure("FC9006", thrown.message);
    }
  }

  /**
   * Works until it is told to stop, or until nothing is left with `drain`. Runs that make calls come to their end first;
   * those that only wait for a person are left to another worker, and their number is returned.
   */
  async work(stop: AbortSignal): Promise<number> {
    const over = new AbortController();
    const renewing = this.#renew(over.signal);
    const reconciling = this.#reconcile(over.signal);
    try {
      while (!stop.aborted && (await this.#turn(stop)));
      await this.#settled();
      return this.#active.size;
    } finally {
      over.abort();
      await renewing;
      await reconciling;
      await this.#queue.release(this.name).catch((thrown: unknown) => this.#troubled(thrown));
      await this.#pool.close();
      // Runs that wait for a person still look at the store; the process ends with them.
      if (this.#active.size === 0) await this.#database.close();
    }
  }

  /** Takes a run, or waits for one. False if nothing is left to do. */
  async #turn(stop: AbortSignal): Promise<boolean> {
    const { runs, lease, drain } = this.#settings;
    try {
      // From before the question on, so that it is over here before it is over in the store.
      const untilMs = this.#host.host.nowMs() + lease * 1000;
      const taken =
        this.#active.size < runs
          ? await this.#queue.take(this.name, this.#kernelHash, lease * 1000)
          : undefined;
      if (taken !== undefined) {
        this.#mine.set(taken.record.id, untilMs);
        this.#begin(taken);
        return true;
      }
      if (drain && this.#active.size === 0 && (await this.#queue.open(this.#kernelHash)).ready === 0)
        return false;
    } catch (thrown) {
      this.#troubled(thrown);
    }
    const ended = [...this.#active.values()].map((one) => one.ended);
    await Promise.race([this.#changes.next(lookMs, stop), ...ended]);
    return true;
  }

  #begin(taken: TakenRun): void {
    const { id } = taken.record;
    const { log } = this.#host;
    log("info", "taken", { request: id, attempts: taken.attempts });
    const underway = new Set<string>();
    let questions = 0;
    const context = this.#context(taken, underway, (isOpen) => {
      questions += isOpen ? 1 : -1;
    });
    const ended = runQueued(context, taken)
      .then(async (left) => {
        if (!(await this.#queue.leave(this.name, id, left))) return;
        log(left.kind === "in doubt" ? "warning" : "info", left.kind, { request: id });
      })
      .catch((thrown: unknown) => this.#troubled(thrown, id))
      .finally(() => {
        this.#active.delete(id);
        this.#mine.delete(id);
      });
    this.#active.set(id, { ended, isWaiting: () => questions > 0 && underway.size === questions });
  }

  #context(
    { record, secret }: TakenRun,
    underway: Set<string>,
    waiting: (isOpen: boolean) => void,
  ): QueuedRunContext {
    const { folder, tools, kernel, callTimeout, look, timeout, solver, principal, principalKey } =
      this.#settings;
    const { host, log } = this.#host;
    const { id } = record;
    const runId = runIdOf(record);
    const send = async (view: Parameters<RequestStore["progress"]>[1]) => {
      if (this.#isMine(id)) await this.#store.progress(id, view);
    };
    // A run whose end was not told is not left as ended: another worker finds that it has ended, and tells it.
    const sendEnd: typeof send = async (view) => {
      if (!this.#isMine(id)) throw new LeaseOver();
      await send(view);
    };
    const quietly = (view: Parameters<typeof send>[0]) =>
      send(view).catch((thrown: unknown) => this.#troubled(thrown, id));
    const teller = new RunTeller(runId, quietly, record.progress ?? undefined);
    const person = storePerson({
      runId,
      secret,
      show: teller.ask,
      read: () => this.#store.get(id),
      changed: (signal) => this.#changes.next(this.#database.lookEveryMs, signal),
      waiting,
    });
    return {
      host,
      folder,
      tools,
      how: { pool: this.#pool, solver, timeoutMs: timeout * 1000 },
      address: this.#address,
      kernel,
      asker: { ...(principal && { principal }), ...(principalKey && { principalKey }) },
      publicKey: this.#publicKey,
      callTimeoutMs: callTimeout * 1000,
      look,
      holdMs,
      toolSource: this.#host.tools,
      person,
      hear: (progress) => {
        if (progress.kind === "calling") underway.add(progress.actionId);
        if (progress.kind === "ended") underway.delete(progress.actionId);
        teller.hear(progress);
      },
      print: (line) => log("info", "printed", { request: id, line }),
      tell: (end) => teller.end(end, sendEnd),
      isOurs: () => this.#isMine(id),
      log: (event, why) => log("warning", event, { request: id, why }),
    };
  }

  #isMine(id: string): boolean {
    return this.#host.host.nowMs() < (this.#mine.get(id) ?? 0);
  }

  async #renew(over: AbortSignal): Promise<void> {
    const leaseMs = this.#settings.lease * 1000;
    while (!over.aborted) {
      const untilMs = this.#host.host.nowMs() + leaseMs;
      const before = [...this.#mine.keys()];
      try {
        const held = await this.#queue.renew(this.name, before, leaseMs);
        // One that was taken meanwhile is not among those that were asked about.
        for (const id of before) if (!held.has(id)) this.#mine.delete(id);
        for (const id of held) if (this.#mine.has(id)) this.#mine.set(id, untilMs);
      } catch (thrown) {
        this.#troubled(thrown);
      }
      await pause(leaseMs / renewals, over);
    }
  }

  /** Compares the state with the world, again and again. Differences stop the kernel, and so the runs. */
  async #reconcile(over: AbortSignal): Promise<void> {
    const { reconcile: every, folder, tools, kernel, principal, principalKey } = this.#settings;
    if (every === undefined) return;
    const asker = { ...(principal && { principal }), ...(principalKey && { principalKey }) };
    const watch = new ScheduledReconciler(
      { host: this.#host.host, source: this.#host.tools, log: this.#host.log },
      { address: this.#address, kernel, asker },
      { folder, tools },
    );
    try {
      while (!over.aborted) {
        await watch.once().catch((thrown: unknown) => this.#troubled(thrown));
        await pause(every * 1000, over);
      }
    } finally {
      await watch.close();
    }
  }

  /** Waits until every run has ended or waits for a person. */
  async #settled(): Promise<void> {
    for (;;) {
      const busy = [...this.#active.values()].filter(({ isWaiting }) => !isWaiting());
      if (busy.length === 0) return;
      await Promise.race([...busy.map((one) => one.ended), pause(lookMs)]);
    }
  }

  #troubled(thrown: unknown, request: string | null = null): void {
    if (thrown instanceof LeaseOver) {
      this.#host.log("warning", "lease is over", { request });
      return;
    }
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const isStore = thrown instanceof StoreUnavailable;
    this.#host.log("error", isStore ? "store" : "fault", { request, why });
  }
}

/** The end of a run cannot be told by a worker whose lease is over. */
class LeaseOver extends Error {}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
    signal?.addEventListener("abort", end, { once: true });
  });
}
