/**
 * Entries of the trace: everything that was decided, in one canonical text, and the hash of all of it. An entry holds
 * the hash of the one before, so none can be changed, left out or put in without changing every later one.
 * Part of what must be trusted.
 */
import type { Value } from "../../ir/value.ts";
import { actionText } from "../core/action.ts";
import { type BudgetPolicy, budgetAt } from "../core/budget.ts";
import { bodyOf, type Command } from "../core/command.ts";
import type { Decision } from "../core/decision.ts";
import type { Check } from "../core/invariant.ts";
import { reservationReceipt, stepReceipt } from "../core/receipt.ts";
import { withReservation } from "../core/reserve.ts";
import { type KernelState, rootOf } from "../core/state.ts";
import { sha256 } from "../digest.ts";
import { set } from "../trie.ts";
import { canonicalText, textOf } from "../values/canonical.ts";
import { amountText } from "../values/units.ts";

export interface Entry {
  readonly seq: number;
  readonly hash: string;
  /** The canonical text that the hash is of. */
  readonly text: string;
  /** For what was allowed and can be rolled back, settled or released. */
  readonly receipt?: string;
}

export interface Step {
  readonly state: KernelState;
  readonly entry: Entry;
}

/**
 * Keeps a decision: the next state and the entry, both or, if this throws, neither. The writer is an input like the time:
 * a name that is given once, so that no two entries are equal, whoever decided the same at the same moment.
 */
export function seal(state: KernelState, decision: Decision, writer: string): Step {
  const next = decision.next();
  const seq = state.seq + 1;
  const text = entryText(state, next, decision, seq, writer);
  const hash = sha256(text);
  const sealed = { ...next, seq, head: hash };
  const { reservation } = decision;
  const record = decision.record?.();
  if (record !== undefined) {
    const receipt = stepReceipt(record.version, hash);
    const keeps = state.policy.undoSteps > 0;
    const records = keeps ? set(sealed.records, String(record.version), { ...record, hash }) : sealed.records;
    const isOpen = record.status === "open";
    return { state: { ...sealed, records }, entry: { seq, hash, text, ...(isOpen ? { receipt } : {}) } };
  }
  if (reservation !== undefined) {
    const receipt = reservationReceipt(seq, hash);
    return {
      state: withReservation(sealed, { ...reservation, receipt }),
      entry: { seq, hash, text, receipt },
    };
  }
  return { state: sealed, entry: { seq, hash, text } };
}

/** The first entry: the policy and the state that everything starts from. */
export function openingText(state: KernelState, time: number, initial: Value): string {
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
    root: `{"after":${textOf(root)},"before":${textOf(root)}}`,
    seq: "1",
    time: String(time),
    v: "1",
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
): string {
  const command = commandText(decision.command);
  const { result } = decision;
  return objectText({
    budgets: budgetsText(next, decision.time),
    checks: `[${decision.checks.map(checkText).join(",")}]`,
    command,
    cost: amountsText(state, decision.cost),
    digest: textOf(sha256(command)),
    kernel: textOf(state.name),
    kind: textOf(decision.kind),
    policy: textOf(state.policy.digest),
    prev: textOf(state.head),
    ...(result === undefined ? {} : { result: canonicalText(result) }),
    root: `{"after":${textOf(rootOf(next.data))},"before":${textOf(rootOf(state.data))}}`,
    seq: String(seq),
    time: String(decision.time),
    v: "1",
    verdict: textOf(decision.verdict),
    version: `{"after":${next.version},"before":${state.version}}`,
    writer: textOf(writer),
  });
}

/** What an entry says of the state that it leads to, each part as it is written there. */
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
  if (command.kind === "execute") return `{"action":${actionText(command.action)}}`;
  return canonicalText(bodyOf(command));
}

const checkTexts = new WeakMap<Check, string>();

function checkText(check: Check): string {
  const known = checkTexts.get(check);
  if (known !== undefined) return known;
  const { code, message, monitoring, result } = check;
  // Most checks pass, and a name says that as well.
  if (result === "ok") {
    const name = textOf(check.check);
    checkTexts.set(check, name);
    return name;
  }
  const text = objectText({
    check: textOf(check.check),
    ...(code === undefined ? {} : { code: textOf(code) }),
    ...(message === undefined ? {} : { message: textOf(message) }),
    ...(monitoring === undefined ? {} : { monitoring: "true" }),
    result: textOf(result),
  });
  checkTexts.set(check, text);
  return text;
}

/** Positions of the budgets in the order of their names. */
const orders = new WeakMap<readonly BudgetPolicy[], readonly number[]>();

function orderOf(budgets: readonly BudgetPolicy[]): readonly number[] {
  let order = orders.get(budgets);
  if (order === undefined) {
    const nameAt = (i: number) => budgets[i]?.name ?? "";
    order = budgets.map((_, i) => i).sort((a, b) => (nameAt(a) < nameAt(b) ? -1 : 1));
    orders.set(budgets, order);
  }
  return order;
}

function amountsText(state: KernelState, units: readonly bigint[]): string {
  const { budgets } = state.policy;
  const parts = orderOf(budgets).flatMap((i) => {
    const budget = budgets[i];
    if (budget === undefined) return [];
    return [`${textOf(budget.name)}:"${amountText(units[i] ?? 0n, budget.quantum)}"`];
  });
  return `{${parts.join(",")}}`;
}

function budgetsText(state: KernelState, time: number): string {
  const { budgets } = state.policy;
  const parts = orderOf(budgets).flatMap((i) => {
    const [policy, budget] = [budgets[i], state.budgets[i]];
    if (policy === undefined || budget === undefined) return [];
    const { gross, refunded, reserved, spent } = budgetAt(budget, policy, time);
    const text = (units: bigint) => `"${amountText(units, policy.quantum)}"`;
    return [
      `${textOf(policy.name)}:{"gross":${text(gross)},"net":${text(gross - refunded)},"reserved":${text(reserved)},"spent":${text(spent)}}`,
    ];
  });
  return `{${parts.join(",")}}`;
}
