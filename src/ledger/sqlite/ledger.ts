/**
 * A ledger in one SQLite file: durable before it is acknowledged, shared by the processes of one machine, unharmed by
 * kill -9 at any instant. One transaction writes at a time; those who ask meanwhile share the next one.
 */

import { resolve } from "node:path";
import {
  type Backoff,
  isBusy,
  isFull,
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

/** So often must nobody else have appended before something is sent ahead: in vain, it is decided twice. */
const QUIET_TURNS = 2;

/** A commit takes milliseconds; a writer that gets no turn in this time will not get one. */
const BUSY: Backoff = { totalMs: 30_000, firstWaitMs: 2, longestWaitMs: 25 };

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
  readonly #groupCommit = new GroupCommit((group) => this.#asked(() => this.#commit(group)));
  #file: LedgerFile | undefined;
  #known: Known | undefined;
  #closed: Promise<void> | undefined;
  #ended = false;

  private constructor(open: OpenSqlite, path: string) {
    this.#open = open;
    this.#path = resolve(path);
    this.url = `sqlite:${path}`;
  }

  static async open(path: string, create: boolean): Promise<SqliteLedger> {
    const ledger = new SqliteLedger(loadedSqlite(), path);
    await ledger.#asked(() => {
      ledger.#file = new LedgerFile(ledger.#open, ledger.#path, ledger.url, create);
    });
    return ledger;
  }

  async transact(kernel: string, since: number, decide: Decide): Promise<void> {
    this.#checkOpen();
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
    this.#checkOpen();
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

  /** Closes the ledger after all pending requests. */
  close(): Promise<void> {
    this.#closed ??= this.#groupCommit.idle().then(() => {
      this.#file?.close();
      this.#file = undefined;
      this.#ended = true;
    });
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
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
    try {
      if (!file.appendAlone(kernel, entry)) return undefined;
    } catch (error) {
      if (error instanceof SqlFailure || error instanceof LedgerUnavailable) throw error;
      this.#afterFailedCommit(file, error);
    }
    this.#known = { kernel, head: batch.head, quiet };
    return outcome;
  }

  #inTurn(group: readonly Request[], known: Known | undefined): readonly Outcome[] {
    const outcomes: Outcome[] = [];
    const batches = new Map<string, CommitBatch>();
    this.#written((file) => {
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
        file.append(kernel, batch.appended);
        appended = true;
      }
      return appended ? "keep" : "drop";
    });
    if (batches.size === 1) {
      for (const [kernel, { head, isNews }] of batches) {
        const quiet = isNews ? 0 : known?.kernel === kernel ? known.quiet + 1 : 1;
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
    this.#file ??= new LedgerFile(this.#open, this.#path, this.url, false);
    return this.#file;
  }

  async #asked<T>(work: () => T): Promise<T> {
    try {
      return await retry(BUSY, work, isBusy);
    } catch (error) {
      throw LedgerUnavailable.of(sqliteFailure(this.url, "ledger", error));
    }
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw LedgerUnavailable.for("closed", { url: this.url });
  }
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
