/**
 * A ledger in one SQLite file: durable before it is acknowledged, shared by the processes of one machine, unharmed by
 * kill -9 at any instant. One transaction writes at a time; those who ask meanwhile share the next one.
 */

import { resolve } from "node:path";
import {
  type Backoff,
  isBusy,
  isFull,
  isOutOfRoom,
  loadSqlite,
  type OpenSqlite,
  retry,
  SqlFailure,
  sqliteFailure,
} from "../../sql/index.ts";
import { checkKernel, checkPage, checkSince, checkSnapshot, snapshotAhead } from "../checks.ts";
import { baseOf, CommitBatch, type Outcome, type Request } from "../commit-batch.ts";
import { GroupCommit } from "../group-commit.ts";
import { type Decide, InDoubt, type Ledger, LedgerUnavailable, type Snapshot, type Stored } from "../port.ts";
import { LedgerFile } from "./file.ts";
import { Reserve } from "./reserve.ts";

/** So often must nobody else have appended before something is sent ahead: in vain, it is decided twice. */
const QUIET_TURNS = 2;

/**
 * A commit takes milliseconds; a writer that gets no turn in this time will not get one. SQLite has no queue of writers: those who
 * wait longest ask most often, and who had a turn lets others go first.
 */
const BUSY: Backoff = { totalMs: 30_000, firstWaitMs: 12, longestWaitMs: 1.5 };

/** Turns for which others are taken to be there once they were seen, and the pause between two of one's own. */
const CROWDED_TURNS = 16;
const PAUSE_MS = 3;

/**
 * The share of the turns of others that one lets pass, the part of them that is still counted a turn later, the most of
 * them, and the most of the time.
 */
const GIVE_WAY = 0.6;
const REMEMBERED = 0.8;
const mostOthers = 16;
const LONGEST_WAY_MS = 100;

/** Cached head after the last transaction. Only a hint: the file is authoritative. */
interface Known {
  readonly kernel: string;
  readonly head: number;
  /** Number of consecutive rounds without foreign entries. */
  readonly quiet: number;
}

export class SqliteLedger implements Ledger {
  readonly url: string;
  readonly #path: string;
  readonly #open: OpenSqlite;
  readonly #groupCommit = new GroupCommit((group) => this.#turn(group));
  /** Counts down from the last time that others were seen to write. */
  #crowded = 0;
  /** Entries of others between two turns of ours, the usual time of a turn, and the end of our last one. */
  #others = 0;
  #turnMs = 0;
  #endedMs = 0;
  readonly #reserve: Reserve;
  #file: LedgerFile | undefined;
  #known: Known | undefined;
  #closed: Promise<void> | undefined;
  #ended = false;
  readonly #readOnly: boolean;

  private constructor(open: OpenSqlite, path: string, readOnly: boolean) {
    this.#open = open;
    this.#readOnly = readOnly;
    this.#path = resolve(path);
    this.#reserve = new Reserve(this.#path);
    this.url = `sqlite:${path}`;
  }

  static async open(path: string, create: boolean, readOnly = false): Promise<SqliteLedger> {
    const ledger = new SqliteLedger(loadedSqlite(), path, readOnly);
    await ledger.#asked(() => ledger.#openFile(create));
    return ledger;
  }

  async transact(kernel: string, since: number, decide: Decide): Promise<void> {
    this.#checkWritable();
    checkKernel(kernel);
    checkSince(since);
    await this.#groupCommit.add({ kernel, since, decide });
  }

  async read(kernel: string, from: number, limit: number): Promise<readonly Stored[]> {
    this.#checkOpen();
    checkKernel(kernel);
    checkPage(from, limit);
    return this.#asked(() => this.#opened().entries(kernel, from, limit));
  }

  async saveSnapshot(kernel: string, snapshot: Snapshot): Promise<void> {
    this.#checkWritable();
    checkKernel(kernel);
    checkSnapshot(snapshot);
    await this.#asked(() =>
      this.#written((file) => {
        if (file.head(kernel) < snapshot.seq) throw snapshotAhead(kernel, snapshot.seq);
        file.saveSnapshot(kernel, snapshot);
        return "keep";
      }),
    );
  }

  async loadSnapshot(kernel: string): Promise<Snapshot | undefined> {
    this.#checkOpen();
    checkKernel(kernel);
    return this.#asked(() => this.#opened().loadSnapshot(kernel));
  }

  async kernels(): Promise<readonly string[]> {
    this.#checkOpen();
    return this.#asked(() => this.#opened().kernels());
  }

  async damage(): Promise<string | undefined> {
    this.#checkOpen();
    return this.#asked(() => this.#opened().damage());
  }

  /** Closes the ledger after all pending requests. */
  close(): Promise<void> {
    this.#closed ??= this.#groupCommit.idle().then(() => {
      this.#file?.close();
      this.#file = undefined;
      this.#ended = true;
      // The files that SQLite removes when it closes have left room for it.
      this.#reserve.renew();
    });
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** One turn of this process. With others about, it pauses between two turns: the lock goes to who asks first. */
  async #turn(group: readonly Request[]): Promise<readonly Outcome[]> {
    const least = this.#crowded > 0 ? PAUSE_MS : 0;
    if (this.#crowded > 0) this.#crowded--;
    const pauseMs = Math.max(least, this.#endedMs + this.#giveWayMs - performance.now());
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return this.#asked(() => {
      try {
        const startMs = performance.now();
        // A writer that was seen a moment ago is likely to wait, even if no other wrote since.
        this.#others *= REMEMBERED;
        const outcomes = this.#commit(group);
        this.#endedMs = performance.now();
        this.#turnMs += (this.#endedMs - startMs - this.#turnMs) / 8;
        return outcomes;
      } catch (error) {
        if (isBusy(error)) this.#crowded = CROWDED_TURNS;
        throw error;
      }
    });
  }

  /**
   * The time after a turn in which others go first: most of what those need who had turns since our last one. If all who
   * write without a pause do so, few ask at the same moment, and nobody is unlucky for long.
   */
  get #giveWayMs(): number {
    return Math.min(LONGEST_WAY_MS, GIVE_WAY * this.#others * this.#turnMs);
  }

  #commit(group: readonly Request[]): readonly Outcome[] {
    const known = this.#known;
    this.#known = undefined;
    const [only] = group;
    const outcome = known && only && group.length === 1 ? this.#ahead(known, only) : undefined;
    return outcome === undefined ? this.#inTurn(group, known) : [outcome];
  }

  /**
   * One who is alone decides on what is known and appends with one statement. Undefined if it is not the time for that, or if
   * something came meanwhile; nothing was appended then.
   */
  #ahead({ kernel, head, quiet }: Known, request: Request): Outcome | undefined {
    if (quiet < QUIET_TURNS || request.kernel !== kernel || request.since !== head) return undefined;
    const batch = new CommitBatch(this.url, head, []);
    const outcome = batch.decide(request);
    const [entry, ...more] = batch.appended;
    // Who only looks must be told what is there.
    if (entry === undefined || more.length > 0) return undefined;
    const file = this.#opened();
    this.#checkRoom(batch.appended);
    try {
      if (!this.#withReserve(batch.appended, () => file.appendAlone(kernel, entry))) return undefined;
    } catch (error) {
      if (error instanceof SqlFailure || error instanceof LedgerUnavailable) throw error;
      this.#afterFailedCommit(file, error);
    }
    this.#known = { kernel, head: batch.head, quiet };
    return outcome;
  }

  #inTurn(group: readonly Request[], known: Known | undefined): readonly Outcome[] {
    let outcomes: Outcome[] = [];
    let batches = new Map<string, CommitBatch>();
    const appendedNow = () => [...batches.values()].flatMap((batch) => batch.appended);
    this.#withReserve(appendedNow, () =>
      this.#written((file) => {
        outcomes = [];
        batches = new Map();
        for (const { kernel } of group) {
          if (batches.has(kernel)) continue;
          batches.set(kernel, this.#batchOf(file, kernel, group));
        }
        for (const request of group) {
          outcomes.push(batches.get(request.kernel)?.decide(request) ?? never(request.kernel));
        }
        let appended = false;
        for (const [kernel, batch] of batches) {
          if (batch.appended.length === 0) continue;
          this.#checkRoom(batch.appended);
          file.append(kernel, batch.appended);
          appended = true;
        }
        return appended ? "keep" : "drop";
      }),
    );
    if (batches.size === 1) {
      for (const [kernel, { head, news }] of batches) {
        if (news > 0) this.#crowded = CROWDED_TURNS;
        if (known?.kernel === kernel) this.#others = Math.max(this.#others, Math.min(news, mostOthers));
        const quiet = news > 0 ? 0 : known?.kernel === kernel ? known.quiet + 1 : 1;
        this.#known = { kernel, head, quiet };
      }
    }
    return outcomes;
  }

  #batchOf(file: LedgerFile, kernel: string, group: readonly Request[]): CommitBatch {
    const base = baseOf(group.filter((request) => request.kernel === kernel));
    const log = file.after(kernel, base);
    // The batch tells a caller whose head is ahead of the log.
    return log === undefined
      ? new CommitBatch(this.url, file.head(kernel), [])
      : new CommitBatch(this.url, base, log);
  }

  /** Does this alone with the file, durably if it is to be kept; when it throws, nothing was kept or it is in doubt. */
  #written(work: (file: LedgerFile) => "keep" | "drop"): void {
    const file = this.#opened();
    file.begin();
    try {
      if (work(file) === "drop") {
        file.rollback();
        return;
      }
    } catch (error) {
      file.rollback();
      throw error;
    }
    try {
      file.commit();
    } catch (error) {
      this.#afterFailedCommit(file, error);
    }
  }

  /** On a full disk, what is urgent is written in the place of the reserve. */
  #withReserve<T>(appended: readonly Stored[] | (() => readonly Stored[]), write: () => T): T {
    try {
      return write();
    } catch (error) {
      const entries = typeof appended === "function" ? appended() : appended;
      if (!isFull(error) || !areUrgent(entries) || !this.#reserve.spend()) throw error;
      return write();
    }
  }

  /** Refuses what is not urgent while the reserve is spent and cannot be made again. */
  #checkRoom(appended: readonly Stored[]): void {
    if (areUrgent(appended) || this.#reserve.keep()) return;
    throw SqlFailure.for("no room", { url: this.url });
  }

  #openFile(create: boolean): void {
    const open = () => new LedgerFile(this.#open, this.#path, this.url, create, this.#readOnly);
    try {
      this.#file = open();
    } catch (error) {
      // SQLite makes files of its own when it opens one, and on a full disk it cannot.
      if (this.#readOnly || !isOutOfRoom(error) || !this.#reserve.spend()) throw error;
      this.#file = open();
    }
  }

  #afterFailedCommit(file: LedgerFile, error: unknown): never {
    if (isBusy(error) || isFull(error)) {
      file.rollback();
      throw error;
    }
    // The log may have reached the disk although flushing it failed, and a flush that failed once proves nothing when
    // it succeeds the next time: nothing more is asked of this connection.
    this.#file = undefined;
    file.close();
    throw new InDoubt(`${this.url} reported an error while it was committing`, { cause: error });
  }

  #opened(): LedgerFile {
    if (this.#ended) throw LedgerUnavailable.for("closed", { url: this.url });
    if (this.#file === undefined) this.#openFile(false);
    return this.#file ?? never(this.url);
  }

  async #asked<T>(work: () => T): Promise<T> {
    try {
      return await retry(BUSY, work, isBusy);
    } catch (error) {
      throw LedgerUnavailable.of(sqliteFailure(this.url, "ledger", error));
    }
  }

  #checkWritable(): void {
    this.#checkOpen();
    if (this.#readOnly) throw LedgerUnavailable.for("opened to read", { url: this.url });
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw LedgerUnavailable.for("closed", { url: this.url });
  }
}

function areUrgent(entries: readonly Stored[]): boolean {
  return entries.length > 0 && entries.every(({ urgent }) => urgent === true);
}

function never(kernel: string): never {
  throw new Error(`no batch was made for \`${kernel}\``);
}

function loadedSqlite(): OpenSqlite {
  try {
    return loadSqlite();
  } catch (error) {
    throw LedgerUnavailable.of(error);
  }
}
