/**
 * What a run does about calls of which nobody knows whether they happened, or how often: what it takes for certain afterwards,
 * what it marks, and what it charges.
 */
import { describe, expect, test } from "vitest";
import { compileTools } from "../../src/frontend/index.ts";
import { type Kernel, type Log, MemoryLog } from "../../src/kernel/index.ts";
import { type PlanProgress, type PlanTool, ToolBook } from "../../src/plan/index.ts";
import { type ActionData, call, planOf, write } from "./plans.ts";
import { kernelOn, kernelWith, ranPlan, stateAfter, statuses, tryPlan } from "./running.ts";

const module = `
import { fluent, tool } from "foreclaim";

export const level = fluent<string, number>({ initial: 0 });
export const put = tool({
  effects: ({ at, n }) => [level.set(at, n)],
  run: async ({ at, n }: { at: string; n: number }): Promise<void> => {},
});
export const twin = tool({
  effects: ({ at, to }) => [level.set(to, level.get(at) + 1)],
  run: async ({ at, to }: { at: string; to: string }): Promise<void> => {},
});
export const fail = tool({ run: async (): Promise<void> => {} });
`;
const compiled = compileTools(["tools/t.ts"], {
  readFile: (path) => (path === "tools/t.ts" ? module : undefined),
});
if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
const made = ToolBook.from(compiled.value);
if (!made.ok) throw new Error(JSON.stringify(made.problems));
const book = made.value;

const skip = { failure_behavior: "skip" };

describe("a call in doubt that is left out", () => {
  const plan = planOf(
    call("a", "t.put", { ...skip, timeout_ms: 10, parameters: { at: "a", n: 5 } }),
    call("b", "t.twin", { dependencies: ["a"], parameters: { at: "a", to: "b" } }),
    call("c", "t.twin", { dependencies: ["b"], parameters: { at: "a", to: "c" } }),
  );
  const tools = { "t.put": () => new Promise(() => {}) };
  const why = { reason: "set from the unknown", args: { tool: "t.twin" } };
  const left = { "unknown t.level[b]": why, "unknown t.level[c]": why };

  test("leaves nothing certain that is worked out from it", async () => {
    const run = await ranPlan(plan, { tools, options: { book } });
    expect([run.kind, statuses(run)]).toEqual(["done", "a in doubt, b done, c done"]);
    expect(stateAfter(run)).toEqual(left);
  });

  test.each(["a", "b"])("nor in a run that was cut off after `%s`", async (last) => {
    const log = new MemoryLog();
    let isGone = false;
    const ledger: Log = {
      read: (...asked) => log.read(...asked),
      transact: (...asked) => (isGone ? Promise.reject(new Error("gone")) : log.transact(...asked)),
    };
    const onProgress = (told: PlanProgress) => {
      if (told.kind === "ended" && told.actionId === last) isGone = true;
    };
    const cut = tryPlan(plan, { kernel: await kernelOn(ledger), tools, options: { book, onProgress } });
    await expect(cut).rejects.toThrow("gone");
    const run = await ranPlan(plan, { kernel: await kernelOn(log), tools, options: { book } });
    expect([run.kind, stateAfter(run)]).toEqual(["done", left]);
  });

  test("nor by what makes up for another call", async () => {
    const undoing = planOf(
      call("a", "t.put", { ...skip, timeout_ms: 10, parameters: { at: "a", n: 5 } }),
      call("b", "t.put", {
        dependencies: ["a"],
        parameters: { at: "b", n: 1 },
        compensation: { type: "tool", tool: "t.twin", parameters: { at: "a", to: "b" } },
      }),
      call("c", "t.fail", { dependencies: ["b"] }),
    );
    const fail = () => {
      throw new Error("no");
    };
    let calls = 0;
    const put = () => (calls++ === 0 ? new Promise(() => {}) : undefined);
    const run = await ranPlan(undoing, { tools: { "t.put": put, "t.fail": fail }, options: { book } });
    expect([run.kind, statuses(run)]).toEqual(["aborted", "a in doubt, b rolled back, c failed"]);
    expect(stateAfter(run)).toEqual({
      "unknown t.level[b]": { reason: "call not taken back", args: { tool: "t.put" } },
    });
  });

  test("is certain again once somebody has said what became of it", async () => {
    const kernel = await kernelWith();
    const onProgress = (told: PlanProgress) => {
      const [doubt] = kernel.inDoubt();
      if (told.kind === "ended" && told.actionId === "b" && doubt) void kernel.settle(doubt.receipt);
    };
    const run = await ranPlan(plan, { kernel, tools, options: { book, onProgress } });
    expect(stateAfter(run)).toEqual({ "t.level[a]": 5, "t.level[c]": 6, "unknown t.level[b]": why });
  });
});

describe("a mark of somebody else on the same key is not lost when the run aborts", () => {
  const bad = () => {
    throw new Error("no");
  };
  const plan = planOf(
    call("a", "bad", { ...skip, expected_effects: { x: 1 } }),
    write("w", "x", 2),
    call("b", "worse", { expected_effects: { x: 3 } }),
  );

  test.each<[string, (told: PlanProgress) => boolean]>([
    ["between two steps", (told) => told.kind === "ended" && told.actionId === "a"],
    ["before anything is rolled back", (told) => told.kind === "rolling back"],
  ])("%s", async (_, isMoment) => {
    const kernel = await kernelWith({ state: { x: 0 } });
    const mark = { key: "unknown x", op: "set", value: { why: "theirs", may: [1, 3, 9] } };
    const onProgress = (told: PlanProgress) => {
      if (isMoment(told)) void kernel.execute({ id: "theirs", effects: [mark] });
    };
    const run = await ranPlan(plan, { kernel, tools: { bad, worse: bad }, options: { onProgress } });
    expect(run.kind).toBe("aborted");
    const is = stateAfter(run)["unknown x"];
    // Anything, or also what they said.
    const text = JSON.stringify(is);
    expect(!text.includes('"may"') || text.includes("9")).toBe(true);
  });
});

describe("a try after one that may have happened is one more call to the kernel", () => {
  const plan = (more: ActionData = {}) =>
    planOf(call("a", "pay", { failure_behavior: "retry", max_retries: 3, ...more }));
  const paying = (thrown: readonly (string | undefined)[], more: Partial<PlanTool> = {}) => {
    const calls: number[] = [];
    const run = () => {
      calls.push(1);
      const name = thrown[calls.length - 1];
      if (name !== undefined) throw Object.assign(new Error("no"), { name });
      return null;
    };
    return { calls, tools: { pay: { run, cost: () => 4, ...more } } };
  };
  const spent = (kernel: Kernel) => kernel.status().budgets.usd?.net;

  test.each<[string, readonly (string | undefined)[], Partial<PlanTool>, string, number, string]>([
    ["once", [], {}, "done", 1, "4"],
    ["twice", ["Error"], {}, "done", 2, "8"],
    ["and nothing had happened", ["NotDone", "NotDone"], {}, "done", 3, "4"],
    ["until the budget is used up", ["Error", "Error", "Error"], {}, "aborted", 2, "8"],
    ["with a tool that does nothing twice", ["Error", "Error"], { usesKey: true }, "done", 3, "4"],
    ["with a tool that says so", ["Error", "Error"], { idempotent: true }, "done", 3, "4"],
  ])("%s", async (_, thrown, more, kind, times, cost) => {
    const kernel = await kernelWith({ policy: { budgets: { usd: 10 } } });
    const { calls, tools } = paying(thrown, more);
    const run = await ranPlan(plan(), { kernel, tools });
    expect([run.kind, calls.length, spent(kernel)]).toEqual([kind, times, cost]);
    if (kind === "aborted") expect(run.endedBy?.message).toContain("the kernel refused another try");
  });

  test("also if only the plan says that it does no harm", async () => {
    const kernel = await kernelWith({ policy: { budgets: { usd: 10 } } });
    const { calls, tools } = paying(["Error", "Error", "Error"]);
    const run = await ranPlan(plan({ idempotent: true }), { kernel, tools });
    expect([run.kind, calls.length, spent(kernel)]).toEqual(["aborted", 2, "8"]);
  });
});
