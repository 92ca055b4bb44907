/** Follows a log: does every entry again that is already there, and so comes to the state everyone else has. */
import type { KernelState } from "../core/state.ts";
import type { Problem } from "../problem.ts";
import type { Entry } from "../trace/entry.ts";
import { again, policyIn, type Reading, readStored, type StoredEntry } from "../trace/read.ts";
import { readSnapshot } from "../trace/snapshot.ts";
import type { Log } from "./log.ts";

/** The ledger has something that this kernel would not have written. Nothing is decided on top of that. */
export class LedgerBroken extends Error {
  override readonly name = "LedgerBroken";
  /** What is wrong with an entry. */
  readonly problem?: Problem;
  constructor(message: string, problem?: Problem) {
    super(message);
    if (problem !== undefined) this.problem = problem;
  }
}

/** LIMIT: entries that are read at once. */
const pageLength = 1_000;

/** The state after all entries of a kernel, from the one that is known on; undefined if there are none. */
export async function follow(
  log: Log,
  name: string,
  reading: Reading,
  from?: KernelState,
): Promise<KernelState | undefined> {
  let state = from;
  for (;;) {
    const page = await log.read(name, (state?.seq ?? 0) + 1, pageLength);
    for (const stored of page) state = followed(state, stored, reading);
    if (page.length < pageLength) return state;
  }
}

/** The state after one more entry, which someone else wrote. */
export function followed(
  state: KernelState | undefined,
  stored: StoredEntry,
  reading: Reading = {},
): KernelState {
  const step = again(state, stored, reading);
  if (!step.ok) throw new LedgerBroken(`entry ${stored.seq}: ${step.problem.message}`, step.problem);
  return step.value.state;
}

/** The state of the newest snapshot, if it fits the log; whatever is wrong with it costs only time. */
export async function restored(log: Log, name: string, reading: Reading): Promise<KernelState | undefined> {
  try {
    const snapshot = await log.loadSnapshot?.(name);
    if (snapshot === undefined) return undefined;
    const [first] = await log.read(name, 1, 1);
    const [last] = await log.read(name, snapshot.seq, 1);
    if (first === undefined || last === undefined) return undefined;
    const [opening, named] = [readStored(first), readStored(last)];
    if (!opening.ok || !named.ok) return undefined;
    const policy = policyIn(opening.value, reading);
    if (!policy.ok) return undefined;
    const text = new TextDecoder("utf-8", { fatal: true }).decode(snapshot.bytes);
    const state = readSnapshot(text, policy.value, named.value.json, last.hash);
    return state.ok && state.value.name === name ? state.value : undefined;
  } catch {
    // If it is the ledger that fails, reading the entries will tell.
    return undefined;
  }
}

export function storedOf({ seq, hash, bytes }: Entry): StoredEntry {
  return { seq, hash, bytes };
}
