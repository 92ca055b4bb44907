/**
 * The digest of all that the kernel knows, the parts included that no entry speaks of: used idempotency keys, undo records,
 * counts, windows, why it is stopped. Every so many entries hold that of the state before them, and so vouch for a snapshot of
 * it. Part of what must be trusted.
 */
import { list, record } from "../../ir/index.ts";
import type { FormNumber } from "../core/form.ts";
import { type KernelState, rootOf, type StepRecord } from "../core/state.ts";
import { sha256 } from "../digest.ts";
import { digestOf, type Trie } from "../trie.ts";
import { argText } from "../values/args.ts";
import { canonicalText, textOf } from "../values/canonical.ts";
import { budgetValue, reservationValue, useOfPrincipal, useValue } from "./state-values.ts";

/** Every entry whose number is a multiple of this holds the digest of the state before it. */
const digestEvery = 256;

export function holdsDigest(seq: number): boolean {
  return seq % digestEvery === 0;
}

/** As entries of that form hold it. */
export function stateDigest(state: KernelState, form: FormNumber): string {
  const { calls, held, keys, pending, principals, records, times, stopped } = state;
  const parts = [
    textOf(state.name),
    textOf(state.policy.digest),
    String(state.seq),
    textOf(state.head),
    String(state.time),
    String(state.version),
    String(state.steps),
    String(state.refusals),
    String(state.rollbacks),
    canonicalText(list(state.budgets.map(budgetValue))),
    canonicalText(record(Array.from(state.emergencies, ([id, count]) => [id, BigInt(count)]))),
    stopped === undefined ? "null" : argText(stopped),
    textOf(rootOf(state.data)),
    trieText(calls, String),
    trieText(keys, (use) => canonicalText(useValue(use))),
    // With the keys that they hold.
    trieText(pending, (one) => canonicalText(reservationValue(one))),
    trieText(records, recordText),
    trieText(times, String),
  ];
  if (form >= 4) {
    // A lease that is over leaves its keys to others, so that reservations alone no longer tell who holds a key.
    parts.push(trieText(held, textOf));
    parts.push(trieText(principals, (use) => canonicalText(useOfPrincipal(use))));
  }
  // Only gates rest on it, and kernels without them have the digests that they had.
  if (state.policy.gates.length > 0) parts.push(textOf(state.first ?? ""));
  return sha256(`[${parts.join(",")}]`);
}

/** Written straight down, with every part where only that part can stand: each step makes one of these. */
function recordText({ version, hash, before, charges, windows, undo, status, by }: StepRecord): string {
  let text = `[${version},"${hash}","${status}",[${charges.join()}],[${windows.join()}],[`;
  for (const [key, value] of before)
    text += value === undefined ? `[${textOf(key)}],` : `[${textOf(key)},${canonicalText(value)}],`;
  return `${text}],${undo === undefined ? "" : canonicalText(undo)}${by === undefined ? "" : `,${textOf(by)}`}]`;
}

/** INVARIANT: a part is always written the same way, since a node keeps its digest. */
function trieText<T>(trie: Trie<T>, valueText: (value: T) => string): string {
  return textOf(digestOf(trie, (key, value) => `[${textOf(key)},${valueText(value)}]`));
}
