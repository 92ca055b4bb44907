/**
 * A snapshot: all that the kernel knows after an entry, as canonical bytes, to go on from without doing every entry
 * again. It is a cache. It is taken only if its digest is right, it is of this kernel and policy, and the entry that it
 * names is in the log and says the same of state, version and budgets, and the entry after that holds the digest of the whole
 * state; otherwise it is as if there were none. Verifying never looks at one. Part of what must be trusted, and no more than the log of the same ledger is.
 */
import {
  isJsonObject,
  isList,
  type Json,
  JsonNumber,
  list,
  readJson,
  record,
  type Value,
} from "../../ir/index.ts";
import { readAction } from "../core/action.ts";
import type { Budget } from "../core/budget.ts";
import { type FormNumber, newestForm } from "../core/form.ts";
import type { Policy } from "../core/policy.ts";
import type { PrincipalUse } from "../core/principal.ts";
import {
  type KernelState,
  type KeyUse,
  type Reservation,
  type StepRecord,
  type Stopped,
  stateBefore,
} from "../core/state.ts";
import { sha256 } from "../digest.ts";
import { type Decoded, decoded, refuse } from "../problem.ts";
import { emptyTrie, entriesOf, set, type Trie } from "../trie.ts";
import { argsIn, argText } from "../values/args.ts";
import { canonicalText, textOf } from "../values/canonical.ts";
import { readWritten, writtenReader } from "../values/decode.ts";
import { Fields } from "../values/fields.ts";
import { objectText, resultTexts } from "./entry.ts";
import { holdsDigest, stateDigest } from "./state-digest.ts";
import { budgetValue, recordValue, reservationValue, useOfPrincipal, useValue } from "./state-values.ts";

/**
 * Version of the snapshot format. Earlier ones lack principals, who holds which key and the body of the policy, which may have
 * been changed since; the first one stored the reason of a freeze as a sentence.
 */
const format = 3;

/** Estimates the work of writing a snapshot, in parts of about equal cost. */
export function snapshotSize({ data, records, times, pending, keys, calls }: KernelState): number {
  return data.size + records.size + times.size + pending.size + keys.size + calls.size;
}

export function snapshotText(state: KernelState): string {
  const body = objectText({
    budgets: canonicalText(list(state.budgets.map(budgetValue))),
    calls: mapText(state.calls, String),
    data: mapText(state.data, canonicalText),
    emergencies: canonicalText(record(Array.from(state.emergencies, ([id, count]) => [id, BigInt(count)]))),
    format: String(format),
    head: textOf(state.head),
    held: mapText(state.held, textOf),
    kernel: textOf(state.name),
    keys: mapText(state.keys, (use) => canonicalText(useValue(use))),
    pending: mapText(state.pending, (one) => canonicalText(reservationValue(one))),
    policy: canonicalText(state.policy.body),
    principals: mapText(state.principals, (use) => canonicalText(useOfPrincipal(use))),
    records: mapText(state.records, (one) => canonicalText(recordValue(one))),
    refusals: String(state.refusals),
    rollbacks: String(state.rollbacks),
    seq: String(state.seq),
    steps: String(state.steps),
    ...(state.stopped === undefined ? {} : { stopped: argText(state.stopped) }),
    time: String(state.time),
    times: mapText(state.times, String),
    version: String(state.version),
  });
  return `${sha256(body)}\n${body}`;
}

/** The entry that a snapshot names, the one after it, and the first of all. */
export interface Vouching {
  readonly entry: Json;
  /** Hash of the entry. */
  readonly hash: string;
  readonly next: Json;
  /** Hash of the first entry. */
  readonly first: string;
}

/** The state that a snapshot is of, if it fits the entry it names, and the next one vouches for all of it. */
export function readSnapshot(
  text: string,
  policyOf: (body: Value) => Decoded<Policy>,
  { entry, first, hash, next }: Vouching,
): Decoded<KernelState> {
  return decoded(() => {
    const body = text.slice(65);
    if (text[64] !== "\n" || text.slice(0, 64) !== sha256(body)) return refuse("snapshot does not fit");
    const read = readJson(body);
    if (!read.ok || !isJsonObject(read.value.value)) return refuse("snapshot does not fit");
    const {
      data,
      records,
      times,
      pending,
      keys,
      calls,
      held,
      principals,
      policy: policyBody,
      ...rest
    } = read.value.value;
    const fields = new Fields(readWritten(rest), "snapshot");
    // Earlier ones are not read any more: no entry of an earlier form vouches for what they lack.
    if (fields.count("format") !== format || policyBody === undefined) return refuse("snapshot does not fit");
    const found = policyOf(readWritten(policyBody));
    if (!found.ok) return refuse("snapshot does not fit");
    const policy = found.value;
    const stopped = stoppedIn(fields.optional("stopped"));
    const state: KernelState = {
      ...stateBefore(fields.name("kernel"), policy, trieOf(data, readWritten)),
      seq: fields.count("seq"),
      head: fields.name("head"),
      form: formIn(entry),
      time: fields.count("time"),
      version: fields.count("version"),
      budgets: fields.list("budgets").map(readBudget),
      steps: fields.count("steps"),
      refusals: fields.count("refusals"),
      rollbacks: fields.count("rollbacks"),
      emergencies: new Map(counts(fields.required("emergencies"))),
      times: trieOf(times, countOf),
      records: trieOf(records, readRecord),
      keys: trieOf(keys, readUse),
      calls: trieOf(calls, countOf),
      held: trieOf(held, receiptOf),
      principals: trieOf(principals, readPrincipalUse),
      first,
      ...(stopped === undefined ? {} : { stopped }),
    };
    fields.end();
    if (state.head !== hash || !saysTheSame(entry, state)) return refuse("snapshot does not fit");
    const whole = withPending(state, pending);
    return isVouchedFor(whole, next) ? whole : refuse("snapshot does not fit");
  });
}

/**
 * SOUNDNESS: what an entry says of state and budgets is not all that decisions rest on. Without the digest of the whole, used
 * keys could be taken out of a snapshot, and what was done once would be done twice.
 */
function isVouchedFor(state: KernelState, next: Json): boolean {
  if (!holdsDigest(state.seq + 1) || !isJsonObject(next)) return false;
  const form = formIn(next);
  return form >= 4 && next.prev === state.head && next.state === stateDigest(state, form);
}

/** The words of the first form do not tell an operator's from the kernel's own; then the entries are read instead. */
function stoppedIn(value: Value | undefined): Stopped | undefined {
  if (value === undefined) return undefined;
  const fields = new Fields(value, "snapshot");
  const reason = fields.oneOf("reason", ["said", "drift"]);
  const args = argsIn(fields.required("args"));
  fields.end();
  return args === undefined ? refuse("snapshot does not fit") : { reason, args };
}

/** Compares the state that the entry records with the snapshot. */
function saysTheSame(entry: Json, state: KernelState): boolean {
  if (!isJsonObject(entry)) return false;
  const { kernel, policy, seq, time, root, version, budgets } = entry;
  if (!isJsonObject(root ?? null) || !isJsonObject(version ?? null)) return false;
  const said = [kernel, policy, seq, time, afterOf(root), afterOf(version), budgets];
  return resultTexts(state).every((text, i) => canonicalText(readWritten(said[i] ?? null)) === text);
}

function formIn(entry: Json): FormNumber {
  const v = isJsonObject(entry) && JsonNumber.is(entry.v) ? Number(entry.v.value) : 0;
  return v === 1 || v === 2 || v === 3 || v === newestForm ? v : refuse("snapshot does not fit");
}

function afterOf(change: Json | undefined): Json {
  return change !== undefined && isJsonObject(change) ? (change.after ?? null) : null;
}

function withPending(state: KernelState, pending: Json | undefined): KernelState {
  return { ...state, pending: trieOf(pending, (one) => readReservation(one, state.policy)) };
}

// ── the parts ────────────────────────────────────────────────────────────────────────────────────────────

function mapText<T>(trie: Trie<T>, textOfValue: (value: T) => string): string {
  const cells = Array.from(entriesOf(trie)).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${cells.map(([key, value]) => `${textOf(key)}:${textOfValue(value)}`).join(",")}}`;
}

function trieOf<T>(json: Json | undefined, readCell: (json: Json) => T): Trie<T> {
  if (json === undefined || !isJsonObject(json)) return refuse("snapshot does not fit");
  let trie = emptyTrie<T>();
  for (const [key, cell] of Object.entries(json)) trie = set(trie, key, readCell(cell));
  return trie;
}

function countOf(json: Json): number {
  const value = JsonNumber.is(json) ? Number(json.value) : Number.NaN;
  return Number.isSafeInteger(value) && value >= 0 ? value : refuse("snapshot does not fit");
}

function counts(value: Value): [string, number][] {
  const fields = new Fields(value, "counts");
  return fields.entries().map(([name]) => [name, fields.count(name)]);
}

function readBudget(value: Value): Budget {
  const fields = new Fields(value, "budget");
  const units = (name: string) => unitsOf(fields.required(name));
  return {
    gross: units("gross"),
    refunded: units("refunded"),
    spent: units("spent"),
    reserved: units("reserved"),
    window: fields.count("window"),
  };
}

/** Sums have no bound, and numbers do; so they are texts. */
function unitsOf(value: Value): bigint {
  return typeof value === "string" && /^\d{1,10000}$/.test(value)
    ? BigInt(value)
    : refuse("snapshot does not fit");
}

function readRecord(json: Json): StepRecord {
  const fields = new Fields(readWritten(json), "change");
  const undo = fields.optional("undo");
  const by = fields.optionalName("by");
  return {
    ...(by === undefined ? {} : { by }),
    version: fields.count("version"),
    hash: fields.name("hash"),
    before: fields.list("before").map((pair) => {
      const [key, value] = isList(pair) ? pair : [];
      return typeof key === "string" ? [key, value] : refuse("snapshot does not fit");
    }),
    charges: fields.list("charges").map(unitsOf),
    windows: fields.list("windows").map(Number),
    status: fields.oneOf("status", ["open", "undone", "final"]),
    ...(undo === undefined ? {} : { undo }),
  };
}

function readReservation(json: Json, policy: Policy): Reservation {
  if (!isJsonObject(json)) return refuse("snapshot does not fit");
  const { action, ...rest } = json;
  const fields = new Fields(readWritten(rest), "reservation");
  const key = fields.optionalName("key");
  const by = fields.optionalName("by");
  const until = fields.optionalCount("until");
  return {
    ...(by === undefined ? {} : { by }),
    ...(until === undefined ? {} : { until }),
    seq: fields.count("seq"),
    receipt: fields.name("receipt"),
    action: readAction(writtenReader(), action, policy),
    time: fields.count("time"),
    ...(key === undefined ? {} : { key }),
  };
}

function readUse(json: Json): KeyUse {
  const fields = new Fields(readWritten(json), "key");
  return {
    digest: fields.name("digest"),
    status: fields.oneOf("status", ["pending", "settled", "released"]),
    receipt: fields.name("receipt"),
  };
}

function receiptOf(json: Json): string {
  return typeof json === "string" ? json : refuse("snapshot does not fit");
}

function readPrincipalUse(json: Json): PrincipalUse {
  const fields = new Fields(readWritten(json), "principal");
  const parent = fields.optionalName("parent");
  const key = fields.optional("key");
  const units = (name: string) => fields.list(name).map(unitsOf);
  return {
    steps: fields.count("steps"),
    pending: fields.count("pending"),
    refusals: fields.count("refusals"),
    refused: fields.count("refused"),
    refusalsWindow: fields.count("refusalsWindow"),
    folded: fields.count("folded"),
    written: fields.count("written"),
    writesWindow: fields.count("writesWindow"),
    clock: fields.count("clock"),
    children: fields.count("children"),
    emergencies: new Map(counts(fields.required("emergencies"))),
    spent: units("spent"),
    held: units("held"),
    received: units("received"),
    given: units("given"),
    ...(parent === undefined ? {} : { parent }),
    ...(typeof key === "string" ? { key } : {}),
  };
}
