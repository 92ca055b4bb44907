/** History of steps, as invariants see it. Part of what must be trusted. */
import { multiply, type Num } from "../../ir/index.ts";
import { get, type Trie } from "../trie.ts";
import type { KernelState } from "./state.ts";

export interface History {
  readonly steps: number;
  readonly refusals: number;
  readonly rollbacks: number;
  readonly emergencies: number;
  /** All that was ever spent of each budget. */
  readonly spent: readonly (readonly [string, Num])[];
  /** Steps of each tool. */
  readonly calls: Trie<number>;
}

export function historyOf(state: KernelState): History {
  const { steps, refusals, rollbacks, emergencies, calls, policy } = state;
  const spent = policy.budgets.map(({ name, quantum }, i): readonly [string, Num] => [
    name,
    multiply(state.budgets[i]?.gross ?? 0n, quantum.size),
  ]);
  return { steps, refusals, rollbacks, emergencies: emergencyCount(emergencies), spent, calls };
}

function emergencyCount(emergencies: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of emergencies.values()) sum += count;
  return sum;
}

/** Returns a lookup of step times, counted back from the last step. */
export function stepTimeOf(state: KernelState): (back: number) => number | undefined {
  return (back) => get(state.times, String(state.steps - back));
}
