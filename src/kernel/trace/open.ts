/** How a kernel begins: the policy and the initial state, checked, as the first entry. Part of what must be trusted. */
import { isRecord, record, type Value } from "../../ir/value.ts";
import { decodeCommand } from "../core/command.ts";
import type { Data } from "../core/effects.ts";
import { historyOf, stepTimeOf } from "../core/history.ts";
import { type Check, judge } from "../core/invariant.ts";
import { stopsNothing } from "../core/judge.ts";
import type { Policy } from "../core/policy.ts";
import { type KernelState, stateBefore } from "../core/state.ts";
import { decide } from "../core/step.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, refuse } from "../problem.ts";
import { emptyTrie, set } from "../trie.ts";
import { checkText, fieldsOf, isPlainArray, nameOf, readValue } from "../values/decode.ts";

import { openingText, type Step, sealText } from "./entry.ts";

/** Reads the initial state: an object whose fields are the keys. A big one is read key by key. */
export function decodeInitial(input: unknown): Decoded<Value> {
  return decoded(() => {
    if (typeof input !== "object" || input === null || isPlainArray(input)) {
      return refuse("shape", "the initial state is not an object");
    }
    return record(
      fieldsOf(input, limits.keys).map(([key, value]): [string, Value] => {
        checkText(nameOf(key, "a key of the initial state"), limits.nameLength, "a key");
        return [key, readValue(value)];
      }),
    );
  });
}

/** Opens a kernel, or says which blocking invariant the initial state breaks. */
export function openKernel(name: string, policy: Policy, initial: Value, clock: number): Decoded<Step> {
  return decoded(() => {
    checkText(nameOf(name, "the name of the kernel"), limits.nameLength, "the name of the kernel");
    const time = Number.isSafeInteger(clock) && clock > 0 ? clock : 0;
    const state = stateBefore(name, policy, dataOf(initial));
    const broken = initialChecks(state).find((check) => !stopsNothing(check));
    if (broken !== undefined)
      refuse("invariant", `the initial state breaks the ${broken.check}: ${broken.message}`);
    const text = openingText(
      state,
      time,
      record([
        ["policy", policy.body],
        ["state", initial],
      ]),
    );
    const { hash, bytes } = sealText(text);
    const opened = { ...state, seq: 1, head: hash, time };
    for (const { id, cap } of policy.emergencies.values()) {
      if (cap === 0) continue;
      const tried = decide(opened, decodeCommand("execute", { action: { id } }, policy), time);
      // T8 would be a lie if the first thing an emergency action meets is a rule against it.
      if (tried.verdict === "refused")
        refuse("emergency", `the emergency action \`${id}\` breaks an invariant by itself`);
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
  if (!isRecord(initial)) return refuse("shape", "the initial state is not an object");
  let data: Data = emptyTrie();
  for (const [key, value] of Object.entries(initial.fields)) data = set(data, key, value);
  return data;
}
