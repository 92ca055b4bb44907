/**
 * Changes of the policy of a living kernel, as a command of an operator. What was decided stays decided: budgets keep
 * their place, and no limit falls below what is spent or held, so that T1 holds of every policy that a kernel has had.
 * Part of what must be trusted.
 */
import { compare } from "../../ir/index.ts";
import { set } from "../trie.ts";
import { amountText } from "../values/units.ts";
import { type BudgetPolicy, budgetAt, newBudget } from "./budget.ts";
import type { Amend } from "./command.ts";
import { updateBudgets } from "./commit.ts";
import { type Decision, refusal } from "./decision.ts";
import { historyOf, stepTimeOf } from "./history.ts";
import { type Check, judge, passing, violated } from "./invariant.ts";
import { pushInvariants, stopsNothing } from "./judge.ts";
import { unchanged } from "./operator.ts";
import type { Policy } from "./policy.ts";
import { type KernelState, successor } from "./state.ts";

const passes = { version: passing("version"), budgets: passing("budgets") };

export function amend(state: KernelState, command: Amend, time: number): Decision {
  const { policy, replaces } = command;
  const checks: Check[] = [
    replaces === state.policy.digest ? passes.version : violated("version", "replaces another policy"),
    checkBudgets(state, policy, time),
    ...invariantChecks(state, policy, time),
    ...emergencyChecks(state, policy, time),
  ];
  if (policy.undoSteps !== state.policy.undoSteps) checks.push(violated("undo-steps", "undo steps stay"));
  if (!checks.every(stopsNothing)) return refusal(state, command, checks, time);
  return {
    ...unchanged(state, command, checks, time),
    next: () => {
      const kept = updateBudgets(state, time, (budget) => budget);
      const budgets = policy.budgets.map((_, i) => kept[i] ?? newBudget);
      return successor(state, { time, policy, budgets });
    },
  };
}

function checkBudgets(state: KernelState, policy: Policy, time: number): Check {
  for (const [i, before] of state.policy.budgets.entries()) {
    const after = policy.budgets[i];
    const budget = state.budgets[i];
    if (after === undefined || budget === undefined || !isSameBudget(before, after))
      return violated("budgets", "budget stays", { budget: before.name });
    const { spent, reserved, gross } = budgetAt(budget, before, time);
    const over =
      spent + reserved > after.limit || (after.maxGross !== undefined && gross + reserved > after.maxGross);
    if (over) {
      const text = amountText(spent + reserved, before.quantum);
      return violated("budgets", "spent already", { budget: before.name, spent: text });
    }
  }
  return passes.budgets;
}

function isSameBudget(a: BudgetPolicy, b: BudgetPolicy): boolean {
  return (
    a.name === b.name &&
    compare(a.quantum.size, b.quantum.size) === 0 &&
    a.windowMs === b.windowMs &&
    a.around.join() === b.around.join()
  );
}

/** The state must satisfy the new rules as the first state satisfied the first ones. */
function invariantChecks(state: KernelState, policy: Policy, time: number): Check[] {
  const { data } = state;
  const clock = { time, stepTime: stepTimeOf(state) };
  return policy.invariants.map((one) => {
    const scene = { before: data, after: data, action: undefined, clock, history: () => historyOf(state) };
    return judge(one, { kind: "initial", ...scene });
  });
}

/** T8 would be a lie if the first thing an emergency action meets is a new rule against it. */
function emergencyChecks(state: KernelState, policy: Policy, time: number): Check[] {
  const broken: Check[] = [];
  for (const { id, effects, cap } of policy.emergencies.values()) {
    if (cap === 0) continue;
    const after = effects.reduce((data, { key, value = null }) => set(data, key, value), state.data);
    const checks: Check[] = [];
    pushInvariants(checks, { ...state, policy }, "emergency", undefined, after, time);
    if (!checks.every(stopsNothing)) broken.push(violated("emergency", "emergency breaks a rule", { id }));
  }
  return broken;
}
