/** Runs with tool modules: what these say of tools counts, and what the plan claims does not. */
import { describe, expect, test } from "vitest";
import { compileTools } from "../../src/frontend/index.ts";
import { MemoryLog } from "../../src/kernel/index.ts";
import { call, planOf, pre, write } from "./plans.ts";
import {
  codes,
  kernelOn,
  kernelWith,
  type PlanTool,
  ranPlan,
  stateAfter,
  statuses,
  tryPlan,
} from "./running.ts";

const module = `
import { fluent, type Int, tool } from "foreclaim";

export const balance = fluent<string, number>({ initial: 100 });
export const pay = tool({
  requires: ({ from, amount }) => amount > 0 && balance.get(from) >= amount,
  effects: ({ from, amount }) => [balance.set(from, balance.get(from) - amount)],
  cost: ({ amount }) => amount,
  ensures: (result) => result.startsWith("p"),
  run: async ({ from, amount, note }: { from: string; amount: number; note?: string }): Promise<string> => "p1",
  undo: async ({ from }, result) => {},
});
export const look = tool({ reads: true, run: async ({ from }: { from: string }): Promise<Int> => 1 });
export const thirds = tool({
  effects: ({ from, of }) => [balance.set(from, of / 3)],
  run: async ({ from, of }: { from: string; of: number }): Promise<void> => {},
});
`;
const compiled = compileTools(["tools/bank.ts"], {
  readFile: (path) => (path === "tools/bank.ts" ? module : undefined),
});
if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
const declarations = compiled.value;

const pay = (id: string, amount: unknown, more: object = {}) =>
  call(id, "bank.pay", { parameters: { from: "a", amount }, ...more });

function given(more: Partial<PlanTool> = {}): Readonly<Record<string, PlanTool>> {
  return {
    "bank.pay": { run: () => "p1", ...more },
    "bank.look": { run: () => 7 },
    "bank.thirds": { run: () => undefined },
  };
}

describe("what a tool module says", () => {
  test("is what the state becomes, and claims are not written", async () => {
    const plan = planOf(pay("p", 30, { expected_effects: { paid: true } }), pay("q", 20));
    const kernel = await kernelWith({ policy: { budgets: { usd: 60 } } });
    const run = await ranPlan(plan, { kernel, tools: given(), declarations });
    expect(stateAfter(run)).toEqual({ "bank.balance[a]": 50 });
    expect(kernel.status().budgets).toMatchObject({ usd: { net: "50" } });
  });

  test("is what tools receive", async () => {
    const seen: unknown[] = [];
    const run = (args: unknown) => {
      seen.push(args);
      return "p";
    };
    const plan = planOf(
      call("l", "bank.look", { parameters: { from: "a" } }),
      pay("p", "$l.output"),
      pay("q", 0.1),
    );
    // The amount is an output, so that it is positive and not too much cannot be known before.
    expect((await tryPlan(plan, { tools: given({ run }), declarations })).ok).toBe(false);
    await ranPlan(planOf(pay("q", 0.1)), { tools: given({ run }), declarations });
    expect(seen).toEqual([{ from: "a", amount: 0.1 }]);
  });

  test("must hold of what they give", async () => {
    for (const [wrong, code] of [
      ["q1", "FC1506"],
      [5, "FC1505"],
      [null, "FC1505"],
    ] as const) {
      const plan = planOf(write("w", "x", 1), pay("p", 1, { dependencies: ["w"], failure_behavior: "skip" }));
      const run = await ranPlan(plan, { tools: given({ run: () => wrong }), declarations });
      // Also if the action is optional: no verdict foresaw it.
      expect([run.kind, statuses(run), codes(run)]).toEqual(["stopped", "w rolled back, p skipped", code]);
      // It may have paid.
      const left = {
        "unknown bank.balance[a]": { why: { reason: "call failed", args: { tool: "bank.pay" } }, may: [99] },
      };
      expect(stateAfter(run)).toEqual(left);
    }
  });

  test("is not known of what depends on a call that failed", async () => {
    let times = 0;
    const once = () => {
      if (times++ === 0) throw new Error("no answer");
      return "p1";
    };
    const plan = planOf(
      pay("p", 10, { failure_behavior: "skip" }),
      call("t", "bank.thirds", { parameters: { from: "b", of: 9 }, dependencies: ["p"] }),
    );
    const kernel = await kernelWith();
    const first = await ranPlan(plan, { kernel, tools: given({ run: once }), declarations });
    const mark = { why: { reason: "call failed", args: { tool: "bank.pay" } }, may: [90] };
    expect(stateAfter(first)).toEqual({ "bank.balance[b]": 3, "unknown bank.balance[a]": mark });
    // What is there may be 100 or 90: nobody can say that it suffices, or what is left.
    const again = await tryPlan(planOf(pay("q", 95)), {
      kernel,
      tools: given(),
      declarations,
      options: { runId: "two" },
    });
    expect(again.ok).toBe(false);
  });

  test("is not for the plan to say otherwise", async () => {
    const kernel = await kernelWith();
    for (const plan of [
      planOf(write("w", "bank.balance[a]", 1_000)),
      planOf(write("w", "x", 1, { expected_effects: { "bank.balance[a]": 1_000 } })),
    ]) {
      const tried = await tryPlan(plan, { kernel, tools: given(), declarations });
      expect(tried.ok ? "" : tried.problems[0]?.code).toBe("FC3411");
    }
    expect(kernel.status().seq).toBe(1);
  });

  test("must be possible to write down", async () => {
    const plan = planOf(call("t", "bank.thirds", { parameters: { from: "a", of: 10 } }));
    const result = await tryPlan(plan, { tools: given(), declarations });
    expect(result.ok ? "" : codes(result)).toBe("FC3206");
  });

  test("is what a call costs, and what is taken back is given back", async () => {
    const undone: unknown[] = [];
    const undo = (args: unknown, output: unknown) => void undone.push([args, output]);
    const kernel = await kernelWith({ policy: { budgets: { usd: 60 } } });
    const plan = planOf(pay("p", 40), pay("q", 30));
    const run = await ranPlan(plan, { kernel, tools: given({ undo }), declarations });
    expect([statuses(run), codes(run)]).toEqual(["p rolled back, q not reached", "FC4505"]);
    expect(undone).toEqual([[{ from: "a", amount: 40 }, "p1"]]);
    expect(kernel.status().budgets).toMatchObject({ usd: { net: "0", reserved: "0" } });
  });

  test("holds for what the plan says makes up for a call, which is a call like any other", async () => {
    const paid: unknown[] = [];
    const run = (args: unknown) => {
      paid.push(args);
      return "p1";
    };
    const bad = { ...given({ run }), "bank.look": { run: () => "no number" } };
    const endsWith = async (amount: number) => {
      paid.length = 0;
      const kernel = await kernelWith({ policy: { budgets: { usd: 90 } } });
      const compensation = { type: "tool", tool: "bank.pay", parameters: { from: "a", amount } };
      const plan = planOf(
        pay("p", 10, { compensation }),
        call("l", "bank.look", { parameters: { from: "a" }, dependencies: ["p"] }),
      );
      const ran = await ranPlan(plan, { kernel, tools: bad, declarations });
      return [codes(ran), paid.length, stateAfter(ran), kernel.status().budgets.usd?.net];
    };
    // Both are paid for, and the state tells of both.
    expect(await endsWith(20)).toEqual(["FC1505", 2, { "bank.balance[a]": 70 }, "30"]);
    // More than is there, and more than the budget has.
    const left = { "bank.balance[a]": 90 };
    expect(await endsWith(95)).toEqual(["FC1505 FC4511", 1, left, "10"]);
    expect(await endsWith(85)).toEqual(["FC1505 FC4511", 1, left, "10"]);
  });

  test("is looked at when the call is made", async () => {
    const kernel = await kernelWith();
    const plan = planOf(
      call("l", "bank.look", { parameters: { from: "a" } }),
      pay("p", 30, { dependencies: ["l"] }),
    );
    const look = () =>
      kernel
        .execute({ id: "else", effects: [{ key: "bank.balance[a]", op: "set", value: 3 }] })
        .then(() => 1);
    const run = await ranPlan(plan, { kernel, tools: { ...given(), "bank.look": look }, declarations });
    expect(run.endedBy).toMatchObject({
      code: "FC4504",
      message: "others changed `bank.balance[a]`, which the run uses: it holds `3`",
    });
  });

  test("a precondition on its state is met by it", async () => {
    const plan = planOf(
      pay("p", 30),
      write("w", "ok", true, { preconditions: [pre("bank.balance[a]", "eq", 70)] }),
    );
    expect((await ranPlan(plan, { tools: given(), declarations })).kind).toBe("done");
  });

  test("nothing is overwritten that another process wrote until the keys were held", async () => {
    const log = new MemoryLog();
    const [kernel, elsewhere] = [await kernelOn(log), await kernelOn(log)];
    const plan = planOf(
      call("l", "bank.look", { parameters: { from: "a" } }),
      pay("p", 30, { dependencies: ["l"] }),
    );
    // The kernel of the run does not know of it before it asks the ledger again.
    const set = (value: number) =>
      elsewhere.execute({ id: "else", effects: [{ key: "bank.balance[a]", op: "set", value }] });
    const reserve = kernel.reserve.bind(kernel);
    let waiting = 1;
    kernel.reserve = async (action, key) => {
      if (key?.endsWith("call p") === true && waiting-- > 0) await set(90);
      return reserve(action, key);
    };
    const run = await ranPlan(plan, { kernel, tools: given(), declarations });
    expect([run.kind, codes(run), stateAfter(run)]).toEqual(["stopped", "FC4504", { "bank.balance[a]": 90 }]);
  });
});

test.each([
  ["({ a }: { a: string }, call: ToolCall)", true],
  ["({ a }: { a: string }, { key, signal }: ToolCall)", true],
  ["({ a }: { a: string }, { key })", true],
  ["({ a }: { a: string }, b: number)", false],
  ["({ a }: { a: string }, b: { key: string })", false],
])("what `run` may take besides its arguments: %s", (params, isTaken) => {
  const text = `import { tool, type ToolCall } from "foreclaim";\nexport const t = tool({ run: async ${params}: Promise<void> => {} });`;
  const found = compileTools(["tools/x.ts"], {
    readFile: (path) => (path === "tools/x.ts" ? text : undefined),
  });
  expect(found.ok ? [] : found.problems.map(({ code }) => code)).toEqual(isTaken ? [] : ["FC2201"]);
  if (found.ok) expect(found.value.tools[0]?.params).toMatchObject([{ name: "a" }]);
});
