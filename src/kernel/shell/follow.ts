/** Follows a log: does every entry again that is already there, and so comes to the state everyone else has. */
import type { Value } from "../../ir/index.ts";
import type { KernelState } from "../core/state.ts";
import type { Problem } from "../problem.ts";
import type { Entry, Step } from "../trace/entry.ts";
import { again, policyOfWritten, type Reading, readStored, type StoredEntry } from "../trace/read.ts";
import { readSnapshot } from "../trace/snapshot.ts";
import type { Log } from "./log.ts";

/** The ledger has something that this kernel would not have written. Nothing is decided on top of that. */
export class LedgerBroken extends Error {
  override readonly name = "LedgerBroken";
  /** The defect of the entry. */
  readonly problem?: Problem;
  constructor(message: string, problem?: Problem) {
    super(message);
    if (problem !== undefined) this.problem = problem;
  }
}

/** LIMIT: entries that are read at once. */
const pageLength = 1_000;

/** A state, and the last one before it that an entry vouches for, which a snapshot can be of. */
export interface Position {
  readonly state: KernelState;
  readonly vouched?: KernelState;
}

/** The position after a step. */
export function positionAfter({ vouched }: Partial<Position>, step: Step): Position {
  const last = step.vouched ?? vouched;
  return last === undefined ? { state: step.state } : { state: step.state, vouched: last };
}

/** The position after all entries of a kernel, from the state that is known on; undefined if there are none. */
export async function follow(
  log: Log,
  name: string,
  reading: Reading,
  from?: KernelState,
): Promise<Position | undefined> {
  let position: Position | undefined = from && { state: from };
  for (;;) {
    const page = await log.read(name, (position?.state.seq ?? 0) + 1, pageLength);
    for (const stored of page)
      position = positionAfter(position ?? {}, stepOf(position?.state, stored, reading));
    if (page.length < pageLength) return position;
  }
}

/** One more entry, which someone else wrote. */
export function stepOf(state: KernelState | undefined, stored: StoredEntry, reading: Reading = {}): Step {
  const step = again(state, stored, reading);
  if (!step.ok) throw new LedgerBroken(`entry ${stored.seq}: ${step.problem.message}`, step.problem);
  return step.value;
}

/** The state of the newest snapshot, if it fits the log; whatever is wrong with it costs only time. */
export async function restored(log: Log, name: string, reading: Reading): Promise<KernelState | undefined> {
  try {
    const snapshot = await log.loadSnapshot?.(name);
    if (snapshot === undefined) return undefined;
    const [last, after] = await log.read(name, snapshot.seq, 2);
    const [first] = await log.read(name, 1, 1);
    if (last === undefined || after === undefined || first === undefined) return undefined;
    const [named, next] = [readStored(last), readStored(after)];
    if (!named.ok || !next.ok || !readStored(first).ok) return undefined;
    // The policy may have been changed since; the entry that is named holds the digest of the one that counts.
    const policyOf = (body: Value) => policyOfWritten(body, reading);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(snapshot.bytes);
    const vouching = { entry: named.value.json, hash: last.hash, next: next.value.json, first: first.hash };
    const state = readSnapshot(text, policyOf, vouching);
    return state.ok && state.value.name === name ? state.value : undefined;
  } catch {
    // If it is the ledger that fails, reading the entries will tell.
    return undefined;
  }
}

export function storedOf({ seq, hash, bytes }: Entry): StoredEntry {
  return { seq, hash, bytes };
}
