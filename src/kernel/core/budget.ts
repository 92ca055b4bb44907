/**
 * Budgets: what was spent, given back and is held, in whole quanta. A charge on a budget is a charge on every budget
 * around it. One with a window starts afresh when the clock enters the next window.
 * INVARIANT (T1): spent in the window + held ≤ limit. INVARIANT (T4): `gross` never goes down.
 * Part of what must be trusted.
 */
import type { Part } from "../reasons.ts";
import { textOf } from "../values/canonical.ts";
import { amountText, type Quantum } from "../values/units.ts";

export interface BudgetPolicy {
  readonly name: string;
  /** A cost of it, in what problems speak of. */
  readonly costPart: Part;
  readonly limit: bigint;
  readonly quantum: Quantum;
  /** Positions of the budgets around this one, nearest first. */
  readonly around: readonly number[];
  readonly windowMs?: number;
  /** The least that a step must cost, 0 for none. */
  readonly minCost: bigint;
  /** The most that is ever spent, whatever is given back. */
  readonly maxGross?: bigint;
  /** Soft limit: spending beyond it is allowed, with a warning. */
  readonly warnAt?: bigint;
}

export interface Budget {
  /** All that was ever spent. */
  readonly gross: bigint;
  /** All that was ever given back. */
  readonly refunded: bigint;
  /** Spent and not given back, in this window. */
  readonly spent: bigint;
  /** Held by reservations. */
  readonly reserved: bigint;
  readonly window: number;
}

/** The cost of a step per budget, by position; includes enclosing budgets. */
export type Charges = readonly bigint[];

export const newBudget: Budget = Object.freeze({
  gross: 0n,
  refunded: 0n,
  spent: 0n,
  reserved: 0n,
  window: 0,
});

export function windowAt(policy: BudgetPolicy, time: number): number {
  return policy.windowMs === undefined ? 0 : Math.floor(time / policy.windowMs);
}

/** The budget as it stands at that time. */
export function budgetAt(budget: Budget, policy: BudgetPolicy, time: number): Budget {
  const window = windowAt(policy, time);
  return window === budget.window ? budget : { ...budget, window, spent: 0n };
}

export function left(budget: Budget, policy: BudgetPolicy): bigint {
  return policy.limit - budget.spent - budget.reserved;
}

export function spend(budget: Budget, units: bigint): Budget {
  if (units === 0n) return budget;
  const { gross, refunded, spent, reserved, window } = budget;
  return { gross: gross + units, refunded, spent: spent + units, reserved, window };
}

export function hold(budget: Budget, units: bigint): Budget {
  return units === 0n ? budget : { ...budget, reserved: budget.reserved + units };
}

export function unhold(budget: Budget, units: bigint): Budget {
  return hold(budget, -units);
}

/** Gives back what was charged in a window; what a window that is over had left is gone with it. */
export function refund(budget: Budget, units: bigint, window: number): Budget {
  if (units === 0n) return budget;
  const spent = window === budget.window ? budget.spent - units : budget.spent;
  return { ...budget, refunded: budget.refunded + units, spent };
}

/** A budget with its position and the text of its name. */
interface Placed {
  readonly at: number;
  readonly name: string;
  readonly policy: BudgetPolicy;
}

const orders = new WeakMap<readonly BudgetPolicy[], readonly Placed[]>();

/** The budgets in the order of their names, as canonical texts have them. */
export function inOrder(budgets: readonly BudgetPolicy[]): readonly Placed[] {
  let order = orders.get(budgets);
  if (order === undefined) {
    order = budgets
      .map((policy, at) => ({ at, name: textOf(policy.name), policy }))
      .sort((a, b) => (a.policy.name < b.policy.name ? -1 : 1));
    orders.set(budgets, order);
  }
  return order;
}

/** The canonical text of amounts by name. */
export function amountsText(
  units: Charges,
  budgets: readonly BudgetPolicy[],
  zeros: "with zeros" | "without zeros" = "with zeros",
): string {
  let text = "";
  for (const { at, name, policy } of inOrder(budgets)) {
    const amount = units[at] ?? 0n;
    if (amount === 0n && zeros === "without zeros") continue;
    text += `${text === "" ? "" : ","}${name}:"${amountText(amount, policy.quantum)}"`;
  }
  return `{${text}}`;
}

export interface BudgetTexts {
  readonly limit: string;
  readonly gross: string;
  readonly net: string;
  readonly reserved: string;
  readonly left: string;
}

export function budgetTexts(budget: Budget, policy: BudgetPolicy): BudgetTexts {
  const text = (units: bigint) => amountText(units, policy.quantum);
  return {
    limit: text(policy.limit),
    gross: text(budget.gross),
    net: text(budget.gross - budget.refunded),
    reserved: text(budget.reserved),
    left: text(left(budget, policy)),
  };
}
