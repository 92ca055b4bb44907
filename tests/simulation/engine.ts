/**
 * A simulated database for ledgers: a disk that flushes late, fails to, and loses what it has not flushed, behind a network that
 * delays, loses, repeats and parts. Requests go through the group commit and the commit batches of the real engines.
 */
import { baseOf, CommitBatch, type Outcome, type Request } from "../../src/ledger/commit-batch.ts";
import { GroupCommit } from "../../src/ledger/group-commit.ts";
import {
  type Decide,
  InDoubt,
  type Ledger,
  LedgerUnavailable,
  type Snapshot,
  type Stored,
} from "../../src/ledger/port.ts";
import type { Process, World } from "./world.ts";

/** Bugs that are put in by hand, to see that they are found. */
export interface Bugs {
  /** Commits are acknowledged before they are flushed. */
  readonly fsyncSkipped?: boolean;
  /** A client behind the door does not renew its lease, and stays. */
  readonly leaseNotRenewed?: boolean;
  /** Snapshots that someone has forged are common; the kernel is made to believe them by the test. */
  readonly snapshotForged?: boolean;
  /** The database repeats a commit whose answer was lost. */
  readonly commitRepeated?: boolean;
  /** A commit that was sent ahead is taken although another one came first: its entries replace those. */
  readonly orderIgnored?: boolean;
}

const url = "simulated:";

/** The server: one kernel's log, and what of it is on the disk. */
export class Engine {
  readonly world: World;
  bugs: Bugs;
  /** Every entry that was appended; of these, `flushed` survive a power cut for certain. */
  log: Stored[] = [];
  flushed = 0;
  /** Lengths of the log after each commit: a commit is on the disk as a whole or not at all. */
  #commits: number[] = [];
  /** Newest last; an older one may be read by mistake. */
  snapshots: Snapshot[] = [];
  /** Incremented by a power cut or a restart: what began before it is gone. */
  epoch = 0;
  fullUntilMs = 0;
  readonly parted = new Set<Process>();

  constructor(world: World, bugs: Bugs) {
    this.world = world;
    this.bugs = bugs;
  }

  append(entries: readonly Stored[]): void {
    for (const { seq, hash, bytes } of entries) this.log.push({ seq, hash, bytes });
    this.#commits.push(this.log.length);
  }

  get isFull(): boolean {
    return this.world.nowMs < this.fullUntilMs;
  }

  /** Loses what is not flushed, but for some whole commits that are on the disk all the same; a torn one is not. */
  powerCut(): void {
    this.epoch++;
    const kept = this.#commits.filter((length) => length <= this.flushed || this.world.random() < 0.5);
    let length = this.flushed;
    for (const next of this.#commits) {
      if (next <= length) continue;
      if (!kept.includes(next)) break;
      length = next;
    }
    if (length < this.log.length) this.world.count("unflushed commits lost");
    this.log = this.log.slice(0, length);
    this.flushed = length;
    this.#commits = this.#commits.filter((one) => one <= length);
    this.snapshots = this.snapshots.filter(({ seq }) => seq <= length);
  }

  /** Ends every session. What is committed stays, flushed or not. */
  restart(): void {
    this.epoch++;
  }
}

/** A commit that was sent without a look at the log, and may arrive late. */
interface Ahead {
  isSettled: boolean;
}

/** The ledger of one process. */
export class SimulatedLedger implements Ledger {
  readonly url = url;
  readonly #engine: Engine;
  readonly #process: Process;
  readonly #group = new GroupCommit((group) => this.#commit(group));
  #epoch: number;
  /** Known to have been there after the last transaction. */
  #head: number | undefined;
  /** Commits in doubt, which the next transaction settles. */
  #ahead: Ahead[] = [];

  constructor(engine: Engine, process: Process) {
    this.#engine = engine;
    this.#process = process;
    this.#epoch = engine.epoch;
  }

  transact(kernel: string, since: number, decide: Decide): Promise<void> {
    return this.#group.add({ kernel, since, decide });
  }

  async read(_: string, from: number, limit: number): Promise<readonly Stored[]> {
    await this.#ask("read refused");
    const { world, log, flushed } = this.#engine;
    // Only what is flushed.
    const found = log.slice(0, flushed).slice(from - 1, from - 1 + limit);
    return world.chance(0.003, "read flipped") ? flipped(world, found) : found;
  }

  async saveSnapshot(_: string, { seq, bytes }: Snapshot): Promise<void> {
    await this.#ask("snapshot refused");
    const { world, log, snapshots } = this.#engine;
    if (seq > log.length) return;
    if (!world.chance(0.1, "snapshot not kept")) snapshots.push({ seq, bytes });
  }

  async loadSnapshot(): Promise<Snapshot | undefined> {
    await this.#ask("snapshot refused");
    const { world, snapshots, bugs } = this.#engine;
    const newest = snapshots.at(-1);
    if (newest === undefined) return undefined;
    if (world.chance(0.05, "snapshot torn"))
      return { ...newest, bytes: newest.bytes.slice(0, newest.bytes.length >> 1) };
    if (snapshots.length > 1 && world.chance(0.05, "snapshot is an old one")) return snapshots.at(-2);
    if (world.chance(bugs.snapshotForged ? 0.8 : 0.2, "snapshot forged")) return forged(newest, world);
    return newest;
  }

  async kernels(): Promise<readonly string[]> {
    return this.#engine.flushed > 0 ? ["main"] : [];
  }

  async close(): Promise<void> {
    await this.#group.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  // ── one question and its answer ──────────────────────────────────────────────────────────────────────────

  async #ask(refused: string): Promise<void> {
    const { world } = this.#engine;
    await world.sleep(world.random() * 3);
    if (this.#isParted || world.chance(0.005, refused)) throw unavailable();
    this.#reconnect();
  }

  get #isParted(): boolean {
    return this.#engine.parted.has(this.#process);
  }

  #reconnect(): void {
    this.#epoch = this.#engine.epoch;
  }

  async #commit(group: readonly Request[]): Promise<readonly Outcome[]> {
    const { world } = this.#engine;
    const [only] = group;
    const isQuiet = group.length === 1 && only?.since === this.#head;
    if (isQuiet && only !== undefined && world.random() < 0.5) {
      const outcome = await this.#sendAhead(only);
      if (outcome !== undefined) return [outcome];
    }
    return this.#inTurn(group);
  }

  /** Decided on what is known, and appended if nothing else came; undefined if something did. */
  async #sendAhead(request: Request): Promise<Outcome | undefined> {
    const { world } = this.#engine;
    const head = request.since;
    const batch = new CommitBatch(url, head, []);
    const outcome = batch.decide(request);
    if (batch.appended.length !== 1) return undefined;
    const ahead: Ahead = { isSettled: false };
    const arrive = (): boolean => {
      if (ahead.isSettled || !this.#isAsLong(head)) return false;
      this.#engine.append(batch.appended);
      return true;
    };
    await world.sleep(world.random() * 5);
    const isCut = this.#cut();
    if (isCut || world.chance(0.03, "request lost")) {
      this.#head = undefined;
      this.#ahead.push(ahead);
      const { epoch } = this.#engine;
      if (world.random() < 0.5)
        world.happens(
          () => {
            if (this.#engine.epoch !== epoch) return;
            if (arrive()) world.count("request late");
            this.#flush(() => undefined, undefined);
          },
          world.random() ** 3 * 200,
        );
      throw new InDoubt("the connection was lost in the commit");
    }
    if (this.#engine.isFull && !areUrgent(batch.appended)) throw full();
    await this.#settle();
    if (!arrive()) {
      this.#head = undefined;
      return undefined;
    }
    // The same packet again; the log is longer by now.
    if (world.chance(0.02, "request twice") && this.#engine.bugs.commitRepeated)
      this.#engine.append(batch.appended);
    await this.#durable();
    this.#head = head + 1;
    return outcome;
  }

  #isAsLong(head: number): boolean {
    const { log, bugs } = this.#engine;
    if (bugs.orderIgnored === true && log.length > head) log.length = head;
    return log.length === head;
  }

  async #inTurn(group: readonly Request[]): Promise<readonly Outcome[]> {
    const { world } = this.#engine;
    for (let times = 0; ; times++) {
      await world.sleep(world.random() * 5);
      if (this.#cut()) throw unavailable();
      if (world.chance(0.02, "commit refused")) throw unavailable();
      await this.#settle();
      const { log } = this.#engine;
      const base = baseOf(group);
      const isFlipped = log.length > base && world.chance(0.002, "read flipped");
      const after = isFlipped ? flipped(world, log.slice(base)) : log.slice(base);
      const batch =
        base > log.length ? new CommitBatch(url, log.length, []) : new CommitBatch(url, base, after);
      const outcomes = group.map((request) => batch.decide(request));
      const { appended } = batch;
      if (times < 3 && world.chance(0.02, "transaction started over")) continue;
      if (appended.length > 0) {
        if (this.#engine.isFull && !areUrgent(appended)) throw full();
        if (world.chance(0.03, "commit lost")) throw new InDoubt("the connection was lost in the commit");
        this.#engine.append(appended);
      }
      const head = this.#engine.log.length;
      await this.#durable();
      this.#head = head;
      return outcomes;
    }
  }

  /** Ends the doubts of this process: what has not arrived by now never does. */
  async #settle(): Promise<void> {
    for (const one of this.#ahead) one.isSettled = true;
    this.#ahead = [];
  }

  /** True if the connection does not carry the request. */
  #cut(): boolean {
    const isNew = this.#epoch !== this.#engine.epoch;
    this.#reconnect();
    return this.#isParted || isNew;
  }

  /** Waits for the disk, and for the answer. */
  async #durable(): Promise<void> {
    const { world, bugs } = this.#engine;
    const { epoch } = this.#engine;
    const isFlushed = new Promise<boolean>((resolve) => this.#flush(resolve, this.#process));
    if (!bugs.fsyncSkipped && !(await isFlushed)) throw new InDoubt("the flush failed");
    if (this.#engine.epoch !== epoch || this.#isParted || world.chance(0.03, "answer lost"))
      throw new InDoubt("the connection was lost after the commit");
  }

  #flush(done: (isFlushed: boolean) => void, process: Process | undefined): void {
    const engine = this.#engine;
    const { world, epoch } = engine;
    const { length } = engine.log;
    world.happens(
      () => {
        // Nobody who asked before a power cut or a restart is answered by the disk.
        const isFlushed = engine.epoch === epoch && !world.chance(0.01, "flush failed");
        if (isFlushed) engine.flushed = Math.max(engine.flushed, Math.min(length, engine.log.length));
        world.later(() => done(isFlushed), 0, process);
      },
      world.random() * (world.chance(0.05, "flush slow") ? 100 : 8),
    );
  }
}

function unavailable(): LedgerUnavailable {
  return new LedgerUnavailable("the ledger cannot be reached", { reason: "cannot be reached" });
}

function full(): LedgerUnavailable {
  return new LedgerUnavailable("the disk is full", { reason: "no room" });
}

function areUrgent(entries: readonly Stored[]): boolean {
  return entries.every(({ urgent }) => urgent === true);
}

/** One bit of one entry is another one. */
function flipped(world: World, entries: readonly Stored[]): readonly Stored[] {
  const at = Math.floor(world.random() * entries.length);
  return entries.map((entry, i) => {
    if (i !== at) return entry;
    const bytes = entry.bytes.slice();
    const place = Math.floor(world.random() * bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(world.random() * 8));
    return { ...entry, bytes };
  });
}

/** Returns a snapshot as somebody who may write snapshots would forge it: the digest in front is made anew. */
function forged({ seq, bytes }: Snapshot, world: World): Snapshot {
  const json = JSON.parse(new TextDecoder().decode(bytes).slice(65));
  const lies: readonly (() => void)[] = [
    () => Object.assign(json, { keys: {} }),
    () => Object.assign(json, { keys: {}, pending: {}, held: {} }),
    () => Object.assign(json, { steps: 0 }),
    () => Object.assign(json, { emergencies: {} }),
    () => Object.assign(json, { principals: {} }),
  ];
  world.pick(lies)();
  const text = JSON.stringify(json);
  return { seq, bytes: new TextEncoder().encode(`${digest(text)}\n${text}`) };
}

let digest: (text: string) => string = () => "";

/** Loads what a running world must not wait for. */
export async function prepareEngine(): Promise<void> {
  const { createHash } = await import("node:crypto");
  digest = (text) => createHash("sha256").update(text).digest("hex");
}
