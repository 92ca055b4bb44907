/**
 * One batch of decisions on one log: several callers, one after the other, each told what came before it, the
 * earlier ones of its batch included. The engine then makes all of it durable with one commit, or none of it.
 */

import { checkAppended, setBack } from "./checks.ts";
import { type Decide, LedgerUnavailable, type Stored } from "./port.ts";

export interface Request {
  readonly kernel: string;
  readonly since: number;
  readonly decide: Decide;
}

/** The result of a request once its batch is committed. */
export type Outcome = { readonly kind: "done" } | { readonly kind: "thrown"; readonly error: unknown };

export class CommitBatch {
  /** Entries after `#base`, without gaps: the durable ones, then what this batch appends. */
  readonly #log: Stored[];
  readonly #durable: number;
  readonly #base: number;
  readonly #url: string;

  /** `log` is every durable entry after `base`. */
  constructor(url: string, base: number, log: readonly Stored[]) {
    this.#url = url;
    this.#base = base;
    this.#log = [...log];
    this.#durable = log.length;
    // INVARIANT: what an engine read is what was appended: no gap, nothing twice.
    const wrong = log.findIndex(({ seq }, index) => seq !== base + index + 1);
    if (wrong >= 0) {
      throw LedgerUnavailable.for("entry missing", {
        url,
        seq: base + wrong + 1,
        before: log[wrong]?.seq ?? 0,
      });
    }
  }

  /** The number of the last entry, those of this batch included. */
  get head(): number {
    return this.#base + this.#log.length;
  }

  /** The number of entries after `base` that were there before this batch. */
  get news(): number {
    return this.#durable;
  }

  get appended(): readonly Stored[] {
    return this.#log.slice(this.#durable);
  }

  /** Asks one caller. What it throws is its own outcome and no one else's. */
  decide({ kernel, since, decide }: Request): Outcome {
    const { head } = this;
    if (since > head) return { kind: "thrown", error: setBack(this.#url, kernel, since) };
    try {
      const entries = decide(this.#log.slice(since - this.#base).map(kept));
      checkAppended(entries, head);
      // The caller keeps its bytes, and what it does to them later must not reach the engine.
      for (const { seq, hash, bytes, urgent } of entries)
        this.#log.push({ seq, hash, bytes: bytes.slice(), ...(urgent === undefined ? {} : { urgent }) });
      return { kind: "done" };
    } catch (error) {
      return { kind: "thrown", error };
    }
  }
}

function kept({ seq, hash, bytes }: Stored): Stored {
  return { seq, hash, bytes };
}

/** The lowest `since` of these requests: where the log of their batch begins. */
export function baseOf(requests: readonly Request[]): number {
  return Math.min(...requests.map(({ since }) => since));
}
