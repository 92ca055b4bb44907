/**
 * Calls that may or may not have happened, or an unknown number of times: the certain state afterwards, the marks,
 * and the charges.
 */
import { describe, expect, test } from "vitest";
import { compileTools } from "../../src/frontend/index.ts";
import { type Kernel, type Log, MemoryLog } from "../../src/kernel/index.ts";
import type { RunProgress } from "../../src/run/index.ts";
import { type ActionData, call, planOf, write } from "./plans.ts";
import {
  kernelOn,
  kernelWith,
  type PlanTool,
  ranOf,
  ranPlan,
  resumedPlan,
  stateAfter,
  statuses,
  tryPlan,
} from "./running.ts";

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
const declarations = compiled.value;

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
    const run = await ranPlan(plan, { tools, declarations });
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
    const onProgress = (told: RunProgress) => {
      if (told.kind === "ended" && told.actionId === last) isGone = true;
    };
    const cut = tryPlan(plan, {
      kernel: await kernelOn(ledger),
      tools,
      declarations,
      options: { onProgress },
    });
    await expect(cut).rejects.toThrow("gone");
    const run = ranOf(await resumedPlan(plan, await kernelOn(log), { tools, declarations }));
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
    const run = await ranPlan(undoing, { tools: { "t.put": put, "t.fail": fail }, declarations });
    expect([run.kind, statuses(run)]).toEqual(["stopped", "a in doubt, b rolled back, c failed"]);
    expect(stateAfter(run)).toEqual({
      "t.level[b]": 1,
      "unknown t.level[b]": { reason: "set from the unknown", args: { tool: "t.twin" } },
    });
  });

  test("is what somebody says became of it, and what was worked out before stays unknown", async () => {
    const kernel = await kernelWith();
    const onProgress = (told: RunProgress) => {
      const doubt = kernel.inDoubt().find(({ key }) => key?.includes(" call a"));
      if (told.kind === "ended" && told.actionId === "b" && doubt) void kernel.settle(doubt.receipt);
    };
    const run = await ranPlan(plan, { kernel, tools, declarations, options: { onProgress } });
    expect(stateAfter(run)).toEqual({ "t.level[a]": 5, ...left });
  });
});

describe("a mark of somebody else on the same key is not lost when the run stops", () => {
  const bad = () => {
    throw new Error("no");
  };
  const plan = planOf(
    write("w", "x", 2),
    call("b", "worse", { dependencies: ["w"], failure_behavior: "retry", max_retries: 1 }),
  );

  test.each<[string, (told: RunProgress) => boolean]>([
    ["between two steps", (told) => told.kind === "ended" && told.actionId === "w"],
    ["before the run stops", (told) => told.kind === "retrying"],
  ])("%s", async (_, isMoment) => {
    const kernel = await kernelWith({ state: { x: 0 } });
    const mark = { key: "unknown x", op: "set", value: { why: "theirs", may: [1, 3, 9] } };
    const onProgress = (told: RunProgress) => {
      if (isMoment(told)) void kernel.execute({ id: "theirs", effects: [mark] });
    };
    const run = await ranPlan(plan, { kernel, tools: { worse: bad }, options: { onProgress } });
    expect(run.kind).toBe("stopped");
    expect(stateAfter(run)["unknown x"]).toEqual(mark.value);
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
    return { calls, tools: { pay: { run, cost: 4n, ...more } } };
  };
  const spent = (kernel: Kernel) => kernel.status().budgets.usd?.net;

  test.each<[string, readonly (string | undefined)[], Partial<PlanTool>, string, number, string]>([
    ["once", [], {}, "done", 1, "4"],
    ["twice", ["Error"], {}, "done", 2, "8"],
    ["and nothing had happened", ["NotDone", "NotDone"], {}, "done", 3, "4"],
    ["until the budget is used up", ["Error", "Error", "Error"], {}, "stopped", 2, "8"],
    ["with a tool that says so", ["Error", "Error"], { idempotent: true }, "done", 3, "4"],
  ])("%s", async (_, thrown, more, kind, times, cost) => {
    const kernel = await kernelWith({ policy: { budgets: { usd: 10 } } });
    const { calls, tools } = paying(thrown, more);
    const run = await ranPlan(plan(), { kernel, tools });
    expect([run.kind, calls.length, spent(kernel)]).toEqual([kind, times, cost]);
    if (kind === "stopped") expect(run.endedBy?.message).toContain("the kernel refused `a, try 3`");
  });

  test("also if only the plan says that it does no harm", async () => {
    const kernel = await kernelWith({ policy: { budgets: { usd: 10 } } });
    const { calls, tools } = paying(["Error", "Error", "Error"]);
    const run = await ranPlan(plan({ idempotent: true }), { kernel, tools });
    expect([run.kind, calls.length, spent(kernel)]).toEqual(["stopped", 2, "8"]);
  });
});
