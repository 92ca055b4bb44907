/** Parts of the kernel's state as data, for snapshots and for the digest of the state. Part of what must be trusted. */
import { list, record, type Value } from "../../ir/index.ts";
import { actionBody } from "../core/action.ts";
import type { Budget } from "../core/budget.ts";
import { fieldsValue } from "../core/policy.ts";
import type { PrincipalUse } from "../core/principal.ts";
import type { KeyUse, Reservation, StepRecord } from "../core/state.ts";

/** Sums have no bound, and numbers do; so they are texts. */
export function budgetValue({ gross, refunded, spent, reserved, window }: Budget): Value {
  return fieldsValue({
    gross: String(gross),
    refunded: String(refunded),
    reserved: String(reserved),
    spent: String(spent),
    window: BigInt(window),
  });
}

export function recordValue(one: StepRecord): Value {
  const { version, hash, before, charges, windows, undo, status, by } = one;
  return fieldsValue({
    by,
    before: list(before.map(([key, value]) => list(value === undefined ? [key] : [key, value]))),
    charges: list(charges.map(String)),
    hash,
    status,
    undo,
    version: BigInt(version),
    windows: list(windows.map(BigInt)),
  });
}

export function reservationValue({ seq, receipt, action, key, time, by, until }: Reservation): Value {
  return fieldsValue({
    action: actionBody(action),
    by,
    key,
    receipt,
    seq: BigInt(seq),
    time: BigInt(time),
    until: until === undefined ? undefined : BigInt(until),
  });
}

export function useOfPrincipal(use: PrincipalUse): Value {
  const { emergencies, spent, held, received, given, parent, key, ...counts } = use;
  return fieldsValue({
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, BigInt(count)])),
    emergencies: record(Array.from(emergencies, ([id, count]) => [id, BigInt(count)])),
    spent: list(spent.map(String)),
    held: list(held.map(String)),
    received: list(received.map(String)),
    given: list(given.map(String)),
    parent,
    key,
  });
}

export function useValue({ digest, status, receipt }: KeyUse): Value {
  return fieldsValue({ digest, status, receipt });
}
