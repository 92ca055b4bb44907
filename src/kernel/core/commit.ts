/** Shared steps of committing a decision. Part of what must be trusted. */
import { get, remove, set } from "../trie.ts";
import type { Action } from "./action.ts";
import { budgetAt, type Charges, spend, windowAt } from "./budget.ts";
import type { Data } from "./effects.ts";
import type { Policy } from "./policy.ts";
import { localPrincipal } from "./principal.ts";
import type { KernelState, StepRecord } from "./state.ts";

/** The next version of the data. */
export function change(state: KernelState, data: Data): Pick<KernelState, "data" | "version" | "records"> {
  const version = state.version + 1;
  const records = remove(state.records, String(version - state.policy.undoSteps));
  return { data, version, records };
}

/** One more step: it counts towards the limit, the time windows and the calls of its tool. */
export function countStep(
  state: KernelState,
  { tool }: Action,
  time: number,
): Pick<KernelState, "steps" | "times" | "calls"> {
  const { windowSteps } = state.policy;
  const steps = state.steps + 1;
  const times =
    windowSteps === 0
      ? state.times
      : remove(set(state.times, String(steps), time), String(steps - windowSteps));
  const calls = tool === undefined ? state.calls : set(state.calls, tool, (get(state.calls, tool) ?? 0) + 1);
  return { steps, times, calls };
}

export function spendAll(state: KernelState, charges: Charges, time: number): KernelState["budgets"] {
  return updateBudgets(state, time, (budget, i) => spend(budget, charges[i] ?? 0n));
}

export function updateBudgets(
  state: KernelState,
  time: number,
  update: (budget: KernelState["budgets"][number], i: number) => KernelState["budgets"][number],
): KernelState["budgets"] {
  return state.budgets.map((budget, i) => {
    const policy = state.policy.budgets[i];
    if (policy === undefined) throw new TypeError("a budget without its policy");
    return update(budgetAt(budget, policy, time), i);
  });
}

export function recordOf(
  state: KernelState,
  action: Action,
  charges: Charges,
  time: number,
  hash: string,
  by: string = localPrincipal,
): StepRecord {
  const record = {
    ...(by === localPrincipal ? {} : { by }),
    version: state.version + 1,
    hash,
    before: action.writes.map((key): StepRecord["before"][number] => [key, get(state.data, key)]),
    charges,
    windows: windowsAt(state.policy, time),
    status: "open",
  } as const;
  return action.undo === undefined ? record : { ...record, undo: action.undo };
}

/** Returns the record of a change that cannot be rolled back and blocks the rollback of earlier steps. */
export function finalRecord(state: KernelState, keys: readonly string[], hash: string): StepRecord {
  return {
    version: state.version + 1,
    hash,
    before: keys.map((key) => [key, get(state.data, key)]),
    charges: [],
    windows: [],
    status: "final",
  };
}

function windowsAt(policy: Policy, time: number): readonly number[] {
  return policy.budgets.map((budget) => windowAt(budget, time));
}
