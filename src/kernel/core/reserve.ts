/**
 * Real effects take two phases. A reservation holds the charge and the keys; settling it spends what it really cost
 * and changes the state; releasing it gives everything back. One without an outcome is in doubt and stays.
 * Part of what must be trusted.
 */
import { record } from "../../ir/index.ts";
import { sha256 } from "../digest.ts";
import { limits } from "../limits.ts";
import { get, remove, set, type Trie } from "../trie.ts";
import { type Action, actionIdentity } from "./action.ts";
import { hold, spend, unhold } from "./budget.ts";
import type { Command, Settle } from "./command.ts";
import { change, countStep, recordOf, updateBudgets } from "./commit.ts";
import { type Decision, noCharges, refusal } from "./decision.ts";
import { type Check, passing, violated } from "./invariant.ts";
import { checkHeld, judgeAction, pushInvariants, stopsNothing, tryEffects } from "./judge.ts";
import { changedUse, isItsOwn, localPrincipal, minus, plus, useOf } from "./principal.ts";
import { readReceipt } from "./receipt.ts";
import { type KernelState, type KeyUse, type Reservation, successor } from "./state.ts";

const passes = {
  key: passing("idempotency-key"),
  pending: passing("pending"),
  receipt: passing("receipt"),
  cost: passing("cost"),
  emergency: passing("emergency"),
};

export function reserve(
  state: KernelState,
  command: Command & { kind: "reserve" },
  time: number,
  by: string,
): Decision {
  const { action, key } = command;
  const use = key === undefined ? undefined : get(state.keys, key);
  const same = use !== undefined && use.digest === digestOf(action);
  if (same && use.status === "settled") return repeated(state, command, use, time);
  const judged = judgeAction(state, action, time, by);
  const leaseMs = command.leaseMs ?? state.policy.leaseMs;
  const checks: Check[] = [
    checkKey(state, use, same, key),
    checkPending(state, by),
    checkOrdinary(state, action),
    ...judged.checks,
  ];
  if (!checks.every(stopsNothing)) return refusal(state, command, checks, time);
  const seq = state.seq + 1;
  return {
    command,
    kind: "reserve",
    verdict: "allowed",
    checks,
    time,
    cost: action.charges,
    next: () => {
      const { steps, times, calls } = countStep(state, action, time);
      const budgets = updateBudgets(state, time, (budget, i) => hold(budget, action.charges[i] ?? 0n));
      const principals = changedUse(state, by, (use) => ({
        ...use,
        steps: use.steps + 1,
        pending: use.pending + 1,
        held: plus(use.held, action.charges),
      }));
      return successor(state, { time, steps, times, calls, budgets, principals });
    },
    reservation: {
      seq,
      action,
      time,
      ...(key === undefined ? {} : { key }),
      ...(by === localPrincipal ? {} : { by }),
      ...(leaseMs === undefined ? {} : { until: time + leaseMs }),
    },
  };
}

/** Settled before under the same key: it is not done again, and costs nothing. */
function repeated(state: KernelState, command: Command, use: KeyUse, time: number): Decision {
  return {
    command,
    kind: command.kind,
    verdict: "allowed",
    checks: [passes.key],
    time,
    cost: noCharges(state),
    next: () => successor(state, { time }),
    result: record([["repeats", use.receipt]]),
  };
}

export function settle(state: KernelState, command: Settle, time: number, by: string): Decision {
  const found = pendingOf(state, command.receipt);
  if (found === undefined) return refusal(state, command, [unknownReceipt(command.receipt)], time);
  const owner = ownerOf(found);
  if (!isItsOwn(state, by, owner)) return refusal(state, command, [notItsOwn(found)], time);
  const { action } = found;
  const charges = command.charges ?? action.charges;
  const tooMuch = charges.some((units, i) => units > (action.charges[i] ?? 0n));
  const checks: Check[] = [passes.receipt, tooMuch ? violated("cost", "over the reservation") : passes.cost];
  let after: KernelState["data"] | undefined = state.data;
  if (!command.drop) {
    const tried = tryEffects(state.data, action);
    after = tried.after;
    checks.push(tried.check);
    // Another one may hold its keys once its lease is over.
    const lost = action.writes.filter((one) => get(state.held, one) !== found.receipt);
    if (lost.length > 0) checks.push(checkHeld(state, lost, time));
    pushInvariants(checks, state, "other", action, after, time);
  }
  if (after === undefined || !checks.every(stopsNothing)) return refusal(state, command, checks, time);
  const data = after;
  return {
    command,
    kind: "settle",
    verdict: "allowed",
    checks,
    time,
    cost: charges,
    next: () => {
      const { version, records } = change(state, data);
      const { pending, held, keys } = outcome(state, found, "settled");
      const budgets = updateBudgets(state, time, (budget, i) =>
        spend(unhold(budget, action.charges[i] ?? 0n), charges[i] ?? 0n),
      );
      const principals = changedUse(state, owner, (use) => ({
        ...use,
        pending: use.pending - 1,
        held: minus(use.held, action.charges),
        spent: plus(use.spent, charges),
      }));
      return successor(state, { time, data, version, records, pending, held, keys, budgets, principals });
    },
    record: (hash) => {
      const made = recordOf(state, action, charges, time, hash, owner);
      return command.drop ? { ...made, before: [] } : made;
    },
  };
}

export function release(
  state: KernelState,
  command: Command & { kind: "release" },
  time: number,
  by: string,
): Decision {
  const found = pendingOf(state, command.receipt);
  if (found === undefined) return refusal(state, command, [unknownReceipt(command.receipt)], time);
  const owner = ownerOf(found);
  if (!isItsOwn(state, by, owner)) return refusal(state, command, [notItsOwn(found)], time);
  return {
    command,
    kind: "release",
    verdict: "allowed",
    checks: [passes.receipt],
    time,
    cost: noCharges(state),
    next: () => {
      const { pending, held, keys } = outcome(state, found, "released");
      const budgets = updateBudgets(state, time, (budget, i) =>
        unhold(budget, found.action.charges[i] ?? 0n),
      );
      const principals = changedUse(state, owner, (use) => ({
        ...use,
        pending: use.pending - 1,
        held: minus(use.held, found.action.charges),
      }));
      return successor(state, { time, pending, held, keys, budgets, principals });
    },
  };
}

/** Prolongs a lease from now on; one that is over can be renewed while nobody else holds its keys. */
export function renew(
  state: KernelState,
  command: Command & { kind: "renew" },
  time: number,
  by: string,
): Decision {
  const found = pendingOf(state, command.receipt);
  if (found === undefined) return refusal(state, command, [unknownReceipt(command.receipt)], time);
  if (!isItsOwn(state, by, ownerOf(found))) return refusal(state, command, [notItsOwn(found)], time);
  const { receipt, until } = found;
  if (until === undefined)
    return refusal(state, command, [violated("receipt", "no lease", { receipt })], time);
  const others = found.action.writes.filter((key) => get(state.held, key) !== receipt);
  const checks = [passes.receipt, checkHeld(state, others, time)];
  if (!checks.every(stopsNothing)) return refusal(state, command, checks, time);
  return {
    command,
    kind: "renew",
    verdict: "allowed",
    checks,
    time,
    cost: noCharges(state),
    next: () => {
      let { held } = state;
      for (const key of found.action.writes) held = set(held, key, receipt);
      const renewed = { ...found, until: time + command.leaseMs };
      return successor(state, { time, held, pending: set(state.pending, String(found.seq), renewed) });
    },
  };
}

function ownerOf({ by = localPrincipal }: Reservation): string {
  return by;
}

function notItsOwn(found: Reservation): Check {
  return violated("principal", "of another principal", { receipt: found.receipt, owner: ownerOf(found) });
}

/** Puts a reservation, whose receipt is known now, among those without an outcome. */
export function withReservation(state: KernelState, reservation: Reservation): KernelState {
  const { action, key, receipt, seq } = reservation;
  let held = state.held;
  for (const one of action.writes) held = set(held, one, receipt);
  const pending = set(state.pending, String(seq), reservation);
  if (key === undefined) return successor(state, { held, pending });
  const use: KeyUse = { digest: digestOf(action), status: "pending", receipt };
  return successor(state, { held, pending, keys: set(state.keys, key, use) });
}

function outcome(
  state: KernelState,
  { seq, action, key, receipt }: Reservation,
  status: "settled" | "released",
): Pick<KernelState, "pending" | "held" | "keys"> {
  let held: Trie<string> = state.held;
  for (const one of action.writes) if (get(held, one) === receipt) held = remove(held, one);
  const keys =
    key === undefined ? state.keys : set(state.keys, key, { digest: digestOf(action), status, receipt });
  return { pending: remove(state.pending, String(seq)), held, keys };
}

function pendingOf(state: KernelState, receipt: string): Reservation | undefined {
  const read = readReceipt(receipt);
  if (read?.kind !== "reservation") return undefined;
  const found = get(state.pending, String(read.number));
  return found?.receipt === receipt ? found : undefined;
}

function checkKey(
  state: KernelState,
  use: KeyUse | undefined,
  same: boolean,
  key: string | undefined,
): Check {
  if (key === undefined) return passes.key;
  if (use === undefined) {
    if (state.keys.size < limits.idempotencyKeys) return passes.key;
    return violated("idempotency-key", "too many idempotency keys", { most: limits.idempotencyKeys });
  }
  if (!same) return violated("idempotency-key", "key of another action", { key });
  if (use.status === "released") return passes.key;
  return violated("idempotency-key", "key in doubt", { key, receipt: use.receipt });
}

/** Declared principals have a quota each, so that nobody uses up that of the others. */
function checkPending(state: KernelState, by: string): Check {
  const declared = state.policy.principals;
  if (declared !== undefined) {
    const most = declared.get(by)?.reservations ?? childReservations;
    if (useOf(state, by).pending < most) return passes.pending;
    return violated("pending", "too many of its own reservations", { principal: by, most });
  }
  if (state.pending.size < limits.pending) return passes.pending;
  return violated("pending", "too many reservations", { most: limits.pending });
}

/** LIMIT: reservations of a principal that exists by delegation. */
const childReservations = 100;

function checkOrdinary(state: KernelState, { id }: Action): Check {
  if (!state.policy.emergencies.has(id)) return passes.emergency;
  return violated("emergency", "not to be reserved", { id });
}

function unknownReceipt(receipt: string): Check {
  return violated("receipt", "no such reservation", { receipt });
}

function digestOf(action: Action): string {
  return sha256(actionIdentity(action));
}
