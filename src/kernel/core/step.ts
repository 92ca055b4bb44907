/**
 * The kernel as a pure function: `decide` says what becomes of a command, and changes nothing. It has an answer for
 * every command; what is wrong with one is a refusal with its reasons. Time is an argument.
 * Part of what must be trusted.
 */

import { list } from "../../ir/index.ts";
import { set } from "../trie.ts";
import { canonicalText, sameValue } from "../values/canonical.ts";
import { type Action, actionText, effectValue } from "./action.ts";
import { amend } from "./amend.ts";
import { attested } from "./attest.ts";
import { bodyOf, type Command } from "./command.ts";
import { change, countStep, finalRecord, recordOf, spendAll } from "./commit.ts";
import { type Decision, noCharges, refusal } from "./decision.ts";
import { delegate, reclaim } from "./delegate.ts";
import { isSince } from "./form.ts";
import { type Check, passing, violated, violatedBy } from "./invariant.ts";
import { judgeAction, pushInvariants, stopsNothing } from "./judge.ts";
import { grant, observe, resume, stop } from "./operator.ts";
import type { Emergency } from "./policy.ts";
import {
  changedUse,
  checkPrincipal,
  isCounted,
  isFolded,
  isOperator,
  localPrincipal,
  plus,
  useOf,
  withRefusal,
  withWrites,
} from "./principal.ts";
import { release, renew, reserve, settle } from "./reserve.ts";
import { rollback } from "./rollback.ts";
import { type KernelState, successor } from "./state.ts";

/** `clock` is what the asker's clock tells, and `by` is its principal: both are inputs, and stand in the entry. */
export function decide(
  state: KernelState,
  command: Command,
  clock: number,
  by: string = localPrincipal,
): Decision {
  const time = timeOf(state, command, clock, by);
  if (!isSince(4)) return decideKind(state, command, time, by);
  const told = isTime(clock) ? clock : time;
  const units = () => unitsOfCommand(command);
  const principal = checkPrincipal(state, command, by, units, told);
  const decision =
    principal?.result === "violated"
      ? refusal(state, command, [principal], time)
      : attested(state, command, decideKind(state, command, time, by), time);
  const checks =
    principal === undefined || principal.result === "violated"
      ? decision.checks
      : [principal, ...decision.checks];
  const isRefused = decision.verdict === "refused";
  // SOUNDNESS: every refusal that changes more than counts is in the trace.
  const isFoldable = isRefused && command.kind !== "observe";
  const folded = isFoldable && isFolded(state, by, told);
  if (!isRefused && !isCounted(state, by))
    return { ...decision, by, ...(told === time ? {} : { clock: told }) };
  return {
    ...decision,
    checks,
    by,
    ...(told === time ? {} : { clock: told }),
    ...(folded ? { folded } : {}),
    next: () => {
      const next = decision.next();
      const counted = isRefused ? withRefusal(next, by, units(), told) : next.principals;
      return { ...next, principals: withWrites(next, counted, by, units, told) };
    },
  };
}

function isTime(clock: number): boolean {
  return Number.isSafeInteger(clock) && clock >= 0;
}

/**
 * The time of the kernel never goes back, and a clock that is no time at all stands still. So does one that jumps too far:
 * otherwise one wrong clock would end every window, or keep the next one from beginning, for everybody. After a longer pause an
 * operator resumes the kernel, which believes that clock.
 */
function timeOf(state: KernelState, command: Command, clock: number, by: string): number {
  if (!Number.isSafeInteger(clock) || clock <= state.time) return state.time;
  if (!isSince(4) || clock - state.time <= state.policy.maxJumpMs) return clock;
  return command.kind === "resume" && isOperator(state, by) && clock <= lastTime ? clock : state.time;
}

/** LIMIT: the last time that a resumed kernel takes for one, in the year 9999. */
const lastTime = 253_402_300_799_999;

function unitsOfCommand(command: Command): number {
  return command.kind === "execute"
    ? actionText(command.action).length
    : canonicalText(bodyOf(command)).length;
}

function decideKind(state: KernelState, command: Command, time: number, by: string): Decision {
  switch (command.kind) {
    case "execute":
      return execute(state, command, time, by);
    case "reserve":
      return reserve(state, command, time, by);
    case "settle":
      return settle(state, command, time, by);
    case "release":
      return release(state, command, time, by);
    case "renew":
      return renew(state, command, time, by);
    case "rollback":
      return rollback(state, command, time, by);
    case "delegate":
      return delegate(state, command, time, by);
    case "reclaim":
      return reclaim(state, command, time, by);
    case "policy":
      return amend(state, command, time);
    case "grant":
      return grant(state, command, time);
    case "observe":
      return observe(state, command, time);
    case "stop":
      return stop(state, command, time);
    case "resume":
      return resume(state, command, time);
    case "malformed":
      return refusal(state, command, [violatedBy("shape", command.why, command.code)], time);
  }
}

function execute(
  state: KernelState,
  command: Command & { kind: "execute" },
  time: number,
  by: string,
): Decision {
  const { action } = command;
  const registered = state.policy.emergencies.get(action.id);
  if (registered !== undefined) return emergency(state, command, registered, time, by);
  const { allowed, checks, after } = judgeAction(state, action, time, by);
  if (!allowed || after === undefined) return refusal(state, command, checks, time);
  return {
    command,
    kind: "execute",
    verdict: "allowed",
    checks,
    time,
    cost: action.charges,
    next: () => {
      const { steps, times, calls } = countStep(state, action, time);
      const { data, version, records } = change(state, after);
      const budgets = spendAll(state, action.charges, time);
      const principals = changedUse(state, by, (use) => ({
        ...use,
        steps: use.steps + 1,
        spent: plus(use.spent, action.charges),
      }));
      return successor(state, { time, steps, times, calls, data, version, records, budgets, principals });
    },
    record: (hash) => recordOf(state, action, action.charges, time, hash, by),
  };
}

/** T8: no budget, no limit, no version, no stop and nothing that is broken already stands in its way. */
function emergency(
  state: KernelState,
  command: Command & { kind: "execute" },
  { id, effects, cap }: Emergency,
  time: number,
  by: string,
): Decision {
  const { action } = command;
  // Declared principals have a cap each, so that nobody uses up that of the others.
  const isOwn = isSince(4) && state.policy.principals !== undefined;
  const used = (isOwn ? useOf(state, by).emergencies.get(id) : state.emergencies.get(id)) ?? 0;
  const declared =
    action.effects.length === 0 || sameValue(effectsValue(action.effects), effectsValue(effects));
  const isFree = action.charges.every((units) => units === 0n);
  // Set without asking how many keys there are: there is nothing left that could be in the way.
  const after = effects.reduce((data, { key, value = null }) => set(data, key, value), state.data);
  const checks: Check[] = [
    declared ? emergencyPasses.shape : violated("emergency", "effects not declared", { id }),
    isFree ? emergencyPasses.cost : violated("emergency-cost", "not free", { id }),
    used < cap ? emergencyPasses.cap : violated("emergency-cap", "cap reached", { id, cap }),
  ];
  pushInvariants(checks, state, "emergency", action, after, time);
  if (!checks.every(stopsNothing)) return refusal(state, command, checks, time, "emergency");
  return {
    command,
    kind: "emergency",
    verdict: "allowed",
    checks,
    time,
    cost: noCharges(state),
    next: () => {
      const emergencies = new Map(state.emergencies).set(id, (state.emergencies.get(id) ?? 0) + 1);
      const principals = isOwn
        ? changedUse(state, by, (use) => ({
            ...use,
            emergencies: new Map(use.emergencies).set(id, used + 1),
          }))
        : state.principals;
      return successor(state, { ...change(state, after), time, emergencies, principals });
    },
    record: (hash) =>
      finalRecord(
        state,
        effects.map(({ key }) => key),
        hash,
      ),
  };
}

const emergencyPasses = {
  shape: passing("emergency"),
  cost: passing("emergency-cost"),
  cap: passing("emergency-cap"),
};

function effectsValue(effects: Action["effects"]) {
  return list(effects.map(effectValue));
}
