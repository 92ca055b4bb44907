/**
 * A run that is cut off at any commit and taken up again comes to what it would have come to. The ledger stops answering
 * after so many transactions, with the last one kept or not; the next process finds what is in the log.
 */
import { describe, expect, test } from "vitest";
import { type Log, MemoryLog, NotDone } from "../../src/kernel/index.ts";
import {
  actionKey,
  type Plan,
  type PlanRun,
  type PlanTool,
  planDigest,
  runPlan,
} from "../../src/plan/index.ts";
import { call, planOf, pre, write } from "./plans.ts";
import { codes, JumpingClock, kernelOn, ranPlan, stateAfter, statuses, tryPlan } from "./running.ts";

class Gone extends Error {}

/** A ledger that answers so often. The last transaction is kept, and nobody hears of it, or it is not. */
function failingAfter(log: MemoryLog, count: number, isKept: boolean): Log {
  let left = count;
  return {
    read: (kernel, from, limit) => log.read(kernel, from, limit),
    transact: async (kernel, since, decide) => {
      if (left < 0) throw new Gone();
      if (left-- > 0) return log.transact(kernel, since, decide);
      if (isKept) await log.transact(kernel, since, decide);
      throw new Gone();
    },
  };
}

/** What tools have done, by their idempotency keys, in a world that outlives processes. */
class World {
  readonly calls: string[] = [];
  readonly done = new Map<string, number>();

  tool(more: Partial<PlanTool> = {}): PlanTool {
    return {
      run: (_, { key, actionId }) => {
        this.calls.push(actionId);
        this.done.set(key, (this.done.get(key) ?? 0) + 1);
        return `did ${actionId}`;
      },
      ...more,
    };
  }
}

const fails = {
  run: () => {
    throw new Error("no");
  },
};

const shop = planOf(
  write("start", "status", "open"),
  call("pay", "pay", { dependencies: ["start"], expected_effects: { paid: true } }),
  call("mail", "mail", { dependencies: ["start"], idempotent: true, parameters: { to: "bob" } }),
  call("ship", "ship", {
    preconditions: [pre("paid", "eq", true)],
    parameters: { receipt: "$pay.output" },
    expected_effects: { shipped: "$pay.output" },
    timeout_ms: 1_000,
  }),
  write("end", "status", "closed", { dependencies: ["ship", "mail"] }),
);

const policy = { budgets: { usd: 100 } };
const initial = { status: "new" };

interface Taken {
  readonly run: PlanRun;
  readonly log: MemoryLog;
  readonly cuts: number;
  readonly resolved: number;
}

/** Processes until one comes to an end; whoever is asked about what is in doubt knows what tools did. */
async function taken(
  plan: Plan,
  tools: ReadonlyMap<string, PlanTool>,
  world: World,
  cut: number,
  isKept: boolean,
): Promise<Taken> {
  const log = new MemoryLog();
  await (await kernelOn(log, { state: initial, policy })).close();
  let [cuts, resolved] = [0, 0];
  for (let process = 0; process < 20; process++) {
    const kernel = await kernelOn(process === 0 ? failingAfter(log, cut, isKept) : log);
    const options = {
      kernel,
      tools,
      runId: "r1",
      believeClaims: true,
      clock: new JumpingClock(),
      random: () => 0,
    };
    const result = await runPlan(plan, options).catch((thrown) => {
      if (!(thrown instanceof Gone)) throw thrown;
      return undefined;
    });
    if (result === undefined) {
      cuts++;
      continue;
    }
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    if (result.value.kind !== "in doubt") return { run: result.value, log, cuts, resolved };
    for (const { receipt, actionId } of result.value.inDoubt) {
      const isDone = world.done.has(actionKey(planDigest(plan), "r1", actionId));
      const outcome = isDone
        ? await kernel.settle(receipt, { outcome: { output: `did ${actionId}` } })
        : await kernel.release(receipt, "the tool knows nothing of it");
      expect(outcome.verdict).toBe("allowed");
      resolved++;
    }
  }
  throw new Error("it does not come to an end");
}

const cuts = Array.from({ length: 24 }, (_, cut) => [cut, true] as const).flatMap(([cut]) => [
  [cut, true] as const,
  [cut, false] as const,
]);

describe("a run that is cut off and taken up again", () => {
  test.each(cuts)("after %i transactions, the last one kept: %s", async (cut, isKept) => {
    const world = new World();
    const tools = new Map(["pay", "mail", "ship"].map((name) => [name, world.tool()]));
    const { run, log } = await taken(shop, tools, world, cut, isKept);
    expect([run.kind, stateAfter(run)]).toEqual([
      "done",
      { status: "closed", paid: true, shipped: "did pay" },
    ]);
    expect(run.actions.map(({ output }) => output)).toEqual([null, "did pay", "did mail", "did ship", null]);
    for (const action of ["pay", "ship"]) {
      expect(
        world.calls.filter((one) => one === action),
        world.calls.join(),
      ).toHaveLength(1);
    }
    // One key for each action, however many processes.
    expect(world.done.size).toBe(3);
    expect(run.inDoubt).toEqual([]);
    expect((await kernelOn(log)).inDoubt()).toEqual([]);
  });

  test("also while it is rolled back: nothing is taken back twice, and no charge is lost or kept twice", async () => {
    const plan = planOf(
      write("start", "status", "open"),
      call("pay", "pay", { dependencies: ["start"], expected_effects: { paid: true } }),
      call("book", "book", {
        dependencies: ["pay"],
        compensation: { type: "tool", tool: "cancel", parameters: { what: "$book.output" } },
      }),
      call("bad", "bad", { dependencies: ["book"] }),
    );
    let [aborted, most] = [0, 0];
    for (const [cut, isKept] of cuts) {
      const world = new World();
      const undone: string[] = [];
      const undo = (_: unknown, output: unknown) => void undone.push(`undo ${output}`);
      const tools = new Map<string, PlanTool>([
        ["pay", world.tool({ undo, usesKey: true, cost: () => "5" })],
        ["book", world.tool({ usesKey: true, cost: () => "7" })],
        ["cancel", { run: (args) => void undone.push(`cancel ${JSON.stringify(args)}`), usesKey: true }],
        ["bad", { ...fails, usesKey: true }],
      ]);
      const { run, log } = await taken(plan, tools, world, cut, isKept);
      expect([run.kind, stateAfter(run), run.stillDone]).toEqual(["aborted", { status: "new" }, []]);
      expect(statuses(run)).toBe("start rolled back, pay rolled back, book rolled back, bad failed");
      // Newest first; a compensation that was cut off may be called again, with the same key.
      expect([...new Set(undone)]).toEqual(['cancel {"what":"did book"}', "undo did pay"]);
      expect(undone.length).toBeLessThanOrEqual(3);
      const { budgets, inDoubt } = (await kernelOn(log)).status();
      expect([budgets, inDoubt]).toMatchObject([{ usd: { net: "7", reserved: "0", left: "93" } }, []]);
      aborted++;
      most = Math.max(most, undone.length);
    }
    expect([aborted, most]).toEqual([cuts.length, 3]);
  });
});

describe("taken up again", () => {
  test("a run that is over does nothing more", async () => {
    const log = new MemoryLog();
    const world = new World();
    const tools = { t: world.tool() };
    const plan = planOf(write("w", "x", 1), call("a", "t", { dependencies: ["w"] }));
    await ranPlan(plan, { kernel: await kernelOn(log), tools });
    const kernel = await kernelOn(log);
    const { seq } = kernel.status();
    const again = await ranPlan(plan, { kernel, tools });
    expect([again.kind, statuses(again), world.calls]).toEqual(["done", "w done, a done", ["a"]]);
    expect(again.actions.every(({ before }) => before)).toBe(true);
    expect(kernel.status().seq).toBe(seq);
  });

  test("under another id it is another run", async () => {
    const kernel = await kernelOn(new MemoryLog());
    const world = new World();
    const plan = planOf(call("a", "t"));
    for (const runId of ["r1", "r2"])
      await ranPlan(plan, { kernel, tools: { t: world.tool() }, options: { runId } });
    expect([world.calls, world.done.size]).toEqual([["a", "a"], 2]);
  });

  test("with another plan it is refused", async () => {
    const kernel = await kernelOn(new MemoryLog());
    await ranPlan(planOf(write("w", "x", 1)), { kernel });
    const result = await tryPlan(planOf(write("w", "x", 2)), { kernel });
    expect(result.ok ? "" : codes(result)).toBe("FC3305");
  });

  test("what is in doubt and must not be called again stops it, and is listed", async () => {
    const log = new MemoryLog();
    const plan = planOf(call("a", "t"), call("b", "t"));
    const world = new World();
    // The call was made, and its outcome was not kept.
    const first = runPlan(plan, {
      kernel: await kernelOn(failingAfter(log, 3, false)),
      tools: new Map([["t", world.tool()]]),
      runId: "r1",
      concurrency: 1,
    });
    await expect(first).rejects.toThrow(Gone);
    const kernel = await kernelOn(log);
    const { seq } = kernel.status();
    const run = await ranPlan(plan, { kernel, tools: { t: world.tool() } });
    expect([run.kind, statuses(run), codes(run)]).toEqual([
      "in doubt",
      "a in doubt, b not reached",
      "FC3316",
    ]);
    expect(run.inDoubt).toEqual([
      { actionId: "a", receipt: kernel.inDoubt()[0]?.receipt, key: kernel.inDoubt()[0]?.key },
    ]);
    expect([kernel.status().seq, world.calls]).toEqual([seq, ["a"]]);
  });

  test("an action that was left out before later ones stays left out", async () => {
    const log = new MemoryLog();
    const plan = planOf(
      call("c", "t", { failure_behavior: "skip", read_set: ["x"] }),
      write("w", "x", 9),
      call("d", "u", { state_dependencies: ["x"] }),
    );
    const world = new World();
    const nothing = {
      run: () => {
        throw new NotDone("not now");
      },
    };
    const u = world.tool({ usesKey: true });
    await (await kernelOn(log, { state: { x: 1 } })).close();
    const run = async (ledger: Log, t: PlanTool) =>
      runPlan(plan, {
        kernel: await kernelOn(ledger),
        tools: new Map(Object.entries({ t, u })),
        runId: "r1",
      });
    // Until after `w`: asking for news, `c` reserved and released, `w` reserved and settled, `d` reserved.
    await expect(run(failingAfter(log, 6, false), nothing)).rejects.toThrow(Gone);
    const result = await run(log, world.tool());
    if (!result.ok) throw new Error(codes(result));
    expect([statuses(result.value), world.calls]).toEqual(["c skipped, w done, d done", ["d", "d"]]);
  });

  test("what was released and not gone past is done", async () => {
    const log = new MemoryLog();
    const plan = planOf(call("c", "t"));
    const world = new World();
    const first = runPlan(plan, {
      kernel: await kernelOn(failingAfter(log, 3, false)),
      tools: new Map([["t", world.tool()]]),
      runId: "r1",
    });
    await expect(first).rejects.toThrow(Gone);
    const kernel = await kernelOn(log);
    await kernel.release(kernel.inDoubt()[0]?.receipt ?? "", "a person looked");
    const run = await ranPlan(plan, { kernel, tools: { t: world.tool() } });
    expect([statuses(run), world.calls, world.done.size]).toEqual(["c done", ["c", "c"], 1]);
  });

  test("a rollback that something in doubt stood in the way of is finished, and never gone back on", async () => {
    const kernel = await kernelOn(new MemoryLog(), { state: initial });
    const clock = new JumpingClock();
    const plan = planOf(
      write("w", "status", "open"),
      call("c", "t", { dependencies: ["w"], timeout_ms: 10, expected_effects: { status: "closed" } }),
    );
    const t = () => new Promise(() => {});
    const first = await ranPlan(plan, { kernel, tools: { t }, options: { clock } });
    expect([statuses(first), codes(first)]).toEqual(["w done, c in doubt", "FC3313 FC3318"]);
    expect(stateAfter(first)).toEqual({ status: "open" });
    await kernel.release(first.inDoubt[0]?.receipt ?? "", "a person looked");
    const world = new World();
    const again = await ranPlan(plan, { kernel, tools: { t: world.tool() } });
    expect([again.kind, statuses(again), world.calls]).toEqual([
      "aborted",
      "w rolled back, c not reached",
      [],
    ]);
    expect(stateAfter(again)).toEqual(initial);
  });
});
