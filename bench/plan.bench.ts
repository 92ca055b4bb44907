/** Costs of verifying, simulating and optimizing plans, beside `JSON.parse` of the same text, by size. */

import { car, optimize, type Plan, readPlan, simulate, verify } from "../src/plan/index.ts";
import { bench, type Case } from "./harness.ts";

const SIZES = [10, 1_000, 10_000, 100_000];

type ActionData = Readonly<Record<string, unknown>>;

/** Each action as a model writes them: most fields, a few parameters. */
function action(i: number, more: ActionData): ActionData {
  return {
    id: `a${i}`,
    type: "tool_call",
    tool: "files.write",
    parameters: { path: `out/report-${i}.txt`, text: `part ${i}`, overwrite: false },
    idempotent: false,
    max_retries: 3,
    failure_behavior: "abort",
    ...more,
  };
}

const shapes: Readonly<Record<string, (i: number) => ActionData>> = {
  chain: (i) =>
    action(i, {
      expected_effects: { [`k${i}`]: i },
      ...(i > 0 && { preconditions: [{ key: `k${i - 1}`, operator: "eq", value: i - 1 }] }),
    }),
  wide: (i) => action(i, { expected_effects: { [`k${i}`]: true } }),
  random: (i) => {
    const near = (step: number) => Math.floor((((i * 7_919 + step * 104_729) % 1_000) / 1_000) * i);
    return action(i, {
      expected_effects: { [`k${i}`]: i },
      ...(i > 0 && { state_dependencies: [`k${near(1)}`, `k${near(2)}`], dependencies: [`a${near(3)}`] }),
    });
  },
  "hot key": (i) =>
    i % 2 === 0
      ? { id: `a${i}`, type: "state_write", parameters: { key: "k", value: i }, failure_behavior: "abort" }
      : action(i, { preconditions: [{ key: "k", operator: "eq", value: i - 1 }] }),
};

function planFrom(text: string): Plan {
  const read = readPlan(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems[0]));
  return read.value.plan;
}

for (const [shape, make] of Object.entries(shapes)) {
  const cases: Case[] = [];
  for (const size of SIZES) {
    const text = JSON.stringify({
      id: "p",
      source: "bench",
      actions: Array.from({ length: size }, (_, i) => make(i)),
    });
    const plan = planFrom(text);
    const state = new Map();
    const found = verify(plan, { state });
    if (!found.valid) throw new Error(JSON.stringify(found.findings[0]));
    cases.push(
      { name: "JSON.parse", size, run: () => JSON.parse(text) },
      { name: "read", size, run: () => planFrom(text) },
      { name: "verify", size, run: () => verify(plan, { state }) },
      { name: "verify, any state", size, run: () => verify(plan) },
      { name: "simulate", size, run: () => simulate(plan, { state }) },
      { name: "optimize", size, run: () => optimize(plan, { state }) },
      { name: "optimize (car)", size, run: () => car.optimize(plan) },
    );
  }
  const order = [...new Set(cases.map(({ name }) => name))];
  await bench(
    `plans, ${shape}, by actions`,
    cases.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name) || a.size - b.size),
  );
}
