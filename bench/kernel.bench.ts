/** Dry runs and committed steps of the kernel: (a) two effects on two keys; (b) five effects, ten rules; (c) as (b), many keys. */

import { decodeAction } from "../src/kernel/core/action.ts";
import {
  decide,
  decodeInitial,
  decodePolicy,
  type KernelState,
  openKernel,
  seal,
} from "../src/kernel/index.ts";
import { bench, type Case } from "./harness.ts";

interface Setting {
  readonly state: KernelState;
  /** As a caller has it, and as it is once it was read. */
  readonly raw: unknown;
}

function opened(policy: unknown, initial: unknown): KernelState {
  const [read, data] = [decodePolicy(policy), decodeInitial(initial)];
  if (!read.ok || !data.ok) throw new Error("the policy cannot be read");
  const step = openKernel("bench", read.value, data.value, 1);
  if (!step.ok) throw new Error(step.problem.message);
  return step.value.state;
}

function settingA(): Setting {
  return {
    state: opened({ budgets: { usd: "1000000000" }, undoSteps: 100 }, { a: 0, b: "x" }),
    raw: {
      id: "step",
      effects: [
        { key: "a", op: "increment", value: 1 },
        { key: "b", op: "set", value: "y" },
      ],
      cost: "1.5",
    },
  };
}

function settingB(keys: number): Setting {
  const rules = Array.from({ length: 10 }, (_, i) => ({
    name: `rule ${i}`,
    enforcement: "blocking",
    rule: "range",
    key: `k${i}`,
    min: 0,
    max: 1_000_000_000,
  }));
  const initial = Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i]));
  const effects = Array.from({ length: 5 }, (_, i) => ({ key: `k${i}`, op: "increment", value: 1 }));
  return {
    state: opened({ budgets: { usd: "1000000000" }, rules, undoSteps: 100 }, initial),
    raw: { id: "step", effects, cost: "1.5" },
  };
}

const settings: readonly (readonly [string, number, Setting])[] = [
  ["(a) 2 effects, 2 keys", 1, settingA()],
  ["(b) 5 effects, 10 rules, 20 keys", 1, settingB(20)],
  ["(c) 1,000 keys", 1, settingB(1_000)],
  ["(c) 10,000 keys", 1, settingB(10_000)],
];

const cases = settings.flatMap(([name, size, setting]): Case[] => {
  const action = decodeAction(setting.raw, setting.state.policy);
  if (!action.ok) throw new Error(action.problem.message);
  const command = { kind: "execute", action: action.value } as const;
  let state = setting.state;
  return [
    { name: `evaluate, prepared ${name}`, size, run: () => decide(setting.state, command, 2) },
    {
      name: `evaluate, from JavaScript ${name}`,
      size,
      run: () => {
        const read = decodeAction(setting.raw, setting.state.policy);
        return read.ok ? decide(setting.state, { kind: "execute", action: read.value }, 2) : undefined;
      },
    },
    {
      name: `execute ${name}`,
      size,
      run: () => {
        state = seal(state, decide(state, command, 2), "writer").state;
        return state;
      },
    },
  ];
});

await bench("kernel", cases);
