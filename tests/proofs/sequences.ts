/** All sequences of a few commands up to a depth, through the kernel and its model. */
import type { GivenCommand, GivenPolicy, Json } from "./command-text.ts";
import { type Kernel, opened, type Pair, step } from "./compare.ts";
import { model } from "./model.ts";

/** Small bounds, so that four commands reach every one of them. */
const policy: GivenPolicy = {
  budgets: [
    { name: "b", limit: "3", quantum: "1", minCost: "1" },
    { name: "w", limit: "2", quantum: "1", windowMs: 10 },
  ],
  rules: [{ name: "low", enforcement: "blocking", rule: "ceiling", key: "n", max: 2 }],
  emergencies: [{ id: "halt", effects: [{ key: "n", op: "set", value: 0 }], cap: 1 }],
  protected: [],
  probes: [{ name: "p", keys: ["x"] }],
  undoSteps: 3,
};

const up: Json = { id: "up", effects: [{ key: "n", op: "increment", value: 1 }], cost: { b: "1", w: "1" } };
const two: Json = {
  id: "two",
  effects: [
    { key: "n", op: "increment", value: 2 },
    { key: "x", op: "set", value: 1 },
  ],
  cost: { b: "1" },
};
const gone: Json = { id: "gone", effects: [{ key: "x", op: "delete" }], cost: { b: "1", w: "2" } };

interface Node {
  readonly pair: Pair;
  readonly clock: number;
  readonly steps: readonly string[];
  readonly reservations: readonly string[];
}

const last = (receipts: readonly string[]): string => receipts.at(-1) ?? "none";

/** `later` moves the clock into the next window. */
const alphabet: readonly ((node: Node) => GivenCommand | "later")[] = [
  () => "later",
  () => ({ kind: "execute", input: { action: up } }),
  () => ({ kind: "execute", input: { action: two } }),
  () => ({ kind: "reserve", input: { action: up, key: "k" } }),
  () => ({ kind: "reserve", input: { action: gone } }),
  ({ reservations }) => ({ kind: "settle", input: { receipt: last(reservations) } }),
  ({ reservations }) => ({
    kind: "settle",
    input: { receipt: last(reservations), cost: { b: "1" }, drop: true },
  }),
  ({ reservations }) => ({ kind: "release", input: { receipt: last(reservations), reason: "no" } }),
  ({ steps }) => ({ kind: "rollback", input: { from: last(steps) } }),
  ({ steps }) => ({ kind: "rollback", input: { from: steps[0] ?? "none", to: last(steps) } }),
  () => ({ kind: "execute", input: { action: { id: "halt" } } }),
  () => ({ kind: "observe", input: { probe: "p", values: { x: 5 }, take: false } }),
];

export interface Searched {
  readonly steps: number;
  readonly allowed: number;
  readonly problem?: string;
}

export function allSequences(kernel: Kernel, depth: number): Searched {
  const first = opened(kernel, policy, { n: 0, x: 0 }, 1);
  if (first === undefined || typeof first === "string")
    return { steps: 0, allowed: 0, problem: first ?? "not opened" };
  let [steps, allowed] = [0, 0];
  let problem: string | undefined;
  const go = (node: Node, left: number, path: readonly string[]): void => {
    for (const make of left === 0 ? [] : alphabet) {
      if (problem !== undefined) return;
      const command = make(node);
      if (command === "later") {
        if (left > 1) go({ ...node, clock: node.clock + 10 }, left - 1, [...path, "later"]);
        continue;
      }
      const done = step(kernel, node.pair, command, node.clock, `w${path.length}`, "keep");
      steps++;
      if (done.allowed) allowed++;
      const now = [...path, `${command.kind} ${JSON.stringify(command.input)}`];
      if (done.problem !== undefined) problem = `${done.problem}\n${now.join("\n")}`;
      const { receipt } = done;
      go(
        {
          pair: done.pair,
          clock: node.clock,
          steps: receipt?.startsWith("s") ? [...node.steps, receipt] : node.steps,
          reservations: receipt?.startsWith("r") ? [...node.reservations, receipt] : node.reservations,
        },
        left - 1,
        now,
      );
      model.drop(done.pair.id);
    }
  };
  go({ pair: first, clock: 1, steps: [], reservations: [] }, depth, []);
  model.drop(first.id);
  return { steps, allowed, ...(problem === undefined ? {} : { problem }) };
}
