/**
 * A ledger keeps what the kernel decided: an append-only log of entries for each kernel, durable before it is
 * acknowledged, in one order for everyone who shares it. It knows nothing of what the entries mean.
 */

import { SqlFailure } from "../sql/index.ts";
import { type LedgerArgs, type LedgerReason, ledgerReasons, type OwnReason } from "./reasons.ts";

export interface Ledger {
  /** Address of the ledger, without secrets. */
  readonly url: string;
  /**
   * Alone with the log of that kernel: `decide` is told all that was appended after `since`, without a gap, and gives
   * what to append. It is synchronous, and may be called again, with more entries, if the engine starts over; what an
   * earlier call gave is then nothing, unless it is among those entries. So what `decide` came to is certain only once
   * this resolves: then the entries of the last call are durable. When it rejects, nothing was appended, unless the
   * error is an `InDoubt`; then all of one call was appended or nothing, and who calls again is told: what is not among
   * the entries after `since` by then will never be.
   * Equal entries are not told apart here. A caller that must know its own puts a mark of its own into each.
   */
  transact(kernel: string, since: number, decide: Decide): Promise<void>;
  /** Entries from a sequence number on, oldest first, at most `limit`. */
  read(kernel: string, from: number, limit: number): Promise<readonly Stored[]>;
  /** Something to open quickly from; the newest one wins, and losing it costs only time. */
  saveSnapshot(kernel: string, snapshot: Snapshot): Promise<void>;
  loadSnapshot(kernel: string): Promise<Snapshot | undefined>;
  kernels(): Promise<readonly string[]>;
  /** Checks the engine's own structures, if it has such a check; undefined if nothing is wrong. */
  damage?(): Promise<string | undefined>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type Decide = (after: readonly Stored[]) => readonly Stored[];

/** One entry as it is kept: its canonical bytes and the hash of them. Sequence numbers count from 1 without gaps. */
export interface Stored {
  readonly seq: number;
  readonly hash: string;
  readonly bytes: Uint8Array;
  /** Set on what is appended if it may use the room that is kept for emergencies; not part of what is kept. */
  readonly urgent?: true;
}

export interface Snapshot {
  /** The last entry that it includes. */
  readonly seq: number;
  readonly bytes: Uint8Array;
}

/** The engine went away while it was committing: the entries may be there or not, and reading tells. */
export class InDoubt extends Error {
  override readonly name = "InDoubt";
}

/** The ledger cannot be reached or opened, or is not what it should be. */
export class LedgerUnavailable extends Error {
  override readonly name = "LedgerUnavailable";
  /** Reason of the failure, if one of our engines reported it. */
  readonly reason: LedgerReason | undefined;

  constructor(message: string, options: ErrorOptions & { readonly reason?: LedgerReason } = {}) {
    const { reason, ...rest } = options;
    super(message, rest);
    this.reason = reason;
  }

  /** For a reason of the table, with the sentence for it. */
  static for<R extends OwnReason>(reason: R, args: LedgerArgs<R>, options?: ErrorOptions): LedgerUnavailable {
    // SAFETY: the arguments are those of this reason.
    return new LedgerUnavailable(ledgerReasons[reason].say(args as never), { ...options, reason });
  }

  /** Returns a failure of a database as that of the ledger in it; every other error is returned as it is. */
  static of(error: unknown): unknown {
    if (!(error instanceof SqlFailure)) return error;
    return new LedgerUnavailable(error.message, { reason: error.reason, cause: error.cause });
  }

  /** True for transient failures, which say nothing about the contents of the ledger. */
  get isPassing(): boolean {
    return this.reason !== undefined && ledgerReasons[this.reason].passing;
  }
}
