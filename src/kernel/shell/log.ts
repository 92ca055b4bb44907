/**
 * The log that the kernel needs: append-only, with one total order for all writers. Declared by its consumer; every
 * ledger of `src/ledger` implements it.
 */
import type { StoredEntry } from "../trace/read.ts";

export interface Log {
  /** Alone with the log of that kernel: told what was appended after `since`, gives what to append. */
  transact(
    kernel: string,
    since: number,
    decide: (after: readonly StoredEntry[]) => readonly StoredEntry[],
  ): Promise<void>;
  read(kernel: string, from: number, limit: number): Promise<readonly StoredEntry[]>;
  /** Something to open quickly from; a log that has no place for it is opened by reading all of it. */
  saveSnapshot?(kernel: string, snapshot: StoredSnapshot): Promise<void>;
  loadSnapshot?(kernel: string): Promise<StoredSnapshot | undefined>;
}

export interface StoredSnapshot {
  /** The last entry that it includes. */
  readonly seq: number;
  readonly bytes: Uint8Array;
}

/** A log in memory, for one process and for as long as it lives. */
export class MemoryLog implements Log {
  readonly #logs = new Map<string, StoredEntry[]>();

  async transact(
    kernel: string,
    since: number,
    decide: (after: readonly StoredEntry[]) => readonly StoredEntry[],
  ): Promise<void> {
    const log = this.#logs.get(kernel) ?? [];
    const added = decide(log.slice(since));
    // All or nothing: what does not follow is found before the first is taken.
    added.forEach((entry, i) => {
      if (entry.seq !== log.length + i + 1) throw new TypeError(`entry ${entry.seq} does not follow`);
    });
    log.push(...added);
    if (added.length > 0) this.#logs.set(kernel, log);
  }

  async read(kernel: string, from: number, limit: number): Promise<readonly StoredEntry[]> {
    return (this.#logs.get(kernel) ?? []).slice(from - 1, from - 1 + limit);
  }

  kernels(): readonly string[] {
    return [...this.#logs.keys()];
  }
}
