/** Parts of the kernel's state as data, for snapshots and for the digest of the state. Part of what must be trusted. */
import { list, type Value } from "../../ir/index.ts";
import { actionBody } from "../core/action.ts";
import type { Budget } from "../core/budget.ts";
import { fieldsValue } from "../core/policy.ts";
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

export function recordValue({ version, hash, before, charges, windows, undo, status }: StepRecord): Value {
  return fieldsValue({
    before: list(before.map(([key, value]) => list(value === undefined ? [key] : [key, value]))),
    charges: list(charges.map(String)),
    hash,
    status,
    undo,
    version: BigInt(version),
    windows: list(windows.map(BigInt)),
  });
}

export function reservationValue({ seq, receipt, action, key, time }: Reservation): Value {
  return fieldsValue({ action: actionBody(action), key, receipt, seq: BigInt(seq), time: BigInt(time) });
}

export function useValue({ digest, status, receipt }: KeyUse): Value {
  return fieldsValue({ digest, status, receipt });
}
