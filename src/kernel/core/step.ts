/**
 * The kernel as a pure function: `decide` says what becomes of a command, and changes nothing. It has an answer for
 * every command; what is wrong with one is a refusal with its reasons. Time is an argument.
 * Part of what must be trusted.
 */

import { list } from "../../ir/index.ts";
import { set } from "../trie.ts";
import { sameValue } from "../values/canonical.ts";
import { type Action, effectValue } from "./action.ts";
import type { Command } from "./command.ts";
import { change, countStep, finalRecord, recordOf, spendAll } from "./commit.ts";
import { type Decision, noCharges, refusal } from "./decision.ts";
import { type Check, passing, violated, violatedBy } from "./invariant.ts";
import { judgeAction, pushInvariants, stopsNothing } from "./judge.ts";
import { grant, observe, resume, stop } from "./operator.ts";
import type { Emergency } from "./policy.ts";
import { release, reserve, settle } from "./reserve.ts";
import { rollback } from "./rollback.ts";
import { type KernelState, successor } from "./state.ts";

export function decide(state: KernelState, command: Command, clock: number): Decision {
  // The clock of the kernel never goes back; a clock that is no time at all stands still.
  const time = Number.isSafeInteger(clock) && clock > state.time ? clock : state.time;
  switch (command.kind) {
    case "execute":
      return execute(state, command, time);
    case "reserve":
      return reserve(state, command, time);
    case "settle":
      return settle(state, command, time);
    case "release":
      return release(state, command, time);
    case "rollback":
      return rollback(state, command, time);
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

function execute(state: KernelState, command: Command & { kind: "execute" }, time: number): Decision {
  const { action } = command;
  const registered = state.policy.emergencies.get(action.id);
  if (registered !== undefined) return emergency(state, command, registered, time);
  const { allowed, checks, after } = judgeAction(state, action, time);
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
      return successor(state, { time, steps, times, calls, data, version, records, budgets });
    },
    record: (hash) => recordOf(state, action, action.charges, time, hash),
  };
}

/** T8: no budget, no limit, no version, no stop and nothing that is broken already stands in its way. */
function emergency(
  state: KernelState,
  command: Command & { kind: "execute" },
  { id, effects, cap }: Emergency,
  time: number,
): Decision {
  const { action } = command;
  const used = state.emergencies.get(id) ?? 0;
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
      const emergencies = new Map(state.emergencies).set(id, used + 1);
      return successor(state, { ...change(state, after), time, emergencies });
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
