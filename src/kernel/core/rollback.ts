/**
 * Rollback of a committed step, or of all steps between two, by receipt: exact, once, with the amounts of the log, and
 * refused when a later step depends on it. It is an entry of its own and gives no steps back.
 * Part of what must be trusted.
 */
import { list, record, type Value } from "../../ir/index.ts";
import { decoded } from "../problem.ts";
import { get, remove, set } from "../trie.ts";
import { checkSize } from "../values/decode.ts";
import { refund } from "./budget.ts";
import type { Command } from "./command.ts";
import { change, updateBudgets } from "./commit.ts";
import { type Decision, noCharges, refusal } from "./decision.ts";
import type { Data } from "./effects.ts";
import { type Check, passing, violated } from "./invariant.ts";
import { checkHeld, pushInvariants, stopsNothing } from "./judge.ts";
import { changedUse, isItsOwn, localPrincipal, minus } from "./principal.ts";
import { readReceipt } from "./receipt.ts";
import { type KernelState, type StepRecord, successor } from "./state.ts";

const passes = { receipt: passing("receipt"), dependent: passing("dependent") };

export function rollback(
  state: KernelState,
  command: Command & { kind: "rollback" },
  time: number,
  by: string,
): Decision {
  const steps = stepsBetween(state, command.from, command.to);
  if (!Array.isArray(steps)) return refusal(state, command, [steps], time);
  const undo = list(steps.flatMap((step): Value[] => (step.undo === undefined ? [] : [step.undo])));
  if (!fits(undo)) return refusal(state, command, [tooMuch], time);
  const after = restored(state.data, steps);
  const keys = new Set(steps.flatMap(({ before }) => before.map(([key]) => key)));
  const checks: Check[] = [passes.receipt, checkLater(state, steps, keys), checkHeld(state, keys, time)];
  const foreign = steps.find((step) => !isItsOwn(state, by, ownerOf(step)));
  if (foreign !== undefined)
    checks.push(
      violated("principal", "of another principal", { receipt: command.from, owner: ownerOf(foreign) }),
    );
  pushInvariants(checks, state, "other", undefined, after, time);
  if (!checks.every(stopsNothing)) return refusal(state, command, checks, time);
  return {
    command,
    kind: "rollback",
    verdict: "allowed",
    checks,
    time,
    cost: noCharges(state),
    next: () => {
      const changed = change(state, after);
      let { records } = changed;
      for (const step of steps) {
        if (get(records, String(step.version)) !== undefined) {
          records = set(records, String(step.version), { ...step, status: "undone" });
        }
      }
      const budgets = updateBudgets(state, time, (budget, i) =>
        steps.reduce((sum, { charges, windows }) => refund(sum, charges[i] ?? 0n, windows[i] ?? 0), budget),
      );
      let { principals } = state;
      for (const step of steps)
        principals = changedUse(
          state,
          ownerOf(step),
          (use) => ({ ...use, spent: minus(use.spent, step.charges) }),
          principals,
        );
      const rollbacks = state.rollbacks + 1;
      return successor(state, { ...changed, records, time, rollbacks, budgets, principals });
    },
    result: record([["undo", undo]]),
  };
}

function ownerOf({ by = localPrincipal }: StepRecord): string {
  return by;
}

const tooMuch = violated("receipt", "too much to make up for");

function fits(undo: Value): boolean {
  return decoded(() => checkSize(undo)).ok;
}

/** Returns the steps to undo, newest first; a range skips those that were undone before. */
function stepsBetween(state: KernelState, from: string, to: string): StepRecord[] | Check {
  const [first, last] = [stepOf(state, from), stepOf(state, to)];
  if ("check" in first) return first;
  if ("check" in last) return last;
  if (last.version < first.version) return violated("receipt", "range ends first");
  const steps: StepRecord[] = [];
  for (let version = last.version; version >= first.version; version--) {
    const step = get(state.records, String(version));
    if (step === undefined || step.status === "undone") continue;
    if (step.status === "final") {
      return violated("receipt", "no action made it", { version });
    }
    steps.push(step);
  }
  return steps;
}

function stepOf(state: KernelState, receipt: string): StepRecord | Check {
  const read = readReceipt(receipt);
  const step = read?.kind === "step" ? get(state.records, String(read.number)) : undefined;
  if (step === undefined || step.hash !== read?.hash) {
    return violated("receipt", "no such step", { receipt });
  }
  if (step.status === "undone") return violated("receipt", "rolled back already", { receipt });
  if (step.status === "final") return violated("receipt", "cannot be rolled back", { receipt });
  return step;
}

function checkLater(state: KernelState, steps: readonly StepRecord[], keys: ReadonlySet<string>): Check {
  const newest = steps[0]?.version ?? state.version;
  for (let version = newest + 1; version <= state.version; version++) {
    const later = get(state.records, String(version));
    if (later === undefined || later.status === "undone") continue;
    const shared = later.before.find(([key]) => keys.has(key));
    if (shared !== undefined) {
      return violated("dependent", "written later", { version, key: shared[0] });
    }
  }
  return passes.dependent;
}

function restored(data: Data, steps: readonly StepRecord[]): Data {
  let after = data;
  for (const { before } of steps) {
    for (const [key, value] of before)
      after = value === undefined ? remove(after, key) : set(after, key, value);
  }
  return after;
}
