/** Runs of plans: order, preconditions, failures, retries, time, rollback, compensation. */
import { describe, expect, test } from "vitest";
import { MemoryLog, NotDone } from "../../src/kernel/index.ts";
import { readPlan, runLimits } from "../../src/plan/index.ts";
import { waitBefore } from "../../src/run/attempts.ts";
import type { RunProgress } from "../../src/run/index.ts";
import { type ActionData, call, planOf, pre, write } from "./plans.ts";
import {
  codes,
  doubtful,
  JumpingClock,
  kernelOn,
  kernelWith,
  never,
  ranOf,
  ranPlan,
  resumedPlan,
  stateAfter,
  statuses,
  tryPlan,
} from "./running.ts";

const fails = () => {
  throw new Error("out of paper");
};

describe("a plan that goes well", () => {
  test.each(["0.12345678901234567891", "9007199254740993"])("keeps the number %s exact", async (number) => {
    const read = readPlan(`{ "actions": [
      { "id": "w", "type": "state_write", "parameters": { "key": "n", "value": ${number} } },
      { "id": "r", "type": "state_read", "parameters": { "key": "n" } },
      { "id": "p", "type": "state_write", "parameters": { "key": "m", "value": ["$r.output"] } },
      { "id": "a", "type": "assertion", "parameters": { "key": "n", "operator": "eq", "value": "$r.output" } }
    ] }`);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const kernel = await kernelWith();
    const run = await ranPlan(read.value.plan, { kernel });
    expect([run.kind, kernel.cell("m")]).toEqual(["done", `[${number}]`]);
  });

  test("leaves its effects, and gives outputs on", async () => {
    const plan = planOf(
      write("w", "n", 1),
      { id: "r", type: "state_read", parameters: { key: "n" } },
      call("c", "print", {
        parameters: { text: "$r.output", deep: [{ n: "$r.output" }] },
      }),
      write("p", "printed", "$r.output"),
      { id: "a", type: "assertion", parameters: { key: "printed", operator: "eq", value: "$r.output" } },
      write("last", "page", "$c.output.pages.0"),
    );
    const seen: unknown[] = [];
    const run = await ranPlan(plan, {
      tools: {
        print: (args) => {
          seen.push(args);
          return { pages: [7] };
        },
      },
    });
    expect(run.kind).toBe("done");
    expect(seen).toEqual([{ text: 1, deep: [{ n: 1 }] }]);
    expect(stateAfter(run)).toEqual({ n: 1, printed: 1, page: 7 });
    expect(statuses(run)).toBe("w done, r done, c done, p done, a done, last done");
  });

  test("runs what may run together together, within the limit", async () => {
    const plan = planOf(...Array.from({ length: 6 }, (_, i) => call(`a${i}`, "t", { parameters: { i } })));
    for (const concurrency of [1, 2, 4, 6]) {
      const clock = new JumpingClock();
      let [now, most] = [0, 0];
      await ranPlan(plan, {
        tools: {
          t: async () => {
            most = Math.max(most, ++now);
            await clock.sleep(10, never);
            now--;
          },
        },
        options: { concurrency, clock },
      });
      expect(most).toBe(concurrency);
    }
  });

  test("numbers stay what they are", async () => {
    const plan = planOf(
      { id: "w", type: "state_write", parameters: { key: "x", value: 0.1 } },
      call("c", "t", {
        parameters: { big: 9007199254740991, part: 0.1 },
        preconditions: [pre("x", "eq", 0.1)],
      }),
    );
    let seen: unknown;
    await ranPlan(plan, {
      tools: {
        t: (args) => {
          seen = args;
        },
      },
    });
    expect(seen).toEqual({ big: 9007199254740991, part: 0.1 });
  });

  test("what a tool gives is data, also if it looks like a reference", async () => {
    const plan = planOf(call("a", "t"), call("b", "u", { parameters: { x: "$a.output" } }));
    let seen: unknown;
    const run = await ranPlan(plan, {
      tools: {
        t: () => "$b.output",
        u: (args) => {
          seen = args;
        },
      },
    });
    expect([run.kind, seen]).toEqual(["done", { x: "$b.output" }]);
  });

  test("a result that is not of its type stops the run, and so does one that lacks what is referred to", async () => {
    const odd = await ranPlan(planOf(call("a", "t")), { tools: { t: () => () => {} } });
    expect([odd.kind, codes(odd), statuses(odd)]).toEqual(["stopped", "FC1505", "a failed"]);
    // Also if the action that refers to it is optional.
    const needs = planOf(
      call("a", "t"),
      call("b", "u", { parameters: { x: "$a.output.id" }, failure_behavior: "skip" }),
    );
    const run = await ranPlan(needs, { tools: { t: () => ({ name: "x" }) } });
    expect([run.kind, codes(run), statuses(run)]).toEqual([
      "stopped",
      "FC1505 FC4511",
      "a done, b not reached",
    ]);
  });

  test("an empty plan is done", async () => {
    expect((await ranPlan(planOf())).kind).toBe("done");
  });
});

describe("a plan that could go wrong is not begun", () => {
  const plan = planOf(write("w", "x", 1), call("c", "t", { preconditions: [pre("x", "eq", 2)] }));

  test("nothing of it happens", async () => {
    const kernel = await kernelWith();
    const result = await tryPlan(plan, { kernel });
    expect(result).toMatchObject({ ok: false, problems: [{ code: "FC3101" }] });
    expect(kernel.status().seq).toBe(1);
  });

  test("it is judged on the state of the kernel", async () => {
    const needs = planOf(call("c", "t", { preconditions: [pre("x", "eq", 2)] }));
    expect((await tryPlan(needs, { state: { x: 1 } })).ok).toBe(false);
    expect((await tryPlan(needs, { state: { x: 2 } })).ok).toBe(true);
  });

  test("what the plan claims of a call is not written, and counts for nothing", async () => {
    const claims = planOf(
      call("a", "t", { expected_effects: { x: 1 } }),
      call("b", "u", { preconditions: [pre("x", "eq", 1)] }),
    );
    expect(await tryPlan(claims)).toMatchObject({ ok: false, problems: [{ code: "FC3102" }] });
    const run = await ranPlan(planOf(call("a", "t", { expected_effects: { x: 1 } })));
    expect(stateAfter(run)).toEqual({});
  });
});

describe("bad input is refused, and nothing changes", () => {
  const one = planOf(call("a", "t"));
  const late = (ms: unknown) => planOf(call("a", "t", { timeout_ms: ms }));
  const retries = (n: number) => planOf(call("a", "t", { failure_behavior: "retry", max_retries: n }));
  const undoneBy = (compensation: unknown, ...more: readonly ActionData[]) =>
    planOf(call("a", "t", { compensation }), ...more);

  test.each([
    ["no handler", one, { tools: new Map() }, "FC4501"],
    ["no concurrency", one, { concurrency: 0 }, "FC4501"],
    ["most concurrency", one, { concurrency: runLimits.concurrency }, ""],
    ["too much concurrency", one, { concurrency: runLimits.concurrency + 1 }, "FC4501"],
    ["half a concurrency", one, { concurrency: 1.5 }, "FC4501"],
    ["no time", one, { timeoutMs: 0 }, "FC4501"],
    ["most time", one, { timeoutMs: runLimits.timeoutMs }, ""],
    ["too much time", one, { timeoutMs: runLimits.timeoutMs + 1 }, "FC4501"],
    ["endless time", one, { timeoutMs: Number.POSITIVE_INFINITY }, "FC4501"],
    ["no grace", one, { graceMs: 0 }, ""],
    ["too much grace", one, { graceMs: runLimits.graceMs + 1 }, "FC4501"],
    ["an id with a space", one, { runId: "a b" }, "FC4501"],
    ["an empty id", one, { runId: "" }, "FC4501"],
    ["the longest id", one, { runId: "a".repeat(runLimits.runIdLength) }, ""],
    ["an id that is too long", one, { runId: "a".repeat(runLimits.runIdLength + 1) }, "FC4501"],
    ["an action without time", late(0), {}, "FC3306"],
    ["an action with most time", late(runLimits.timeoutMs), {}, ""],
    ["an action with too much time", late(runLimits.timeoutMs + 1), {}, "FC3306"],
    ["most retries", retries(runLimits.retries), {}, ""],
    ["too many retries", retries(runLimits.retries + 1), {}, "FC3306"],
    ["retries that are not made", planOf(call("a", "t", { max_retries: 4_000_000_000 })), {}, ""],
    [
      "a compensation for a write",
      planOf(write("w", "x", 1, { compensation: { type: "tool", tool: "t" } })),
      {},
      "FC3303",
    ],
    [
      "a compensation by nobody",
      undoneBy({ type: "tool", tool: "gone" }),
      { tools: new Map([["t", { run: () => null }]]) },
      "FC4501",
    ],
    [
      "a compensation by a write",
      undoneBy({ type: "action_ref", action_id: "w" }, write("w", "x", 1)),
      {},
      "FC3303",
    ],
    [
      "a compensation with the output of nobody",
      undoneBy({ type: "tool", tool: "t", parameters: { x: "$z.output" } }),
      {},
      "FC3303",
    ],
    [
      "a circle",
      planOf(call("a", "t", { dependencies: ["b"] }), call("b", "t", { dependencies: ["a"] })),
      {},
      "FC3007",
    ],
  ])("%s", async (_, plan, options, code) => {
    const kernel = await kernelWith();
    const result = await tryPlan(plan, { kernel, options });
    expect(result.ok ? "" : codes(result)).toBe(code);
    if (!result.ok) expect(kernel.status().seq).toBe(1);
  });

  test("more actions than a run takes", async () => {
    const many = (n: number) => planOf(...Array.from({ length: n }, (_, i) => write(`w${i}`, `k${i}`, i)));
    const result = await tryPlan(many(runLimits.actions + 1));
    expect(result.ok ? "" : codes(result)).toBe("FC3306");
  });
});

describe("an action that fails", () => {
  test("ends the plan, and what was done is rolled back", async () => {
    const plan = planOf(
      write("w", "x", 2),
      write("v", "y", 1),
      call("c", "t", { dependencies: ["w", "v"] }),
      write("z", "z", 1, { dependencies: ["c"] }),
    );
    const run = await ranPlan(plan, { state: { x: 1 }, tools: { t: fails } });
    expect(statuses(run)).toBe("w rolled back, v rolled back, c failed, z not reached");
    expect([run.kind, codes(run), run.endedBy?.message]).toEqual([
      "stopped",
      "FC1504",
      "`t` failed: out of paper",
    ]);
    expect(stateAfter(run)).toEqual({ x: 1 });
  });

  test("with `skip` is left out", async () => {
    const plan = planOf(
      call("c", "t", { failure_behavior: "skip", parameters: { sets: "x", to: 2 } }),
      call("w", "u", { dependencies: ["c"], parameters: { sets: "x", to: 3 } }),
    );
    const run = await ranPlan(plan, { state: { "s[x]": 1 }, tools: { t: fails } });
    expect([run.kind, statuses(run), codes(run)]).toEqual(["done", "c skipped, w done", ""]);
    expect(run.actions[0]?.reason).toBe("out of paper");
    expect(stateAfter(run)).toEqual({ "s[x]": 3 });
  });

  test("with `retry` is tried again, with waits that grow by chance", async () => {
    const plan = planOf(call("c", "t", { failure_behavior: "retry", max_retries: 4 }));
    const clock = new JumpingClock();
    const seen: unknown[] = [];
    const run = await ranPlan(plan, {
      tools: {
        t: (_, { attempt, key }) => {
          seen.push([attempt, key]);
          if (attempt < 4) throw new Error("busy");
          return "ok";
        },
      },
      options: { clock },
    });
    expect(run.actions).toMatchObject([{ status: "done", attempts: 4 }]);
    expect(clock.slept).toEqual([100, 200, 400]);
    expect(new Set(seen.map((one) => (one as unknown[])[1])).size).toBe(1);
  });

  test("fails for good after its last try", async () => {
    const plan = planOf(call("c", "t", { failure_behavior: "retry", max_retries: 2 }));
    const run = await ranPlan(plan, { tools: { t: fails } });
    expect([run.kind, run.actions[0]?.attempts]).toEqual(["stopped", 3]);
  });

  test("waits are bounded, and anything from nothing on", () => {
    expect([1, 2, 3, 8, 9, 50, 5000].map((n) => waitBefore(n, 0.999999))).toEqual([
      199, 399, 799, 25599, 29999, 29999, 29999,
    ]);
    expect(waitBefore(5, 0)).toBe(0);
  });

  test("what is known not to have happened costs nothing and is in no doubt", async () => {
    const kernel = await kernelWith({ policy: { budgets: { usd: 10 } } });
    const nothing = {
      run: () => {
        throw new NotDone("no connection");
      },
      cost: 3n,
    };
    const run = await ranPlan(planOf(call("c", "t")), { kernel, tools: { t: nothing } });
    expect(run.endedBy?.message).toBe("`t` failed: no connection");
    expect(kernel.status()).toMatchObject({ inDoubt: [], budgets: { usd: { net: "0", left: "10" } } });
  });

  test("while others are under way lets them come to their end, and takes them back too", async () => {
    const clock = new JumpingClock();
    const plan = planOf(call("slow", "slow", { parameters: { sets: "x", to: 1 } }), call("bad", "bad"));
    const run = await ranPlan(plan, {
      tools: { slow: () => clock.sleep(50, never), bad: fails },
      options: { clock },
    });
    expect(statuses(run)).toBe("slow done, bad failed");
    expect(run.notUndone).toEqual(["slow"]);
    // It is in the state as in the world.
    expect(stateAfter(run)).toEqual({ "s[x]": 1 });
  });

  test("what it may have set is not known any more, until something else sets it", async () => {
    const kernel = await kernelWith({ state: { "s[x]": 0 } });
    const tools = { bad: fails, good: () => null };
    const failing = planOf(call("a", "bad", { parameters: { sets: "x", to: 1 }, failure_behavior: "skip" }));
    const first = await ranPlan(failing, { kernel, tools, options: { runId: "one" } });
    const mark = { why: { reason: "call failed", args: { tool: "bad" } }, may: [1] };
    expect(stateAfter(first)).toEqual({ "s[x]": 0, "unknown s[x]": mark });
    const asks = (operator: string, value: unknown) =>
      tryPlan(planOf(call("b", "good", { preconditions: [pre("s[x]", operator, value)] })), {
        kernel,
        tools,
        options: { runId: `${operator}${value}` },
      });
    // Whichever it is, or not whichever it is.
    expect((await asks("lt", 2)).ok).toBe(true);
    expect((await asks("eq", 0)).ok).toBe(false);
    expect((await asks("eq", 1)).ok).toBe(false);
    const settled = planOf(
      call("w", "set", { parameters: { sets: "x", to: 5 } }),
      call("b", "good", { preconditions: [pre("s[x]", "eq", 5)] }),
    );
    const last = await ranPlan(settled, { kernel, tools, options: { runId: "last" } });
    expect([last.kind, stateAfter(last)]).toEqual(["done", { "s[x]": 5 }]);
  });

  test.each(["unknown x", "limit mail", "ended run r1", "run:home.door"])(
    "a plan cannot set %s, by which marks and limits are kept",
    async (key) => {
      const kernel = await kernelWith({ state: { x: 0, [key]: "kept" } });
      for (const plan of [
        planOf(write("w", key, { may: [] })),
        planOf(call("a", "good", { expected_effects: { [key]: [] } })),
        planOf(call("a", "good", { write_set: [key] })),
      ]) {
        const tried = await tryPlan(plan, { kernel, tools: { good: () => null } });
        expect(tried.ok ? "" : tried.problems[0]?.code).toBe("FC3306");
      }
      expect(kernel.status().seq).toBe(1);
    },
  );

  test("which of several values it left is kept as long as they are few", async () => {
    const kernel = await kernelWith();
    const failing = (n: number) =>
      ranPlan(planOf(call("a", "bad", { parameters: { sets: "x", to: n }, failure_behavior: "skip" })), {
        kernel,
        tools: { bad: fails },
        options: { runId: `r${n}` },
      });
    for (let n = 1; n <= 8; n++) await failing(n);
    expect(stateAfter(await failing(9))).toEqual({
      "unknown s[x]": { reason: "call failed", args: { tool: "bad" } },
    });
  });

  test("what is asked for is looked at when the action is reached", async () => {
    const kernel = await kernelWith({ state: { x: 1 } });
    const plan = planOf(
      call("a", "t"),
      call("b", "u", { dependencies: ["a"], preconditions: [pre("x", "eq", 1)] }),
    );
    const run = await ranPlan(plan, {
      kernel,
      tools: {
        // Somebody else, on the same kernel.
        t: () =>
          kernel.execute({ id: "else", effects: [{ key: "x", op: "set", value: 2 }] }).then(() => null),
      },
    });
    expect([run.endedBy?.code, run.endedBy?.message]).toEqual([
      "FC1504",
      "`u` failed: `b` asks for `x eq 1`, and `x` is `2`",
    ]);
  });
});

describe("time", () => {
  const slow = (clock: JumpingClock, ms: number) => () => clock.sleep(ms, never).then(() => "late");

  test("a call that takes too long is told to stop, and is in doubt", async () => {
    const clock = new JumpingClock();
    const kernel = await kernelWith();
    const told: unknown[] = [];
    const progress: RunProgress[] = [];
    const plan = planOf(
      write("w", "y", 1),
      call("c", "t", { timeout_ms: 100, parameters: { sets: "x", to: 1 }, dependencies: ["w"] }),
    );
    const run = await ranPlan(plan, {
      kernel,
      tools: {
        t: (_, { signal }) => {
          signal.addEventListener("abort", () => told.push(signal.reason.message));
          return clock.sleep(5_000, never);
        },
      },
      options: { clock, onProgress: (one) => progress.push(one) },
    });
    expect(told).toEqual(["it timed out after 100 ms"]);
    // Nothing is compensated before somebody has said what became of the call.
    expect([run.kind, statuses(run), codes(run)]).toEqual(["in doubt", "w done, c in doubt", "FC4508"]);
    expect(doubtful(run)).toMatchObject([{ actionId: "c", receipt: expect.stringMatching(/^r\d+-/) }]);
    // The call, and the run itself.
    expect(kernel.inDoubt()).toHaveLength(2);
    await clock.sleep(10_000, never);
    // It finished long after, and that changed nothing.
    expect(progress.at(-1)).toEqual({ kind: "late", actionId: "c" });
    expect([kernel.cell("s[x]"), kernel.inDoubt().length]).toEqual([undefined, 2]);
  });

  test("one that says in time that it did nothing is not", async () => {
    const clock = new JumpingClock();
    const run = await ranPlan(planOf(call("c", "t", { timeout_ms: 100 })), {
      tools: {
        t: async (_, { signal }) => {
          await clock.sleep(5_000, signal);
          throw new NotDone("stopped before it was sent");
        },
      },
      options: { clock },
    });
    expect([run.kind, statuses(run)]).toEqual(["stopped", "c failed"]);
  });

  test("it is called again only where that does no harm", async () => {
    const attempts = async (more: object, tool: object = {}) => {
      const clock = new JumpingClock();
      const plan = planOf(
        call("c", "t", { timeout_ms: 10, failure_behavior: "retry", max_retries: 2, ...more }),
      );
      const run = await ranPlan(plan, {
        tools: { t: { run: slow(clock, 60_000), ...tool } },
        options: { clock },
      });
      return [run.actions[0]?.attempts, run.actions[0]?.status];
    };
    expect(await attempts({})).toEqual([1, "in doubt"]);
    expect(await attempts({}, { idempotent: true })).toEqual([3, "in doubt"]);
    // The module knows better than the plan.
    expect(await attempts({ idempotent: true })).toEqual([1, "in doubt"]);
  });

  test.each([
    ["failed", () => new Error("no money")],
    ["was not done", () => new NotDone("no line")],
  ])("a first try that ran out of time leaves it in doubt although the last one %s", async (_, error) => {
    const clock = new JumpingClock();
    const kernel = await kernelWith();
    const plan = planOf(call("c", "t", { timeout_ms: 10, failure_behavior: "retry", max_retries: 1 }));
    let calls = 0;
    const t = {
      idempotent: true,
      run: async () => {
        calls++;
        if (calls === 1) await clock.sleep(60_000, never);
        if (calls < 4) throw error();
        return null;
      },
    };
    const tried = { tools: { t }, options: { clock } };
    const run = await ranPlan(plan, { kernel, ...tried });
    expect([run.kind, statuses(run), codes(run)]).toEqual(["in doubt", "c in doubt", "FC4508"]);
    expect(run.problems[0]?.message).toContain("an earlier attempt timed out");
    // Another process knows it too, and may try again, since that does no harm.
    const resumed = ranOf(await resumedPlan(plan, kernel, tried));
    expect([resumed.kind, statuses(resumed)]).toEqual(["in doubt", "c in doubt"]);
    const last = ranOf(await resumedPlan(plan, kernel, tried));
    expect([last.kind, statuses(last), calls]).toEqual(["done", "c done", 4]);
  });

  test("a person who says that the last try did not happen has not spoken of the first", async () => {
    const clock = new JumpingClock();
    const kernel = await kernelWith();
    const plan = planOf(call("c", "t", { timeout_ms: 10, failure_behavior: "retry", max_retries: 1 }));
    let calls = 0;
    const t = {
      idempotent: true,
      run: async () => {
        if (++calls === 1) await clock.sleep(60_000, never);
        throw new Error("no money");
      },
    };
    const tried = { tools: { t }, options: { clock } };
    const run = await ranPlan(plan, { kernel, ...tried });
    await kernel.release(run.actions[0]?.receipt ?? "", "the tool knows nothing of it");
    const resumed = ranOf(await resumedPlan(plan, kernel, tried));
    expect([resumed.kind, statuses(resumed)]).toEqual(["in doubt", "c in doubt"]);
  });

  test("an action that is not tried again, because another ended the plan, is in doubt", async () => {
    const clock = new JumpingClock();
    const kernel = await kernelWith();
    const plan = planOf(
      call("c", "t", { timeout_ms: 10, failure_behavior: "retry", max_retries: 2 }),
      call("b", "bad"),
    );
    let calls = 0;
    const t = {
      idempotent: true,
      run: async () => (++calls === 1 ? clock.sleep(60_000, never) : undefined),
    };
    const bad = async () => {
      await clock.sleep(1_005, never);
      throw new Error("no");
    };
    const tried = { tools: { t, bad }, options: { clock, random: () => 0.9 } };
    const run = await ranPlan(plan, { kernel, ...tried });
    expect([run.kind, statuses(run), calls]).toEqual(["in doubt", "c in doubt, b failed", 1]);
    const resumed = ranOf(await resumedPlan(plan, kernel, tried));
    expect([resumed.kind, calls]).toEqual(["stopped", 2]);
  });

  test("a late answer is not taken beside that of the next try", async () => {
    const clock = new JumpingClock();
    const plan = planOf(call("c", "t", { timeout_ms: 100, failure_behavior: "retry" }));
    let calls = 0;
    const run = await ranPlan(plan, {
      tools: {
        t: {
          idempotent: true,
          run: async () => {
            const mine = ++calls;
            await clock.sleep(mine === 1 ? 1_150 : 10, never);
            return mine;
          },
        },
      },
      options: { clock },
    });
    expect(run.actions).toMatchObject([{ status: "done", attempts: 2 }]);
    expect(stateAfter(run)).toEqual({});
  });

  test("skipped, it stays in doubt and the plan goes on", async () => {
    const clock = new JumpingClock();
    const plan = planOf(
      call("c", "t", { timeout_ms: 10, failure_behavior: "skip" }),
      write("w", "x", 1, { dependencies: ["c"] }),
    );
    const run = await ranPlan(plan, { tools: { t: slow(clock, 60_000) }, options: { clock } });
    expect([run.kind, statuses(run)]).toEqual(["done", "c in doubt, w done"]);
  });
});

describe("an interruption", () => {
  test("tells what is under way, begins nothing more, and rolls back", async () => {
    const clock = new JumpingClock();
    const stop = new AbortController();
    const plan = planOf(
      write("w", "x", 1),
      call("c", "t", { dependencies: ["w"] }),
      write("z", "z", 1, { dependencies: ["c"] }),
    );
    const run = await ranPlan(plan, {
      tools: {
        t: async (_, { signal }) => {
          stop.abort();
          await clock.sleep(60_000, signal);
          throw new NotDone("stopped");
        },
      },
      options: { clock, signal: stop.signal },
    });
    expect([run.kind, statuses(run)]).toEqual(["stopped", "w rolled back, c failed, z not reached"]);
    expect(stateAfter(run)).toEqual({});
  });

  test("what is only reserved then is not begun", async () => {
    const stop = new AbortController();
    const kernel = await kernelWith();
    const reserve = kernel.reserve.bind(kernel);
    kernel.reserve = async (action, key) => {
      const outcome = await reserve(action, key);
      if (key?.includes(" call ")) stop.abort();
      return outcome;
    };
    const plan = planOf(call("c", "t"), write("w", "x", 1));
    const run = await ranPlan(plan, { kernel, tools: { t: fails }, options: { signal: stop.signal } });
    expect([run.kind, statuses(run)]).toEqual(["stopped", "c failed, w not reached"]);
    expect(kernel.inDoubt()).toEqual([]);
  });

  test("before anything was begun", async () => {
    const run = await ranPlan(planOf(call("c", "t")), { options: { signal: AbortSignal.abort() } });
    expect([run.kind, statuses(run)]).toEqual(["stopped", "c not reached"]);
  });

  test("a call that does not listen is in doubt", async () => {
    const stop = new AbortController();
    const clock = new JumpingClock();
    const run = await ranPlan(planOf(call("c", "t")), {
      tools: {
        t: () => {
          stop.abort();
          return clock.sleep(60_000, never);
        },
      },
      options: { clock, signal: stop.signal },
    });
    expect([run.kind, statuses(run)]).toEqual(["in doubt", "c in doubt"]);
  });
});

describe("what makes up for calls", () => {
  const paid = (log: string[]) => ({
    pay: { run: () => ({ id: "p7" }), cost: 4n },
    refund: (args: unknown) => void log.push(`refund ${JSON.stringify(args)}`),
    undoable: {
      run: () => ({ id: "u1" }),
      undo: (args: unknown, output: unknown) => void log.push(`undo ${JSON.stringify([args, output])}`),
      cost: 4n,
    },
    bad: fails,
  });
  const budgeted = () => kernelWith({ policy: { budgets: { usd: 10 } } });

  test("is called newest first, with outputs", async () => {
    const log: string[] = [];
    const kernel = await budgeted();
    const plan = planOf(
      call("p", "pay", {
        compensation: { type: "tool", tool: "refund", parameters: { id: "$p.output.id" } },
      }),
      call("u", "undoable", { parameters: { n: 1 }, dependencies: ["p"] }),
      call("b", "bad", { dependencies: ["u"] }),
    );
    const run = await ranPlan(plan, { kernel, tools: paid(log) });
    expect(log).toEqual(['undo [{"n":1},{"id":"u1"}]', 'refund {"id":"p7"}']);
    expect([statuses(run), run.notUndone]).toEqual(["p rolled back, u rolled back, b failed", []]);
    // The tool's own undo gives the cost back. A compensation of the plan may be anything.
    expect(kernel.status().budgets).toMatchObject({ usd: { net: "4", reserved: "0", left: "6" } });
  });

  test("by another action of the plan", async () => {
    const log: string[] = [];
    const plan = planOf(
      call("p", "pay", { compensation: { type: "action_ref", action_id: "r" } }),
      call("b", "bad", { dependencies: ["p"] }),
      call("r", "refund", { parameters: { all: true }, dependencies: ["b"] }),
    );
    const run = await ranPlan(plan, { tools: paid(log) });
    expect([log, statuses(run)]).toEqual([['refund {"all":true}'], "p rolled back, b failed, r not reached"]);
  });

  test("what nothing makes up for is told, and its charge is kept", async () => {
    const kernel = await budgeted();
    const plan = planOf(
      call("p", "pay", { parameters: { sets: "x", to: 1 } }),
      call("b", "bad", { dependencies: ["p"] }),
    );
    const run = await ranPlan(plan, { kernel, tools: paid([]) });
    const left = { "s[x]": 1 };
    expect([statuses(run), run.notUndone, stateAfter(run)]).toEqual(["p done, b failed", ["p"], left]);
    expect(kernel.status().budgets).toMatchObject({ usd: { net: "4", reserved: "0" } });
  });

  test("an agent cannot win its budget back by failing", async () => {
    const kernel = await budgeted();
    const tools = paid([]);
    const plan = planOf(
      call("p", "pay", { compensation: { type: "tool", tool: "refund" } }),
      call("b", "bad", { dependencies: ["p"] }),
    );
    let paidTimes = 0;
    const counting = {
      ...tools,
      pay: {
        ...tools.pay,
        run: () => {
          paidTimes++;
          return { id: "p" };
        },
      },
    };
    for (let i = 0; i < 6; i++) await ranPlan(plan, { kernel, tools: counting, options: { runId: `r${i}` } });
    expect(paidTimes * 4).toBeLessThanOrEqual(10);
  });

  test("where it fails, that is told and the rest goes on", async () => {
    const log: string[] = [];
    const kernel = await budgeted();
    const plan = planOf(
      call("u", "undoable"),
      call("p", "pay", { compensation: { type: "tool", tool: "bad" }, dependencies: ["u"] }),
      call("b", "bad", { dependencies: ["p"] }),
    );
    const run = await ranPlan(plan, { kernel, tools: paid(log) });
    expect(codes(run)).toBe("FC1504 FC4511");
    expect(run.problems[1]?.message).toContain("`pay` (`p`) was not undone: ");
    expect(run.problems[1]?.message).toContain("out of paper");
    expect([log.length, run.notUndone]).toEqual([1, ["p"]]);
    expect(kernel.status().budgets).toMatchObject({ usd: { net: "4", reserved: "0" } });
  });

  test("a step that somebody built on stays, and that is told", async () => {
    const kernel = await kernelWith();
    const plan = planOf(
      write("w", "x", 1),
      write("v", "y", 1),
      call("b", "bad", { dependencies: ["w", "v"] }),
    );
    const run = await ranPlan(plan, {
      kernel,
      tools: {
        bad: async () => {
          await kernel.execute({ id: "else", effects: [{ key: "x", op: "increment", value: 1 }] });
          throw new Error("out of paper");
        },
      },
    });
    expect([statuses(run), codes(run)]).toEqual(["w done, v rolled back, b failed", "FC1504 FC4511"]);
    expect(stateAfter(run)).toEqual({ x: 2 });
  });
});

describe("calls that race for one budget", () => {
  const plan = planOf(
    ...Array.from({ length: 6 }, (_, i) =>
      call(`a${i}`, "pay", { parameters: { i }, failure_behavior: "skip" }),
    ),
  );

  test.each([
    ["of the kernel", { policy: { budgets: { usd: 10 } } }, {}],
    ["that was approved", { policy: { budgets: { usd: 100 } } }, { receipt: { budget: "10" } }],
  ])("never spend more than there is: %s", async (_, given, more) => {
    const kernel = await kernelWith(given);
    const clock = new JumpingClock();
    let [paid, now, most] = [0, 0, 0];
    const run = async () => {
      paid += 4;
      most = Math.max(most, ++now);
      await clock.sleep(10, never);
      now--;
    };
    await ranPlan(plan, { kernel, tools: { pay: { run, cost: 4n } }, options: { clock }, ...more });
    expect([paid, most, kernel.status().budgets.usd?.net]).toEqual([8, 2, "8"]);
  });
});

describe("the kernel", () => {
  test("refuses what is against its rules, and that fails the action", async () => {
    const kernel = await kernelWith({
      state: { x: 0, y: 0 },
      policy: {
        rules: [{ name: "small", enforcement: "blocking", rule: "range", key: "x", min: 0, max: 5 }],
      },
    });
    const plan = planOf(write("v", "y", 1), write("w", "x", 9, { dependencies: ["v"] }));
    const run = await ranPlan(plan, { kernel });
    expect([statuses(run), codes(run)]).toEqual(["v rolled back, w not reached", "FC4505"]);
    expect(stateAfter(run)).toEqual({ x: 0, y: 0 });
  });

  test("a refused write ends the plan also with `skip`, since no verdict foresaw that", async () => {
    const kernel = await kernelWith({ policy: { maxSteps: 2 } });
    const plan = planOf(
      write("v", "y", 1),
      write("w", "x", 9, { dependencies: ["v"], failure_behavior: "skip" }),
    );
    const run = await ranPlan(plan, { kernel });
    expect([run.kind, statuses(run)]).toEqual(["stopped", "v rolled back, w not reached"]);
  });

  test("keeps all of it in its trace", async () => {
    const log = new MemoryLog();
    const kernel = await kernelOn(log);
    await ranPlan(planOf(write("w", "x", 1), call("c", "t", { dependencies: ["w"] })), {
      kernel,
      tools: { t: fails },
    });
    const entries = (await log.read("main", 1, 100)).map(
      ({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)) as Entry,
    );
    const told = entries.map(({ kind, command }) => {
      const { purpose, call: of = "" } = command?.action?.origin ?? {};
      return purpose === undefined ? kind : `${kind} ${purpose} ${of}`.trimEnd();
    });
    expect(told).toEqual([
      "open",
      "reserve run",
      ...["reserve call w", "settle"],
      ...["reserve call c", "settle"], // it failed
      ...["reserve end", "settle"],
      "rollback",
      "settle", // the run
      "execute end",
    ]);
  });
});

interface Entry {
  readonly kind: string;
  readonly command?: {
    readonly action?: { readonly origin?: { readonly purpose: string; readonly call?: string } };
  };
}

test("whoever listens hears everything in order, and cannot stop the run by failing", async () => {
  const heard: string[] = [];
  const plan = planOf(
    write("w", "x", 1),
    call("c", "t", { dependencies: ["w"], failure_behavior: "retry", max_retries: 1 }),
  );
  const run = await ranPlan(plan, {
    tools: { t: fails },
    options: {
      onProgress: (one) => {
        heard.push(`${one.kind} ${one.actionId}`);
        throw new Error("deaf");
      },
    },
  });
  expect(run.kind).toBe("stopped");
  expect(heard).toEqual([
    "ended w",
    "calling c",
    "begun c",
    "ended c",
    "retrying c, try 2",
    "calling c, try 2",
    "begun c, try 2",
    "ended c, try 2",
  ]);
});
