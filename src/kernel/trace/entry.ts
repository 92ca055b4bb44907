/**
 * Entries of the trace: everything that was decided, in one canonical text, and the hash of all of it. An entry holds
 * the hash of the one before, so none can be changed, removed or inserted without changing every later one.
 * Part of what must be trusted.
 */
import type { Value } from "../../ir/index.ts";
import { actionText } from "../core/action.ts";
import { amountsText, budgetAt, inOrder } from "../core/budget.ts";
import { bodyOf, type Command } from "../core/command.ts";
import type { Decision } from "../core/decision.ts";
import { type FormNumber, newestForm } from "../core/form.ts";
import type { Check } from "../core/invariant.ts";
import { keyOf, localPrincipal, noUse } from "../core/principal.ts";
import { reservationReceipt, stepReceipt } from "../core/receipt.ts";
import { withReservation } from "../core/reserve.ts";
import { type KernelState, rootOf, successor } from "../core/state.ts";
import { sha256 } from "../digest.ts";
import { refuse } from "../problem.ts";
import type { KeyObject } from "../signature.ts";
import { unicodeVersion } from "../tables.ts";
import { get, set } from "../trie.ts";
import { argText } from "../values/args.ts";
import { canonicalText, textOf } from "../values/canonical.ts";
import { amountText } from "../values/units.ts";
import { holdsDigest, stateDigest } from "./state-digest.ts";

export interface Entry extends Sealed {
  readonly seq: number;
  /** The canonical text that the hash is of. */
  readonly text: string;
  /** For what was allowed and can be rolled back, settled or released. */
  readonly receipt?: string;
}

/** The bytes of an entry's text in UTF-8, and their hash. */
export interface Sealed {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

export interface Step {
  readonly state: KernelState;
  readonly entry: Entry;
  /** The state before, if the entry holds the digest of it. */
  readonly vouched?: KernelState;
}

const encoder = new TextEncoder();

export function sealText(text: string): Sealed {
  const bytes = encoder.encode(text);
  return { hash: sha256(bytes), bytes };
}

/**
 * Serialization form of an entry. Replay writes an entry in its own form: with the Unicode version that it names, and
 * in the first form with its recorded sentences.
 */
export type Form =
  | { readonly v: Exclude<FormNumber, 1>; readonly unicode: string }
  | { readonly v: 1; readonly checks: (checks: readonly Check[]) => string };

export const newest: Form = { v: newestForm, unicode: unicodeVersion };

/**
 * Keeps a decision: the next state and the entry, both or, if this throws, neither. The writer is an input like the time:
 * a name that is given once, so that no two entries are equal, even for the same decision at the same moment.
 * Replay has the bytes and hash of an entry already, and `sealed` returns them if the text is the same.
 */
export function seal(
  state: KernelState,
  decision: Decision,
  writer: string,
  sealed: (text: string) => Sealed = sealText,
  form: Form = newest,
  mark: Mark = unmarked,
): Step {
  const next = withFolded(decision.next(), decision, mark);
  const seq = state.seq + 1;
  const by = decision.by ?? localPrincipal;
  const plain = entryText(state, next, decision, seq, writer, form, mark);
  const key = form.v >= 4 ? keyOf(state, by) : undefined;
  const text =
    key === undefined
      ? plain
      : entryText(state, next, decision, seq, writer, form, mark, mark.sign(plain, key, by));
  const { hash, bytes } = sealed(text);
  const step = stepOf(state, next, decision, { seq, hash, text, bytes }, form.v);
  return hasDigest(seq, form) ? { ...step, vouched: state } : step;
}

/** Inputs of an entry that no decision rests on. */
export interface Mark {
  /** Refusals of the principal since its last entry that were told and not recorded. */
  readonly folded: number;
  /** Signs the text, or gives the signature that it has, if it is that of the key; throws `Refused`. */
  readonly sign: (text: string, key: KeyObject, principal: string) => string;
}

const unmarked: Mark = {
  folded: 0,
  sign: (_, __, principal) => refuse("key needed", { principal }),
};

function withFolded(next: KernelState, { by = localPrincipal }: Decision, { folded }: Mark): KernelState {
  if (folded === 0) return next;
  const use = get(next.principals, by) ?? noUse;
  return { ...next, principals: set(next.principals, by, { ...use, folded: use.folded + folded }) };
}

/** The step of an entry: the next state with what only the hash of the entry can give. */
function stepOf(
  state: KernelState,
  next: KernelState,
  decision: Decision,
  entry: Entry,
  form: FormNumber,
): Step {
  const { seq, hash } = entry;
  const record = decision.record?.(hash);
  if (record !== undefined) {
    const { version } = record;
    const keeps = state.policy.undoSteps > 0;
    const records = keeps ? set(next.records, String(version), record) : next.records;
    const after = successor(next, { seq, head: hash, form, records });
    if (record.status !== "open") return { state: after, entry };
    return { state: after, entry: { ...entry, receipt: stepReceipt(version, hash) } };
  }
  const after = successor(next, { seq, head: hash, form });
  if (decision.reservation === undefined) return { state: after, entry };
  const receipt = reservationReceipt(seq, hash);
  return {
    state: withReservation(after, { ...decision.reservation, receipt }),
    entry: { ...entry, receipt },
  };
}

/** True if tables of Unicode decide rules that differ between processes. */
function restsOnTables({ policy }: KernelState, { v }: Form): boolean {
  return v < 4 ? policy.restsOnTables : policy.restsOnNode;
}

function hasDigest(seq: number, { v }: Form): boolean {
  return v >= 3 && holdsDigest(seq);
}

/** The first entry: the policy and the state that everything starts from. */
export function openingText(
  state: KernelState,
  time: number,
  initial: Value,
  form: Form = newest,
  by: string = localPrincipal,
): string {
  const command = canonicalText(initial);
  const root = rootOf(state.data);
  return objectText({
    budgets: budgetsText(state, time),
    checks: "[]",
    command,
    cost: "{}",
    digest: textOf(sha256(command)),
    kernel: textOf(state.name),
    kind: textOf("open"),
    policy: textOf(state.policy.digest),
    prev: textOf(""),
    ...(form.v >= 4 ? { principal: textOf(by) } : {}),
    root: `{"after":${textOf(root)},"before":${textOf(root)}}`,
    seq: "1",
    time: String(time),
    ...(restsOnTables(state, form) && form.v !== 1 ? { unicode: textOf(form.unicode) } : {}),
    v: String(form.v),
    verdict: textOf("allowed"),
    version: `{"after":0,"before":0}`,
  });
}

function entryText(
  state: KernelState,
  next: KernelState,
  decision: Decision,
  seq: number,
  writer: string,
  form: Form,
  { folded }: Mark,
  signature?: string,
): string {
  const { by = localPrincipal, checks, clock, cost, kind, result, time, verdict } = decision;
  const command = commandText(decision.command);
  const named = form.v >= 4;
  // As `objectText` would, written straight down: this is what a step costs most. Digests need no escapes.
  return (
    `{"budgets":${budgetsText(next, time)},"checks":${form.v === 1 ? form.checks(checks) : checksText(checks)},${named && clock !== undefined ? `"clock":${clock},` : ""}"command":${command},` +
    `"cost":${amountsText(cost, state.policy.budgets)},"digest":"${sha256(command)}",${folded === 0 ? "" : `"folded":${folded},`}"kernel":${textOf(state.name)},` +
    `"kind":"${kind}","policy":"${next.policy.digest}","prev":"${state.head}",${named ? `"principal":${textOf(by)},` : ""}` +
    `${result === undefined ? "" : `"result":${canonicalText(result)},`}` +
    `"root":{"after":"${rootOf(next.data)}","before":"${rootOf(state.data)}"},"seq":${seq},` +
    `${signature === undefined ? "" : `"signature":"${signature}",`}` +
    `${hasDigest(seq, form) ? `"state":"${stateDigest(state, form.v)}",` : ""}"time":${time},` +
    `${restsOnTables(state, form) && form.v !== 1 ? `"unicode":${textOf(form.unicode)},` : ""}"v":${form.v},` +
    `"verdict":"${verdict}","version":{"after":${next.version},"before":${state.version}},"writer":${textOf(writer)}}`
  );
}

/** Returns the serialized parts of the resulting state that an entry records. */
export function resultTexts(state: KernelState): readonly string[] {
  const { name, policy, seq, time, data, version } = state;
  const [root, budgets] = [textOf(rootOf(data)), budgetsText(state, time)];
  return [textOf(name), textOf(policy.digest), String(seq), String(time), root, String(version), budgets];
}

/** The names are given in the order of the alphabet, which makes the text canonical. */
export function objectText(fields: Readonly<Record<string, string>>): string {
  let text = "";
  for (const name in fields) text += `${text === "" ? "{" : ","}"${name}":${fields[name]}`;
  return `${text}}`;
}

function commandText(command: Command): string {
  if (command.kind === "execute" && command.attestations === undefined)
    return `{"action":${actionText(command.action)}}`;
  return canonicalText(bodyOf(command));
}

function checksText(checks: readonly Check[]): string {
  let text = "";
  for (const check of checks) text += text === "" ? checkText(check) : `,${checkText(check)}`;
  return `[${text}]`;
}

const checkTexts = new WeakMap<Check, string>();

function checkText(check: Check): string {
  const known = checkTexts.get(check);
  if (known !== undefined) return known;
  const { args, code, monitoring, reason, result } = check;
  // Most checks pass, and a name says that as well.
  if (result === "ok") {
    const name = textOf(check.check);
    checkTexts.set(check, name);
    return name;
  }
  const text = objectText({
    ...(args === undefined ? {} : { args: argText(args) }),
    check: textOf(check.check),
    ...(code === undefined ? {} : { code: textOf(code) }),
    ...(monitoring === undefined ? {} : { monitoring: "true" }),
    ...(reason === undefined ? {} : { reason: textOf(reason) }),
    result: textOf(result),
  });
  checkTexts.set(check, text);
  return text;
}

function budgetsText(state: KernelState, time: number): string {
  let text = "";
  for (const { at, name, policy } of inOrder(state.policy.budgets)) {
    const budget = state.budgets[at];
    if (budget === undefined) throw new TypeError("a budget without its policy");
    const { gross, refunded, reserved, spent } = budgetAt(budget, policy, time);
    const { quantum } = policy;
    const all = amountText(gross, quantum);
    // Mostly nothing was given back and no window has ended, and then it is the same amount three times.
    const net = refunded === 0n ? all : amountText(gross - refunded, quantum);
    const now = spent === gross ? all : amountText(spent, quantum);
    const held = amountText(reserved, quantum);
    text += `${text === "" ? "" : ","}${name}:{"gross":"${all}","net":"${net}","reserved":"${held}","spent":"${now}"}`;
  }
  return `{${text}}`;
}
