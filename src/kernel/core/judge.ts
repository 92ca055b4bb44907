/**
 * All checks of an ordinary action, each reported. Nothing here changes anything: this is what a dry run does.
 * Part of what must be trusted.
 */
import { compare, isNum } from "../../ir/index.ts";
import { limits } from "../limits.ts";
import { Refused } from "../problem.ts";
import { get } from "../trie.ts";
import { amountText } from "../values/units.ts";
import type { Action } from "./action.ts";
import { type BudgetPolicy, budgetAt, left } from "./budget.ts";
import { applyEffects, type Data } from "./effects.ts";
import { historyOf, stepTimeOf } from "./history.ts";
import { type Check, judge, passing, type Scene, violated, violatedBy } from "./invariant.ts";
import type { Policy } from "./policy.ts";
import { isCounted, shareLeft, useOf } from "./principal.ts";
import { readReceipt } from "./receipt.ts";
import type { KernelState } from "./state.ts";

export interface Judged {
  readonly allowed: boolean;
  readonly checks: readonly Check[];
  /** The state after the effects; undefined if they cannot be applied. */
  readonly after: Data | undefined;
}

const passes = {
  stopped: passing("stopped"),
  version: passing("version"),
  protected: passing("protected"),
  held: passing("held"),
  effects: passing("effects"),
  minCost: passing("min-cost"),
  stepLimit: passing("step-limit"),
};

export function judgeAction(state: KernelState, action: Action, time: number, by: string): Judged {
  const checks: Check[] = [
    state.stopped === undefined ? passes.stopped : violated("stopped", "stopped", { because: state.stopped }),
    action.reads === undefined || action.reads === state.version
      ? passes.version
      : violated("version", "made for another version", { reads: action.reads, version: state.version }),
    checkProtected(state.policy, action),
    state.held.size === 0 ? passes.held : checkHeld(state, action.writes, time),
  ];
  const { after, check } = tryEffects(state.data, action);
  checks.push(check);
  pushBudgetChecks(checks, state, action, time);
  if (isCounted(state, by)) pushPrincipalChecks(checks, state, action, by);
  checks.push(checkStepLimit(state, action));
  pushSoftLimits(checks, state, action, time);
  pushInvariants(checks, state, "ordinary", action, after, time);
  return { allowed: checks.every(stopsNothing), checks, after };
}

export function stopsNothing(check: Check): boolean {
  return check.result === "ok" || check.monitoring === true;
}

/** Judges every invariant on the state that would come. */
export function pushInvariants(
  checks: Check[],
  state: KernelState,
  kind: Scene["kind"],
  action: Action | undefined,
  after: Data | undefined,
  time: number,
): void {
  const { invariants } = state.policy;
  if (invariants.length === 0) return;
  if (after === undefined) {
    for (const one of invariants) checks.push(one.notJudged);
    return;
  }
  const clock = { time, stepTime: stepTimeOf(state) };
  const scene: Scene = { kind, before: state.data, after, action, clock, history: () => historyOf(state) };
  for (const one of invariants) checks.push(judge(one, scene));
}

export function tryEffects(
  data: Data,
  action: Action,
): { readonly after: Data | undefined; readonly check: Check } {
  try {
    return { after: applyEffects(data, action.effects), check: passes.effects };
  } catch (thrown) {
    if (!Refused.is(thrown)) throw thrown;
    return { after: undefined, check: violatedBy("effects", thrown.why) };
  }
}

/** The limited party may neither set its own approval nor turn its own counter back. */
function checkProtected({ protects, counters }: Policy, action: Action): Check {
  if (protects.size === 0 && counters.size === 0) return passes.protected;
  for (const { key, op, value } of action.effects) {
    if (protects.has(key)) return violated("protected", "protected key", { key });
    if (!counters.has(key)) continue;
    const isUp = op === "increment" && value !== undefined && isNum(value) && compare(value, 0n) > 0;
    if (!isUp) return violated("protected", "counter only goes up", { key });
  }
  return passes.protected;
}

export function checkHeld(state: KernelState, keys: Iterable<string>, time: number): Check {
  if (state.held.size === 0) return passes.held;
  for (const key of keys) {
    const holder = get(state.held, key);
    if (holder !== undefined && !isLeaseOver(state, holder, time))
      return violated("held", "held key", { key, receipt: holder });
  }
  return passes.held;
}

/** A lease that is over holds no key any more; what was reserved stays in doubt. */
function isLeaseOver(state: KernelState, holder: string, time: number): boolean {
  const read = readReceipt(holder);
  const until = read === undefined ? undefined : get(state.pending, String(read.number))?.until;
  return until !== undefined && time >= until;
}

/** Quotas and shares of the principal that asks. */
function pushPrincipalChecks(checks: Check[], state: KernelState, action: Action, by: string): void {
  const most = state.policy.principals?.get(by)?.maxSteps;
  if (most !== undefined && useOf(state, by).steps >= most)
    checks.push(violated("quota", "no step left of its own", { principal: by, most }));
  state.policy.budgets.forEach(({ name, quantum }, i) => {
    const units = action.charges[i] ?? 0n;
    const rest = shareLeft(state, by, i);
    if (rest === undefined || units <= rest) return;
    const [cost, left] = [amountText(units, quantum), amountText(rest, quantum)];
    checks.push(violated(`share ${name}`, "over the share", { budget: name, cost, left, principal: by }));
  });
}

/** Soft limits warn, and stop nothing. */
function pushSoftLimits(checks: Check[], state: KernelState, action: Action, time: number): void {
  const { budgets, warnSteps, maxSteps } = state.policy;
  for (let i = 0; i < budgets.length; i++) {
    const policy = budgets[i];
    const before = state.budgets[i];
    if (policy?.warnAt === undefined || before === undefined) continue;
    const rest = left(budgetAt(before, policy, time), policy) - (action.charges[i] ?? 0n);
    if (policy.limit - rest <= policy.warnAt) continue;
    const text = (units: bigint) => amountText(units, policy.quantum);
    const args = { budget: policy.name, left: text(rest), warnAt: text(policy.warnAt) };
    checks.push({ ...violated(`soft limit ${policy.name}`, "soft limit", args), monitoring: true });
  }
  if (warnSteps === undefined || state.steps < warnSteps) return;
  const args = { steps: state.steps, most: maxSteps ?? warnSteps };
  checks.push({ ...violated("soft limit of steps", "soft limit of steps", args), monitoring: true });
}

const budgetPasses = new WeakMap<object, Check>();

function pushBudgetChecks(checks: Check[], state: KernelState, action: Action, time: number): void {
  const { budgets } = state.policy;
  let cheap: BudgetPolicy | undefined;
  for (let i = 0; i < budgets.length; i++) {
    const policy = budgets[i];
    const before = state.budgets[i];
    if (policy === undefined || before === undefined) throw new TypeError("a budget without its policy");
    const units = action.charges[i] ?? 0n;
    if (units < policy.minCost) cheap ??= policy;
    const available = left(budgetAt(before, policy, time), policy);
    if (units > available) {
      const [cost, rest] = [amountText(units, policy.quantum), amountText(available, policy.quantum)];
      const args = { budget: policy.name, cost, left: rest };
      checks.push(violated(`budget ${policy.name}`, "over budget", args));
      continue;
    }
    if (policy.maxGross !== undefined) {
      const rest = policy.maxGross - before.gross - before.reserved;
      if (units > rest) {
        const [cost, text] = [amountText(units, policy.quantum), amountText(rest, policy.quantum)];
        const args = { budget: policy.name, cost, left: text };
        checks.push(violated(`budget ${policy.name}`, "over the gross limit", args));
        continue;
      }
    }
    let pass = budgetPasses.get(policy);
    if (pass === undefined) {
      pass = passing(`budget ${policy.name}`);
      budgetPasses.set(policy, pass);
    }
    checks.push(pass);
  }
  checks.push(cheap === undefined ? passes.minCost : tooCheap(cheap));
}

function tooCheap({ name, minCost, quantum }: BudgetPolicy): Check {
  return violated("min-cost", "too cheap", { budget: name, least: amountText(minCost, quantum) });
}

function checkStepLimit(state: KernelState, { tool }: Action): Check {
  const { maxSteps } = state.policy;
  if (maxSteps !== undefined && state.steps >= maxSteps) {
    return violated("step-limit", "no step left", { most: maxSteps });
  }
  if (tool !== undefined && state.calls.size >= limits.tools && get(state.calls, tool) === undefined) {
    return violated("step-limit", "too many tools", { most: limits.tools });
  }
  return passes.stepLimit;
}
