/** A ledger for tests and one-shot runs: it lasts as long as this object, and no one else sees it. */

import { checkKernel, checkPage, checkSince, checkSnapshot, snapshotAhead } from "./checks.ts";
import { CommitBatch } from "./commit-batch.ts";
import { type Decide, type Ledger, LedgerUnavailable, type Snapshot, type Stored } from "./port.ts";

export class MemoryLedger implements Ledger {
  readonly url = "memory:";
  readonly #logs = new Map<string, Stored[]>();
  readonly #snapshots = new Map<string, Snapshot>();
  #closed = false;

  async transact(kernel: string, since: number, decide: Decide): Promise<void> {
    this.#open();
    checkKernel(kernel);
    checkSince(since);
    const log = this.#logs.get(kernel) ?? [];
    const head = log.length;
    const batch = new CommitBatch(this.url, Math.min(since, head), log.slice(since).map(copied));
    const outcome = batch.decide({ kernel, since, decide });
    if (outcome.kind === "thrown") throw outcome.error;
    const { appended } = batch;
    if (appended.length === 0) return;
    // A `decide` that used this ledger itself is no longer alone with the log.
    if ((this.#logs.get(kernel)?.length ?? 0) !== head)
      throw new Error("`decide` appended to the log it decides on");
    if (head === 0) this.#logs.set(kernel, log);
    for (const entry of appended) log.push(entry);
  }

  async read(kernel: string, from: number, limit: number): Promise<readonly Stored[]> {
    this.#open();
    checkKernel(kernel);
    checkPage(from, limit);
    return (this.#logs.get(kernel) ?? []).slice(from - 1, from - 1 + limit).map(copied);
  }

  async saveSnapshot(kernel: string, snapshot: Snapshot): Promise<void> {
    this.#open();
    checkKernel(kernel);
    checkSnapshot(snapshot);
    const { seq, bytes } = snapshot;
    if (seq > (this.#logs.get(kernel) ?? []).length) throw snapshotAhead(kernel, seq);
    if (seq >= (this.#snapshots.get(kernel)?.seq ?? 0))
      this.#snapshots.set(kernel, { seq, bytes: bytes.slice() });
  }

  async loadSnapshot(kernel: string): Promise<Snapshot | undefined> {
    this.#open();
    checkKernel(kernel);
    const snapshot = this.#snapshots.get(kernel);
    return snapshot && { seq: snapshot.seq, bytes: snapshot.bytes.slice() };
  }

  async kernels(): Promise<readonly string[]> {
    this.#open();
    return [...this.#logs.keys()].sort();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #open(): void {
    if (this.#closed) throw LedgerUnavailable.for("closed in memory", {});
  }
}

/** No one shares bytes with the log. */
function copied({ seq, hash, bytes }: Stored): Stored {
  return { seq, hash, bytes: bytes.slice() };
}
