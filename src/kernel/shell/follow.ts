/** Follows a log: does every entry again that is already there, and so comes to the state everyone else has. */
import type { FunctionInvariant } from "../core/function.ts";
import type { Policy } from "../core/policy.ts";
import type { KernelState } from "../core/state.ts";
import type { Entry } from "../trace/entry.ts";
import { readStored, replay, type StoredEntry } from "../trace/read.ts";
import { Verifier } from "../trace/verify.ts";
import type { Log } from "./log.ts";

/** The ledger has something that this kernel would not have written. Nothing is decided on top of that. */
export class LedgerBroken extends Error {
  override readonly name = "LedgerBroken";
}

export class Follower {
  readonly #verifier: Verifier;

  constructor(functions: readonly FunctionInvariant[], known?: Policy) {
    this.#verifier = new Verifier(known === undefined ? { functions } : { functions, known });
  }

  get state(): KernelState | undefined {
    return this.#verifier.state;
  }

  add(stored: StoredEntry): void {
    if (this.#verifier.add(stored)) return;
    const { problem } = this.#verifier.end();
    throw new LedgerBroken(`entry ${problem?.seq}: ${problem?.what}`);
  }
}

/** LIMIT: entries that are read at once. */
const pageLength = 1_000;

export async function follow(log: Log, name: string, follower: Follower): Promise<void> {
  for (;;) {
    const page = await log.read(name, (follower.state?.seq ?? 0) + 1, pageLength);
    for (const stored of page) follower.add(stored);
    if (page.length < pageLength) return;
  }
}

/** The state after one more entry, which someone else wrote. */
export function followed(state: KernelState, stored: StoredEntry): KernelState {
  const read = readStored(stored);
  const step = read.ok ? replay(state, read.value) : read;
  if (!step.ok) throw new LedgerBroken(`entry ${stored.seq}: ${step.problem.message}`);
  return step.value.state;
}

const encoder = new TextEncoder();

export function storedOf({ seq, hash, text }: Entry): StoredEntry {
  return { seq, hash, bytes: encoder.encode(text) };
}
