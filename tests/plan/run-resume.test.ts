/**
 * A run that is cut off at any commit and taken up again comes to what it would have come to. The ledger stops answering
 * after so many transactions, with the last one kept or not; the next process finds what is in the log.
 */
import { describe, expect, test } from "vitest";
import { type Kernel, type Log, MemoryLog, NotDone } from "../../src/kernel/index.ts";
import { type Plan, stateOf } from "../../src/plan/index.ts";
import { call, plainState, planOf, pre, write } from "./plans.ts";
import {
  codes,
  doubtful,
  type GivenTools,
  kernelOn,
  type PlanResult,
  type PlanRun,
  type PlanTool,
  ranOf,
  ranPlan,
  resumedPlan,
  statuses,
  type Tried,
  tryPlan,
} from "./running.ts";

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

/** Effects of tools, by their idempotency keys, in a world that outlives processes. */
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
  call("pay", "pay", { dependencies: ["start"], parameters: { sets: "paid", to: true } }),
  call("mail", "mail", { dependencies: ["start"], parameters: { to: "bob" } }),
  call("ship", "ship", {
    preconditions: [pre("s[paid]", "eq", true)],
    parameters: { receipt: "$pay.output" },
    timeout_ms: 1_000,
  }),
  write("end", "status", "closed", { dependencies: ["ship", "mail"] }),
  write("note", "shipped", "$ship.output"),
);

const policy = { budgets: { usd: 100 } };
const initial = { status: "new" };

interface Taken {
  /** Undefined if the process that ended it was the one that was cut off. */
  readonly run: PlanRun | undefined;
  readonly state: Readonly<Record<string, unknown>>;
  readonly log: MemoryLog;
  readonly cuts: number;
  readonly resolved: number;
}

/** Begins the run, or resumes it if an earlier process began it; undefined if that one has ended it. */
async function processed(plan: Plan, kernel: Kernel, tried: Tried): Promise<PlanResult | undefined> {
  const isOf = ({ bytes }: { readonly bytes: Uint8Array }): boolean =>
    new TextDecoder().decode(bytes).includes('"purpose":"run"');
  if (!(await kernel.entries(1, 1_000)).some(isOf)) return tryPlan(plan, { ...tried, kernel });
  const resumed = await resumedPlan(plan, kernel, tried);
  return resumed.ok ? resumed : undefined;
}

/** Processes until one comes to an end; the person asked about calls in doubt knows what tools did. */
async function taken(
  plan: Plan,
  tools: GivenTools,
  world: World,
  cut: number,
  isKept: boolean,
): Promise<Taken> {
  const log = new MemoryLog();
  await (await kernelOn(log, { state: initial, policy })).close();
  let [cuts, resolved] = [0, 0];
  for (let count = 0; count < 20; count++) {
    const kernel = await kernelOn(count === 0 ? failingAfter(log, cut, isKept) : log);
    const result = await processed(plan, kernel, { tools, options: { random: () => 0 } }).catch((thrown) => {
      if (!(thrown instanceof Gone)) throw thrown;
      return "cut off" as const;
    });
    if (result === "cut off") {
      cuts++;
      continue;
    }
    const run = result && ranOf(result);
    const state = plainState(stateOf(kernel));
    if (run?.kind !== "in doubt") return { run, state, log, cuts, resolved };
    for (const { receipt = "", actionId } of doubtful(run)) {
      const isDone = world.done.has(`run r1 call ${actionId}`);
      const outcome = isDone
        ? await kernel.settle(receipt, { outcome: { returned: true, result: `did ${actionId}` } })
        : await kernel.release(receipt, "the tool knows nothing of it");
      expect(outcome.verdict).toBe("allowed");
      resolved++;
    }
  }
  throw new Error(`it does not come to an end: cut ${cut} ${isKept}`);
}

const cuts = Array.from({ length: 24 }, (_, cut) => [cut, true] as const).flatMap(([cut]) => [
  [cut, true] as const,
  [cut, false] as const,
]);

describe("a run that is cut off and taken up again", () => {
  test.each(cuts)("after %i transactions, the last one kept: %s", async (cut, isKept) => {
    const world = new World();
    const tools = { pay: world.tool(), mail: world.tool({ idempotent: true }), ship: world.tool() };
    const { run, log, state } = await taken(shop, tools, world, cut, isKept);
    expect([run?.kind ?? "done", state]).toEqual([
      "done",
      { status: "closed", "s[paid]": true, shipped: "did ship" },
    ]);
    for (const action of ["pay", "ship"]) {
      expect(
        world.calls.filter((one) => one === action),
        world.calls.join(),
      ).toHaveLength(1);
    }
    // One key for each action, however many processes.
    expect(world.done.size).toBe(3);
    expect((await kernelOn(log)).inDoubt()).toEqual([]);
  });

  test("also while it is rolled back: nothing is taken back twice, and no charge is lost or kept twice", async () => {
    const plan = planOf(
      write("start", "status", "open"),
      call("pay", "pay", { dependencies: ["start"], parameters: { sets: "paid", to: true } }),
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
      const tools = {
        pay: world.tool({ undo, idempotent: true, cost: 5n }),
        book: world.tool({ idempotent: true, cost: 7n }),
        cancel: {
          run: (args: unknown) => void undone.push(`cancel ${JSON.stringify(args)}`),
          idempotent: true,
        },
        bad: { ...fails, idempotent: true },
      };
      const { run, log, state } = await taken(plan, tools, world, cut, isKept);
      expect([run?.kind ?? "stopped", state, run?.notUndone ?? []]).toEqual([
        "stopped",
        { status: "new" },
        [],
      ]);
      if (run !== undefined)
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
  test("a run that is over is not gone on with, and nothing more is done", async () => {
    const log = new MemoryLog();
    const world = new World();
    const tools = { t: world.tool() };
    const plan = planOf(write("w", "x", 1), call("a", "t", { dependencies: ["w"] }));
    await ranPlan(plan, { kernel: await kernelOn(log), tools });
    const kernel = await kernelOn(log);
    const { seq } = kernel.status();
    const again = await resumedPlan(plan, kernel, { tools });
    expect(again).toMatchObject({ ok: false, problems: [{ code: "FC4501" }] });
    expect([kernel.status().seq, world.calls]).toEqual([seq, ["a"]]);
  });

  test("under another id it is another run", async () => {
    const kernel = await kernelOn(new MemoryLog());
    const world = new World();
    const plan = planOf(call("a", "t"));
    for (const runId of ["r1", "r2"])
      await ranPlan(plan, { kernel, tools: { t: world.tool() }, options: { runId } });
    expect([world.calls, world.done.size]).toEqual([["a", "a"], 2]);
  });

  test.each([
    ["another value", planOf(write("w", "x", 2), call("a", "t"))],
    ["another time for a call", planOf(write("w", "x", 1), call("a", "t", { timeout_ms: 7 }))],
    [
      "another compensation",
      planOf(write("w", "x", 1), call("a", "t", { compensation: { type: "tool", tool: "t" } })),
    ],
    ["another condition", planOf(write("w", "x", 1), call("a", "t", { preconditions: [pre("x", "eq", 1)] }))],
  ])("with %s it is not what was approved, and is refused", async (_, other) => {
    const log = new MemoryLog();
    const world = new World();
    const plan = planOf(write("w", "x", 1), call("a", "t"));
    const cut = await kernelOn(failingAfter(log, 5, false));
    await expect(tryPlan(plan, { kernel: cut, tools: { t: world.tool() } })).rejects.toThrow(Gone);
    const kernel = await kernelOn(log);
    const { seq } = kernel.status();
    const made = [...world.calls];
    const result = await resumedPlan(other, kernel, { tools: { t: world.tool() } });
    expect(result.ok ? "" : codes(result)).toBe("FC4004");
    expect([kernel.status().seq, world.calls]).toEqual([seq, made]);
  });

  test("what is in doubt and must not be called again stops it, and is listed", async () => {
    const log = new MemoryLog();
    const plan = planOf(call("a", "t"), call("b", "t"));
    const world = new World();
    const tried = { tools: { t: world.tool() }, options: { concurrency: 1 } };
    // The call was made, and its outcome was not kept.
    const cut = await kernelOn(failingAfter(log, 4, false));
    await expect(tryPlan(plan, { kernel: cut, ...tried })).rejects.toThrow(Gone);
    const kernel = await kernelOn(log);
    const { seq } = kernel.status();
    const run = ranOf(await resumedPlan(plan, kernel, tried));
    expect([run.kind, statuses(run), codes(run)]).toEqual([
      "in doubt",
      "a in doubt, b not reached",
      "FC4509",
    ]);
    expect([kernel.status().seq, world.calls]).toEqual([seq, ["a"]]);
  });

  test("an action that was left out before later ones stays left out", async () => {
    const log = new MemoryLog();
    const plan = planOf(
      call("c", "t", { failure_behavior: "skip", preconditions: [pre("x", "lt", 5)] }),
      write("w", "x", 9),
      call("d", "u", { state_dependencies: ["x"] }),
    );
    const world = new World();
    const nothing = () => {
      throw new NotDone("not now");
    };
    const u = world.tool({ idempotent: true });
    await (await kernelOn(log, { state: { x: 1 } })).close();
    // Until after `w`: the run begun, `c` and `w` reserved and settled, `d` reserved.
    const cut = await kernelOn(failingAfter(log, 7, false));
    await expect(tryPlan(plan, { kernel: cut, tools: { t: nothing, u } })).rejects.toThrow(Gone);
    const run = ranOf(await resumedPlan(plan, await kernelOn(log), { tools: { t: world.tool(), u } }));
    expect([statuses(run), new Set(world.calls)]).toEqual(["c skipped, w done, d done", new Set(["d"])]);
  });

  test("what was released is done", async () => {
    const log = new MemoryLog();
    const plan = planOf(call("c", "t"));
    const world = new World();
    const tools = { t: world.tool() };
    const cut = await kernelOn(failingAfter(log, 4, false));
    await expect(tryPlan(plan, { kernel: cut, tools })).rejects.toThrow(Gone);
    const kernel = await kernelOn(log);
    const [pending] = kernel.inDoubt().filter(({ key }) => key?.includes(" call "));
    await kernel.release(pending?.receipt ?? "", "a person looked");
    const run = ranOf(await resumedPlan(plan, kernel, { tools }));
    expect([statuses(run), world.calls, world.done.size]).toEqual(["c done", ["c", "c"], 1]);
  });
});
