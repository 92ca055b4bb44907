/**
 * Dry runs and committed steps of the kernel beside a plain loop that does the same to a `Map` and checks nothing: (a) two
 * effects on two keys; (b) five effects, ten rules, twenty keys; (c) as (b), with many keys.
 */

import { Kernel } from "../src/kernel/index.ts";
import { MemoryLedger } from "../src/ledger/memory.ts";
import { report, type Timing } from "./harness.ts";

interface Effect {
  readonly key: string;
  readonly op: "increment" | "set";
  readonly value: number | string;
}

interface Setting {
  readonly name: string;
  readonly rules: readonly object[];
  readonly state: Readonly<Record<string, number | string>>;
  readonly effects: readonly Effect[];
}

const few: Setting = {
  name: "(a) 2 effects, 2 keys",
  rules: [],
  state: { a: 0, b: "x" },
  effects: [
    { key: "a", op: "increment", value: 1 },
    { key: "b", op: "set", value: "y" },
  ],
};

function many(name: string, keys: number): Setting {
  return {
    name,
    rules: Array.from({ length: 10 }, (_, i) => ({
      name: `rule ${i}`,
      enforcement: "blocking",
      rule: "range",
      key: `k${i}`,
      min: 0,
      max: 1_000_000_000,
    })),
    state: Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i])),
    effects: Array.from({ length: 5 }, (_, i) => ({ key: `k${i}`, op: "increment", value: 1 })),
  };
}

const settings = [
  few,
  many("(b) 5 effects, 10 rules, 20 keys", 20),
  many("(c) 1,000 keys", 1_000),
  many("(c) 10,000 keys", 10_000),
];

/** Short, and the best of many: a busy moment of the machine must not decide. */
const RUNS = 2_000;
const ROUNDS = 25;

interface Case {
  readonly name: string;
  readonly run: () => unknown;
}

const cases: Case[] = [];
for (const setting of settings) cases.push(...(await casesOf(setting)));
const best = new Map<string, number>();
// In turns, so that all of them meet the same machine.
for (let round = 0; round < ROUNDS; round++) {
  for (const { name, run } of cases) {
    const startNs = process.hrtime.bigint();
    for (let i = 0; i < RUNS; i++) {
      const result = run();
      if (result instanceof Promise) await result;
    }
    const ns = Number(process.hrtime.bigint() - startNs) / RUNS;
    best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, ns));
  }
}
const timings: Timing[] = cases.map(({ name }) => ({ name, size: 1, nsPerRun: best.get(name) ?? 0 }));
report("kernel", timings);
for (const { name } of settings) {
  const nsOf = (kind: string) => best.get(`${kind} ${name}`) ?? 0;
  const plain = nsOf("plain loop");
  for (const kind of ["evaluate, prepared", "evaluate, raw", "execute, raw"]) {
    const rate = Math.round(1e9 / nsOf(kind)).toLocaleString("en");
    console.log(`  ${kind} ${name}: ${rate} a second, ${(nsOf(kind) / plain).toFixed(1)} plain loops`);
  }
}

async function casesOf({ name, rules, state, effects }: Setting): Promise<Case[]> {
  const policy = { budgets: { usd: "1000000000000" }, rules, undoSteps: 100 };
  const opened = await Kernel.open({ ledger: new MemoryLedger(), policy, state, clock: () => 1 });
  if (!opened.ok) throw new Error(opened.problem.message);
  const kernel = opened.value;
  const raw = { id: "step", effects, cost: "1.5" };
  const prepared = kernel.prepare(raw);
  if (!prepared.ok) throw new Error(prepared.problem.message);
  const map = new Map(Object.entries(state));
  return [
    { name: `plain loop ${name}`, run: () => looped(map, effects) },
    { name: `evaluate, prepared ${name}`, run: () => allowed(kernel.evaluate(prepared.value)) },
    { name: `evaluate, raw ${name}`, run: () => allowed(kernel.evaluate(raw)) },
    { name: `execute, prepared ${name}`, run: () => kernel.execute(prepared.value) },
    { name: `execute, raw ${name}`, run: () => kernel.execute(raw) },
  ];
}

function looped(map: Map<string, number | string>, effects: readonly Effect[]): number {
  for (const { key, op, value } of effects) {
    const before = map.get(key);
    if (op === "set") map.set(key, value);
    else if (typeof before === "number" && typeof value === "number") map.set(key, before + value);
  }
  return map.size;
}

function allowed({ verdict }: { readonly verdict: string }): string {
  if (verdict !== "allowed") throw new Error("a step was refused");
  return verdict;
}
