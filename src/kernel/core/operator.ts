/**
 * Commands for the operator, not for agents: grants, observations of the world, freeze and unfreeze. Part of what
 * must be trusted.
 */
import { compare, isNum, list, negate, record, subtract, type Value } from "../../ir/index.ts";
import { why } from "../reasons.ts";
import { get, remove, set } from "../trie.ts";
import { sameValue } from "../values/canonical.ts";
import { cellsProblem, probeOf } from "./cells.ts";
import type { Command, Observe } from "./command.ts";
import { change, finalRecord } from "./commit.ts";
import { type Decision, noCharges, refusal } from "./decision.ts";
import type { Data } from "./effects.ts";
import { type Check, passing, violated, violatedBy } from "./invariant.ts";
import { checkHeld, pushInvariants, stopsNothing } from "./judge.ts";
import type { Probe } from "./policy.ts";
import { type KernelState, type Stopped, successor } from "./state.ts";

const passes = {
  grant: passing("protected"),
  probe: passing("probe"),
  drift: passing("drift"),
  reason: passing("reason"),
};

/** Sets a protected key: gives or revokes an approval. */
export function grant(state: KernelState, command: Command & { kind: "grant" }, time: number): Decision {
  const { key, value } = command;
  const isProtected = state.policy.protects.has(key);
  const after = set(state.data, key, value);
  const checks: Check[] = [
    isProtected ? passes.grant : violated("protected", "not a protected key", { key }),
    checkHeld(state, [key], time),
  ];
  pushInvariants(checks, state, "other", undefined, after, time);
  if (!checks.every(stopsNothing)) return refusal(state, command, checks, time);
  return changed(state, command, checks, after, [key], time);
}

/** Compares keys with the world. Drift beyond the threshold stops the kernel, unless the world's values are taken. */
export function observe(state: KernelState, command: Observe, time: number): Decision {
  const probe = probeOf(state, command);
  if (probe === undefined) {
    return refusal(state, command, [violated("probe", "no such probe", { probe: command.probe })], time);
  }
  const problem = cellsProblem(state, command);
  if (problem !== undefined) return refusal(state, command, [problem], time);
  const stray = Object.keys(command.values).find((key) => !probe.keys.includes(key));
  if (stray !== undefined) {
    return refusal(state, command, [violated("probe", "not of the probe", { key: stray })], time);
  }
  const drifted = probe.keys.filter((key) => isDrift(get(state.data, key), own(command.values, key), probe));
  const differs = why("drift", { keys: drifted });
  const drift = drifted.length === 0 ? passes.drift : violatedBy("drift", differs);
  const result = record([["drift", list(drifted)]]);
  if (!command.take) {
    const checks = [passes.probe, drift];
    if (drifted.length > 0) return { ...stopping(refusal(state, command, checks, time), differs), result };
    return { ...unchanged(state, command, checks, time), result };
  }
  const after = taken(state.data, command, probe);
  const checks: Check[] = [passes.probe, { ...drift, monitoring: true }, checkHeld(state, probe.keys, time)];
  pushInvariants(checks, state, "other", undefined, after, time);
  if (!checks.every(stopsNothing)) {
    const refused = refusal(state, command, checks, time);
    return drifted.length > 0 ? { ...stopping(refused, differs), result } : refused;
  }
  return { ...changed(state, command, checks, after, probe.keys, time), result };
}

export function stop(state: KernelState, command: Command & { kind: "stop" }, time: number): Decision {
  const decision = unchanged(state, command, [passes.reason], time);
  return {
    ...decision,
    next: () => ({ ...decision.next(), stopped: why("said", { text: command.reason }) }),
  };
}

export function resume(state: KernelState, command: Command & { kind: "resume" }, time: number): Decision {
  const decision = unchanged(state, command, [passes.reason], time);
  return {
    ...decision,
    next: () => {
      const { stopped: _, ...rest } = decision.next();
      return rest;
    },
  };
}

function stopping(decision: Decision, stopped: Stopped): Decision {
  return { ...decision, next: () => ({ ...decision.next(), stopped }) };
}

function isDrift(ours: Value | undefined, theirs: Value | undefined, { threshold }: Probe): boolean {
  if (ours !== undefined && theirs !== undefined && isNum(ours) && isNum(theirs)) {
    const off = subtract(ours, theirs);
    return compare(off, threshold) > 0 || compare(off, negate(threshold)) < 0;
  }
  return !sameValue(ours, theirs);
}

function taken(data: Data, { values }: Observe, { keys }: Probe): Data {
  let after = data;
  for (const key of keys) {
    const value = own(values, key);
    after = value === undefined ? remove(after, key) : set(after, key, value);
  }
  return after;
}

function own(values: Observe["values"], key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

export function unchanged(
  state: KernelState,
  command: Command,
  checks: readonly Check[],
  time: number,
): Decision {
  const cost = noCharges(state);
  return {
    command,
    kind: command.kind,
    verdict: "allowed",
    checks,
    time,
    cost,
    next: () => successor(state, { time }),
  };
}

function changed(
  state: KernelState,
  command: Command,
  checks: readonly Check[],
  after: Data,
  keys: readonly string[],
  time: number,
): Decision {
  return {
    ...unchanged(state, command, checks, time),
    next: () => successor(state, { ...change(state, after), time }),
    record: (hash) => finalRecord(state, keys, hash),
  };
}
