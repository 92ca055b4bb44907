/**
 * A ledger in one SQLite file: durable before it is acknowledged, shared by the processes of one machine, unharmed by
 * kill -9 at any instant. One transaction writes at a time; those who ask meanwhile share the next one.
 */

import { resolve } from "node:path";
import { checkKernel, checkPage, checkSince, checkSnapshot, snapshotAhead } from "../checks.ts";
import { Lane } from "../lane.ts";
import { type Patience, patiently } from "../patience.ts";
import { type Decide, InDoubt, type Ledger, LedgerUnavailable, type Snapshot, type Stored } from "../port.ts";
import { baseOf, type Outcome, type Request, Round } from "../round.ts";
import { isBusy, isFull, translated } from "./errors.ts";
import { LedgerFile } from "./file.ts";

/** So often must nobody else have appended before something is sent ahead: in vain, it is decided twice. */
const QUIET_TURNS = 2;

/** A commit takes milliseconds; who cannot get a turn in this time will not get one. */
const PATIENCE: Patience = { totalMs: 30_000, firstWaitMs: 2, longestWaitMs: 25 };

/** How the last transaction left the kernel that it was about. Only ever a guess: the file has the last word. */
interface Known {
  readonly kernel: string;
  readonly head: number;
  /** How many times in a row nobody else had appended. */
  readonly quiet: number;
}

export class SqliteLedger implements Ledger {
  readonly url: string;
  readonly #path: string;
  readonly #lane = new Lane((group) => this.#asked(() => this.#commit(group)));
  #file: LedgerFile | undefined;
  #known: Known | undefined;
  #closed: Promise<void> | undefined;
  #ended = false;

  private constructor(path: string) {
    this.#path = resolve(path);
    this.url = `sqlite:${path}`;
  }

  static async open(path: string, create: boolean): Promise<SqliteLedger> {
    const ledger = new SqliteLedger(path);
    await ledger.#asked(() => {
      ledger.#file = new LedgerFile(ledger.#path, ledger.url, create);
    });
    return ledger;
  }

  async transact(kernel: string, since: number, decide: Decide): Promise<void> {
    this.#checkOpen();
    checkKernel(kernel);
    checkSince(since);
    await this.#lane.add({ kernel, since, decide });
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

  /** What was asked before is still done. */
  close(): Promise<void> {
    this.#closed ??= this.#lane.idle().then(() => {
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
    const round = new Round(this.url, head, []);
    const outcome = round.decide(request);
    const [entry, ...more] = round.appended;
    // Who only looks must be told what is there.
    if (entry === undefined || more.length > 0) return undefined;
    const file = this.#opened();
    try {
      if (!file.appendAlone(kernel, entry)) return undefined;
    } catch (error) {
      if (error instanceof LedgerUnavailable) throw error;
      this.#afterFailedCommit(file, error);
    }
    this.#known = { kernel, head: round.head, quiet };
    return outcome;
  }

  #inTurn(group: readonly Request[], known: Known | undefined): readonly Outcome[] {
    const outcomes: Outcome[] = [];
    const rounds = new Map<string, Round>();
    this.#written((file) => {
      for (const { kernel } of group) {
        if (rounds.has(kernel)) continue;
        rounds.set(kernel, this.#roundOf(file, kernel, group));
      }
      for (const request of group) {
        outcomes.push(rounds.get(request.kernel)?.decide(request) ?? never(request.kernel));
      }
      let appended = false;
      for (const [kernel, round] of rounds) {
        if (round.appended.length === 0) continue;
        file.append(kernel, round.appended);
        appended = true;
      }
      return appended ? "keep" : "drop";
    });
    if (rounds.size === 1) {
      for (const [kernel, { head, isNews }] of rounds) {
        const quiet = isNews ? 0 : known?.kernel === kernel ? known.quiet + 1 : 1;
        this.#known = { kernel, head, quiet };
      }
    }
    return outcomes;
  }

  #roundOf(file: LedgerFile, kernel: string, group: readonly Request[]): Round {
    const base = baseOf(group.filter((request) => request.kernel === kernel));
    const log = file.after(kernel, base);
    // Whoever has seen more than there is will be told so by the round.
    return log === undefined ? new Round(this.url, file.head(kernel), []) : new Round(this.url, base, log);
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
    this.#file ??= new LedgerFile(this.#path, this.url, false);
    return this.#file;
  }

  async #asked<T>(work: () => T): Promise<T> {
    try {
      return await patiently(PATIENCE, work, isBusy);
    } catch (error) {
      throw translated(this.url, error);
    }
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw LedgerUnavailable.for("closed", { url: this.url });
  }
}

function never(kernel: string): never {
  throw new Error(`no round was made for \`${kernel}\``);
}
