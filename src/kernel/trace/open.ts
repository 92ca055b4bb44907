/**
 * Opens a kernel: checks the policy and the initial state, and writes them as the first entry. Part of what must be
 * trusted.
 */
import { isRecord, record, type Value } from "../../ir/index.ts";
import { decodeCommand } from "../core/command.ts";
import type { Data } from "../core/effects.ts";
import { newestForm } from "../core/form.ts";
import { historyOf, stepTimeOf } from "../core/history.ts";
import { type Check, judge } from "../core/invariant.ts";
import { stopsNothing } from "../core/judge.ts";
import type { Policy } from "../core/policy.ts";
import { localPrincipal } from "../core/principal.ts";
import { type KernelState, stateBefore } from "../core/state.ts";
import { decide } from "../core/step.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, refuse } from "../problem.ts";
import { emptyTrie, set } from "../trie.ts";
import { checkText, fieldsOf, isPlainArray, nameOf, readValue } from "../values/decode.ts";

import { type Form, openingText, type Step, sealText } from "./entry.ts";

/** Reads the initial state: an object whose fields are the keys. A big one is read key by key. */
export function decodeInitial(input: unknown): Decoded<Value> {
  return decoded(() => {
    if (typeof input !== "object" || input === null || isPlainArray(input)) {
      return refuse("not an object", { what: "initial" });
    }
    return record(
      fieldsOf(input, limits.keys).map(([key, value]): [string, Value] => {
        checkText(nameOf(key, "initial key"), limits.nameLength, "key");
        return [key, readValue(value)];
      }),
    );
  });
}

/** Opens a kernel, or says which blocking invariant the initial state breaks. */
export function openKernel(
  name: string,
  policy: Policy,
  initial: Value,
  clock: number,
  form?: Form,
  by: string = localPrincipal,
): Decoded<Step> {
  return decoded(() => {
    checkText(nameOf(name, "kernel"), limits.nameLength, "kernel");
    const time = Number.isSafeInteger(clock) && clock > 0 ? clock : 0;
    const state = stateBefore(name, policy, dataOf(initial));
    const broken = initialChecks(state).find((check) => !stopsNothing(check));
    if (broken !== undefined) {
      const { check, reason = "does not hold", args = {} } = broken;
      refuse("initial state breaks", { check, why: { reason, args } });
    }
    const text = openingText(
      state,
      time,
      record([
        ["policy", policy.body],
        ["state", initial],
      ]),
      form,
      by,
    );
    const { hash, bytes } = sealText(text);
    const opened = { ...state, seq: 1, head: hash, first: hash, form: form?.v ?? newestForm, time };
    const [someone = by] = policy.principals?.keys() ?? [];
    for (const { id, cap } of policy.emergencies.values()) {
      if (cap === 0 || policy.principals?.size === 0) continue;
      const tried = decide(opened, decodeCommand("execute", { action: { id } }, policy), time, someone);
      // T8 would be a lie if the first thing an emergency action meets is a rule against it.
      if (tried.verdict === "refused") refuse("emergency breaks a rule", { id });
    }
    return { state: opened, entry: { seq: 1, hash, text, bytes } };
  });
}

function initialChecks(state: KernelState): Check[] {
  const clock = { time: 0, stepTime: stepTimeOf(state) };
  const { data } = state;
  return state.policy.invariants.map((one) =>
    judge(one, {
      kind: "initial",
      before: data,
      after: data,
      action: undefined,
      clock,
      history: () => historyOf(state),
    }),
  );
}

function dataOf(initial: Value): Data {
  if (!isRecord(initial)) return refuse("not an object", { what: "initial" });
  let data: Data = emptyTrie();
  for (const [key, value] of Object.entries(initial.fields)) data = set(data, key, value);
  return data;
}
