/**
 * Shares of budgets that principals hand on: a parent gives a part of its share to a child and gets back what is left of
 * it. A share divides a budget and adds nothing to it: every step is charged to the budget itself as well.
 * INVARIANT: spent + held + given ≤ the share of each principal. Part of what must be trusted.
 */
import { record } from "../../ir/index.ts";
import { limits } from "../limits.ts";
import { get, set } from "../trie.ts";
import { amountText } from "../values/units.ts";
import { costValue } from "./action.ts";
import type { Command, Delegate } from "./command.ts";
import { type Decision, noCharges, refusal } from "./decision.ts";
import { type Check, passing, violated } from "./invariant.ts";
import { stopsNothing } from "./judge.ts";
import { isItsOwn, minus, noUse, plus, shareLeft, useOf } from "./principal.ts";
import { type KernelState, successor } from "./state.ts";

const passes = { delegate: passing("delegate") };

export function delegate(state: KernelState, command: Delegate, time: number, by: string): Decision {
  const { to, charges, key } = command;
  const checks: Check[] = [checkChild(state, to, by, key), ...checkShares(state, charges, by)];
  if (!checks.every(stopsNothing)) return refusal(state, command, checks, time);
  return {
    command,
    kind: "delegate",
    verdict: "allowed",
    checks,
    time,
    cost: noCharges(state),
    next: () => {
      const parent = useOf(state, by);
      const child = useOf(state, to);
      const isNew = child.parent === undefined;
      const received = { ...child, parent: by, received: plus(child.received, charges) };
      let principals = set(state.principals, by, { ...parent, given: plus(parent.given, charges) });
      const top = topOf(state, by);
      const root = get(principals, top) ?? noUse;
      if (isNew) principals = set(principals, top, { ...root, children: root.children + 1 });
      principals = set(principals, to, key === undefined ? received : { ...received, key });
      return successor(state, { time, principals });
    },
  };
}

/** Reclaims all that is left of what was delegated to a principal; for its parent, itself and operators. */
export function reclaim(
  state: KernelState,
  command: Command & { kind: "reclaim" },
  time: number,
  by: string,
): Decision {
  const { from } = command;
  const child = get(state.principals, from);
  const parent = child?.parent;
  if (child === undefined || parent === undefined)
    return refusal(state, command, [violated("delegate", "nothing delegated", { principal: from })], time);
  if (by !== from && !isItsOwn(state, by, parent)) {
    const check = violated("delegate", "delegated by another", { principal: from, parent });
    return refusal(state, command, [check], time);
  }
  const left = state.policy.budgets.map((_, i) => {
    const rest = shareLeft(state, from, i) ?? 0n;
    const received = child.received[i] ?? 0n;
    const back = rest < received ? rest : received;
    return back > 0n ? back : 0n;
  });
  return {
    command,
    kind: "reclaim",
    verdict: "allowed",
    checks: [passes.delegate],
    time,
    cost: noCharges(state),
    next: () => {
      const giver = get(state.principals, parent) ?? noUse;
      const principals = set(
        set(state.principals, from, { ...child, received: minus(child.received, left) }),
        parent,
        { ...giver, given: minus(giver.given, left) },
      );
      return successor(state, { time, principals });
    },
    result: record([["amounts", costValue(left, state.policy)]]),
  };
}

function checkChild(state: KernelState, to: string, by: string, key: string | undefined): Check {
  for (let above: string | undefined = by; above !== undefined; above = get(state.principals, above)?.parent)
    if (above === to) return violated("delegate", "delegated to itself");
  const declared = state.policy.principals?.get(to);
  const child = get(state.principals, to);
  if (declared !== undefined && (key !== undefined || declared.shares.length > 0))
    return violated("delegate", "share of its own", { principal: to });
  if (child?.parent !== undefined && (child.parent !== by || (key !== undefined && child.key !== key)))
    return violated("delegate", "delegated by another", { principal: to, parent: child.parent });
  const isNew = child?.parent === undefined;
  if (isNew && useOf(state, topOf(state, by)).children >= limits.principals)
    return violated("delegate", "too many principals", { most: limits.principals });
  if (child === undefined && state.principals.size >= limits.knownPrincipals)
    return violated("delegate", "too many principals", { most: limits.knownPrincipals });
  return passes.delegate;
}

/** The principal at the top of a chain of delegations; all below it count towards its bound. */
function topOf(state: KernelState, name: string): string {
  let top = name;
  for (;;) {
    const parent = get(state.principals, top)?.parent;
    if (parent === undefined) return top;
    top = parent;
  }
}

function checkShares(state: KernelState, charges: readonly bigint[], by: string): Check[] {
  return state.policy.budgets.flatMap(({ name, quantum }, i) => {
    const rest = shareLeft(state, by, i);
    if (rest === undefined || (charges[i] ?? 0n) <= rest) return [];
    const left = amountText(rest, quantum);
    return [violated(`share ${name}`, "share not left", { budget: name, principal: by, left })];
  });
}
