/** Plans with tool modules: what these say is believed in place of what actions claim. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { compileTools } from "../../src/frontend/index.ts";
import { equivalent, optimize, simulate, ToolBook, verify } from "../../src/plan/index.ts";
import type { Action } from "../../src/plan/plan.ts";
import { fakeHost } from "../cli/fake-host.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { type ActionData, call, plain, plainState, pre, readData, stateOf, write } from "./plans.ts";

const module = `
import { fluent, type Int, tool, unknown } from "foreclaim";

export const balance = fluent<string, number>({ initial: 100 });
export const closed = fluent<string, boolean>({ initial: unknown });
export const pay = tool({
  requires: ({ from, amount }) => amount > 0 && balance.get(from) >= amount,
  effects: ({ from, amount }) => [balance.set(from, balance.get(from) - amount)],
  run: async ({ from, amount, note }: { from: string; amount: number; note?: string }): Promise<void> => {},
});
export const close = tool({
  effects: ({ from }) => [closed.set(from, true)],
  run: async ({ from }: { from: string }): Promise<Int> => 1,
});
export const settle = tool({
  requires: ({ from }) => closed.get(from),
  run: async ({ from }: { from: string }): Promise<void> => {},
});
`;

const compiled = compileTools(["tools/bank.ts"], {
  readFile: (path) => (path === "tools/bank.ts" ? module : undefined),
});
if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
const made = ToolBook.from(compiled.value);
if (!made.ok) throw new Error(JSON.stringify(made.problems));
const book = made.value;

const pay = (id: string, amount: unknown, more: ActionData = {}) =>
  call(id, "bank.pay", { parameters: { from: "a", amount }, ...more });

/** Each: what it is about, the actions, the state at the start, and what is found. */
test.each<[string, readonly ActionData[], Readonly<Record<string, unknown>> | undefined, string]>([
  ["a tool that is not declared", [call("a", "bank.pya")], {}, "FC3106"],
  ["a parameter that is missing", [call("a", "bank.close")], {}, "FC3201"],
  ["a parameter of another type", [pay("a", "ten")], {}, "FC3201"],
  [
    "a parameter that is not known",
    [call("a", "bank.close", { parameters: { from: "a", to: "b" } })],
    {},
    "FC3201",
  ],
  [
    "an optional parameter",
    [call("a", "bank.pay", { parameters: { from: "a", amount: 1, note: "x" } })],
    {},
    "",
  ],
  [
    "an output as a parameter",
    [call("c", "bank.close", { parameters: { from: "a" } }), pay("a", "$c.output")],
    {},
    "FC3202 FC3202",
  ],
  [
    "an output that decides the key",
    [
      call("c", "bank.close", { parameters: { from: "a" } }),
      call("d", "bank.close", { parameters: { from: "$c.output" } }),
    ],
    {},
    "FC3205",
  ],
  ["what is required holds", [pay("a", 60)], {}, ""],
  ["what is required does not hold", [pay("a", 160)], {}, "FC3202"],
  ["what is required is used up", [pay("a", 60), pay("b", 50)], {}, "FC3202"],
  ["what is required is not known at the start", [pay("a", 60)], undefined, "FC3202"],
  [
    "nothing is known of a fluent without an initial value",
    [call("s", "bank.settle", { parameters: { from: "a" } })],
    {},
    "FC3202",
  ],
  [
    "the state at the start says it",
    [call("s", "bank.settle", { parameters: { from: "a" } })],
    { "bank.closed[a]": true },
    "",
  ],
  [
    "another tool sets it",
    [
      call("c", "bank.close", { parameters: { from: "a" } }),
      call("s", "bank.settle", { parameters: { from: "a" } }),
    ],
    {},
    "",
  ],
  [
    "another tool that may be skipped sets it",
    [
      call("c", "bank.close", { parameters: { from: "a" }, failure_behavior: "skip" }),
      call("s", "bank.settle", { parameters: { from: "a" } }),
    ],
    {},
    "FC3202",
  ],
  [
    "another tool sets it for another key",
    [
      call("c", "bank.close", { parameters: { from: "b" } }),
      call("s", "bank.settle", { parameters: { from: "a" } }),
    ],
    {},
    "FC3202",
  ],
  [
    "a precondition on what a tool sets",
    [
      pay("a", 60),
      call("c", "bank.close", {
        parameters: { from: "a" },
        preconditions: [pre("bank.balance[a]", "eq", 40)],
      }),
    ],
    {},
    "",
  ],
  ["a claim that agrees", [pay("a", 60, { expected_effects: { "bank.balance[a]": 40 } })], {}, ""],
  [
    "a claim that contradicts the tool",
    [pay("a", 60, { expected_effects: { "bank.balance[a]": 100 } })],
    {},
    "FC3203",
  ],
  [
    "a claim that the tool does not confirm",
    [pay("a", 60, { expected_effects: { paid: true } })],
    {},
    "FC3204",
  ],
  [
    "such a claim is not relied on",
    [
      pay("a", 60, { expected_effects: { paid: true } }),
      call("c", "bank.close", { parameters: { from: "a" }, preconditions: [pre("paid", "eq", true)] }),
    ],
    {},
    "FC3102 FC3204",
  ],
  [
    "a write of the plan between two calls",
    [
      pay("a", 60),
      write("w", "bank.balance[a]", 10, { dependencies: ["a"] }),
      pay("b", 50, { dependencies: ["w"] }),
    ],
    {},
    "FC3202",
  ],
])("%s", (_, actions, state, codes) => {
  const { plan } = readData({ actions });
  const found = verify(plan, { book, ...(state && { state: stateOf(state) }) });
  expect(
    found.findings
      .map(({ code }) => code)
      .sort()
      .join(" "),
  ).toBe(codes);
  expect(found.valid).toBe(!found.findings.some(({ severity }) => severity === "error"));
  expect(found.tier).toBe(/FC3102/.test(codes) ? "heuristic" : "decided");
});

test("simulate works out what tools set, exactly", () => {
  const { plan } = readData({ actions: [pay("a", 0.1), pay("b", 0.2, { dependencies: ["a"] })] });
  const found = simulate(plan, { book, state: new Map() });
  expect(found.kind === "simulated" && plainState(found.simulation.state)).toEqual({
    "bank.balance[a]": 99.7,
  });
});

test("calls that touch the same cell are ordered, and others are not", () => {
  const other = call("o", "bank.pay", { parameters: { from: "b", amount: 1 } });
  const { plan } = readData({ actions: [pay("a", 1), other, pay("b", 2)] });
  expect(verify(plan, { book, state: new Map() }).levels).toEqual([["a", "o"], ["b"]]);
});

/** Each: what it is about, the actions of both plans, and the answers without and with what the tool module says. */
test.each<[string, readonly ActionData[], readonly ActionData[], string, string]>([
  ["the same", [pay("a", 60)], [pay("b", 60)], "equivalent", "equivalent"],
  [
    "calls of one cell in another order",
    [pay("a", 60), pay("b", 30)],
    [pay("b", 30), pay("a", 60)],
    "equivalent",
    "unknown",
  ],
  [
    "calls of other cells in another order",
    [pay("a", 60), call("c", "bank.close", { parameters: { from: "a" } })],
    [call("c", "bank.close", { parameters: { from: "a" } }), pay("a", 60)],
    "equivalent",
    "equivalent",
  ],
  ["another amount", [pay("a", 60)], [pay("a", 50)], "different", "different"],
  ["amounts that nobody has", [pay("a", 160)], [pay("a", 150)], "different", "unknown"],
  [
    "a claim that the tool does not confirm",
    [pay("a", 60, { expected_effects: { paid: true } })],
    [pay("a", 60)],
    "different",
    "unknown",
  ],
  [
    "a claim that the tool makes",
    [pay("a", 60, { expected_effects: { "bank.balance[a]": 40 } })],
    [pay("a", 60)],
    "different",
    "unknown",
  ],
  [
    "an answer",
    [call("c", "bank.close", { parameters: { from: "b" } }), pay("a", "$c.output")],
    [call("c", "bank.close", { parameters: { from: "b" } }), pay("a", 1)],
    "different",
    "unknown",
  ],
])("equivalent: %s", (_, one, other, without, with_) => {
  const [a, b] = [readData({ actions: one }).plan, readData({ actions: other }).plan];
  expect(equivalent(a, b).kind).toBe(without);
  expect(equivalent(a, b, { book }).kind).toBe(with_);
  expect(equivalent(b, a, { book }).kind).toBe(with_);
});

test("a difference is worked out with what tools set", () => {
  const [a, b] = [readData({ actions: [pay("a", 60)] }).plan, readData({ actions: [pay("a", 50)] }).plan];
  const found = equivalent(a, b, { book, state: new Map() });
  if (found.kind !== "different") throw new Error(found.kind);
  expect(found.difference.runs.map(({ state }) => plainState(state))).toEqual([
    { "bank.balance[a]": 40 },
    { "bank.balance[a]": 50 },
  ]);
});

test("optimize keeps calls of one cell in order", () => {
  const note = write("n", "k", 1, { dependencies: ["a"] });
  const { plan } = readData({ actions: [pay("a", 60), note, pay("b", 30, { dependencies: ["n"] })] });
  const found = optimize(plan, { book, state: new Map() });
  if (found.kind !== "optimized") throw new Error(found.kind);
  expect(verify(found.plan, { book, state: new Map() }).levels).toEqual([["a", "n"], ["b"]]);
});

/** Calls of the three tools and writes of their cells, at random. */
function anyAction(i: number): fc.Arbitrary<ActionData> {
  const from = fc.constantFrom("a", "b");
  const common = {
    failure_behavior: fc.constantFrom("abort", "skip"),
    dependencies:
      i === 0
        ? fc.constant([])
        : fc.oneof(
            fc.constant([]),
            fc.nat(i - 1).map((j) => [`s${j}`]),
          ),
  };
  const id = fc.constant(`s${i}`);
  const toolCall = (tool: string, parameters: fc.Arbitrary<object>) =>
    fc.record({ id, type: fc.constant("tool_call"), tool: fc.constant(tool), parameters, ...common });
  return fc.oneof(
    toolCall("bank.pay", fc.record({ from, amount: fc.constantFrom(1, 40, 60) })),
    toolCall("bank.close", fc.record({ from })),
    toolCall("bank.settle", fc.record({ from })),
    fc.record({
      id,
      type: fc.constant("state_write"),
      parameters: fc.record({
        key: from.map((one) => `bank.balance[${one}]`),
        value: fc.constantFrom(0, 50, 100),
      }),
      ...common,
    }),
  );
}

test("valid means that no tool is called without what it requires, in any schedule", {
  timeout: timeout(60),
}, () => {
  let valid = 0;
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 6 })
        .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => anyAction(i)))),
      fc.dictionary(fc.constantFrom("bank.balance[a]", "bank.balance[b]"), fc.constantFrom(0, 50), {
        maxKeys: 1,
      }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      (actions, initial, chances) => {
        const { plan } = readData({ actions });
        const found = verify(plan, { book, state: stateOf(initial) });
        if (!found.valid) return;
        valid++;
        const chance = () => chances.next().value;
        const levelOf = new Map(found.levels.flatMap((level, n) => level.map((id) => [id, n] as const)));
        for (let round = 0; round < 3; round++) {
          const schedule = [...plan.actions]
            .map((action) => ({ action, at: (levelOf.get(action.id) ?? 0) + chance() }))
            .sort((a, b) => a.at - b.at)
            .map(({ action }) => action);
          bankRun(schedule, initial, chance);
        }
      },
    ),
    { numRuns: runs(1_500) },
  );
  expect(valid).toBeGreaterThan(atLeast(150));
});

/** The bank itself; throws if something is asked of it that it does not do. */
function bankRun(
  schedule: readonly Action[],
  initial: Readonly<Record<string, number>>,
  chance: () => number,
): void {
  const balance = new Map(Object.entries(initial).map(([key, value]) => [key.slice(13, -1), value]));
  const closed = new Set<string>();
  for (const { type, tool, parameters, failureBehavior } of schedule) {
    const given = plain(parameters) as { from?: string; amount?: number; key?: string; value?: number };
    const { from = "", amount = 0, key = "", value = 0 } = given;
    if (type === "state_write") {
      balance.set(key.slice(13, -1), value);
      continue;
    }
    const held = balance.get(from) ?? 100;
    if (tool === "bank.pay") expect(held).toBeGreaterThanOrEqual(amount);
    if (tool === "bank.settle") expect(closed.has(from)).toBe(true);
    if (chance() < 0.3) {
      if (failureBehavior !== "skip") return;
      if (chance() < 0.5) continue;
    }
    if (tool === "bank.pay") balance.set(from, held - amount);
    if (tool === "bank.close") closed.add(from);
  }
}

describe("on the command line", () => {
  const files = {
    "tools/bank.ts": module,
    "plan.json": JSON.stringify({ actions: [pay("a", 160)] }),
    "empty.json": "{}",
  };

  test("--tools names the folders", async () => {
    const host = fakeHost({ files });
    const code = await runCli(
      ["plan", "verify", "plan.json", "--tools", "tools", "--state", "empty.json"],
      host,
      "0",
    );
    expect(host.out() + host.err()).toContain(
      "`bank.pay` requires `now bank.balance[from] >= amount`, which does not hold for `a`",
    );
    expect(code).toBe(1);
  });

  test("and does not go with --compat", async () => {
    const host = fakeHost({ files });
    expect(
      await runCli(["plan", "verify", "plan.json", "--tools", "tools", "--compat", "car"], host, "0"),
    ).toBe(2);
  });
});
