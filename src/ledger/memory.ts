/** A ledger in memory: for tests and one-shot runs, in one process. What it holds is gone when the process is. */
import { MemoryLog } from "../kernel/index.ts";
import { type Decide, type Ledger, LedgerUnavailable, type Snapshot, type Stored } from "./port.ts";

export class MemoryLedger implements Ledger {
  readonly url = "memory:";
  readonly #log = new MemoryLog();
  readonly #snapshots = new Map<string, Snapshot>();
  #isClosed = false;

  async transact(kernel: string, since: number, decide: Decide): Promise<void> {
    this.#open();
    await this.#log.transact(kernel, since, decide);
  }

  async read(kernel: string, from: number, limit: number): Promise<readonly Stored[]> {
    this.#open();
    return this.#log.read(kernel, from, limit);
  }

  async saveSnapshot(kernel: string, snapshot: Snapshot): Promise<void> {
    this.#open();
    const newest = this.#snapshots.get(kernel);
    if (newest === undefined || newest.seq <= snapshot.seq) this.#snapshots.set(kernel, snapshot);
  }

  async loadSnapshot(kernel: string): Promise<Snapshot | undefined> {
    this.#open();
    return this.#snapshots.get(kernel);
  }

  async kernels(): Promise<readonly string[]> {
    this.#open();
    return [...this.#log.kernels()].sort();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #open(): void {
    if (this.#isClosed) throw new LedgerUnavailable("the ledger is closed");
  }
}
