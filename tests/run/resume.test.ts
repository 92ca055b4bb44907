/**
 * A run that is cut off at any commit and resumed comes to what it would have come to, and nothing happens twice. The
 * ledger stops answering after so many transactions, with the last one kept or not; the next process finds what is there.
 */
import { describe, expect, test } from "vitest";
import { Kernel, type Log, MemoryLog } from "../../src/kernel/index.ts";
import {
  type LoadedTool,
  type ProgramRun,
  type ProgramRunResult,
  resumeProgram,
} from "../../src/run/index.ts";
import { codesOf, kernelOn, keys, type Program, program, proved, tryRun, verified, World } from "./lab.ts";

class Gone extends Error {}

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

const policy = { budgets: { usd: "100" } };
const order = await proved(
  program(
    'bank.maxSpend(50), home.onlyDoor("front")',
    `const has = await bank.balance({ account: "a" });
     await home.unlock({ door: "front" });
     for (const to of ["x", "y"]) { await bank.pay({ account: to, amount: has > limit ? 2 : 3 }); }
     await home.lock({ door: "front" });
     console.log("balance", has);
     return { has, third: has / 3 };`,
    "{ limit }: { limit: number }",
  ),
);
const inputs = { limit: 5 };
const whole = ["bank.balance a", "home.unlock front", "bank.pay x 2", "bank.pay y 2", "home.lock front"];

function resume(one: Program, kernel: Kernel, world: World, runId = "r1"): Promise<ProgramRunResult> {
  const { checked, everywhere } = one;
  const common = { publicKey: keys.publicKey, everywhere, timeoutMs: 50, graceMs: 0 };
  return resumeProgram(checked, { kernel, runId, tools: world.tools, wallMs: () => 10_000, ...common });
}

interface Ended {
  readonly run: ProgramRun;
  readonly kernel: Kernel;
  readonly processes: number;
}

/** Processes until one comes to an end; the person asked about calls in doubt looks at the world. */
async function throughCuts(
  world: World,
  cut: number,
  isKept: boolean,
  everyProcess: boolean,
): Promise<Ended> {
  const log = new MemoryLog();
  await kernelOn(log, { policy });
  for (let process = 1; ; process++) {
    if (process > 60) throw new Error("it does not come to an end");
    const isCut = process === 1 || (everyProcess && process < 20);
    const kernel = await kernelOn(isCut ? failingAfter(log, cut, isKept) : log);
    let result: ProgramRunResult;
    try {
      result = await resume(order, kernel, world);
      if (!result.ok && result.problems[0]?.message.includes("there is no run")) {
        result = await tryRun(order, world, { kernel, inputs, options: { timeoutMs: 50, graceMs: 0 } });
      }
    } catch (thrown) {
      if (!(thrown instanceof Gone)) throw thrown;
      continue;
    }
    if (!result.ok) {
      // It came to its end, and only that was not heard.
      if (result.problems[0]?.message.includes("has ended"))
        return { run: emptyRun, kernel, processes: process };
      throw new Error(JSON.stringify(result.problems));
    }
    if (result.value.kind !== "in doubt") return { run: result.value, kernel, processes: process };
    await resolve(await kernelOn(log), world);
  }
}

const emptyRun: ProgramRun = {
  kind: "done",
  runId: "r1",
  calls: [],
  notes: [],
  problems: [],
  notUndone: [],
  guarantees: [],
};

async function resolve(kernel: Kernel, world: World): Promise<void> {
  for (const { receipt, key = "" } of kernel.inDoubt()) {
    if (!/^run r1( again \d+)? call /.test(key)) continue;
    const isDone = world.keys.has(key.replace(/ again \d+/, ""));
    const outcome = key.includes("c1")
      ? { returned: true, result: "10" }
      : { returned: true, result: "paid" };
    if (isDone) await kernel.settle(receipt, { outcome });
    else await kernel.release(receipt, "it did not happen");
  }
}

const cuts = Array.from({ length: 13 }, (_, cut) => [
  [cut, true],
  [cut, false],
]).flat() as [number, boolean][];

describe("a run that is cut off is gone on with, and nothing happens twice", () => {
  test.each(cuts)("after %i transactions, the last one kept: %s", async (cut, isKept) => {
    const world = new World();
    const { run, kernel } = await throughCuts(world, cut, isKept, false);
    expect(run.kind).toBe("done");
    if (run !== emptyRun)
      expect([run.result, run.notes]).toEqual([{ has: 10, third: 10 / 3 }, ["balance 10"]]);
    expect(world.done.filter((one, i, all) => all.indexOf(one) === i)).toEqual(whole);
    expect(world.done.filter((one) => !one.startsWith("bank.balance")).length).toBe(4);
    expect(kernel.status().budgets.usd).toMatchObject({ gross: "4", reserved: "0" });
    expect(kernel.status().state).toBe('{"home.doorLocked[front]":true}');
    expect(kernel.inDoubt()).toEqual([]);
    expect(await verified(kernel)).toBe(true);
  });

  test("also if every process is cut off", async () => {
    for (const cut of [2, 3, 4]) {
      const world = new World();
      const { run, kernel, processes } = await throughCuts(world, cut, cut % 2 === 0, true);
      expect([run.kind, processes > 2]).toEqual(["done", true]);
      expect(world.done.filter((one) => !one.startsWith("bank.balance"))).toEqual(whole.slice(1));
      expect(kernel.inDoubt()).toEqual([]);
      expect(await verified(kernel)).toBe(true);
    }
  });
});

/** Cut off during a call, after its reservation. */
async function cutDuring(tool: string, world: World, one = order): Promise<MemoryLog> {
  const log = new MemoryLog();
  await kernelOn(log, { policy });
  let isGone = false;
  const kernel = await kernelOn({
    read: (name, from, limit) => log.read(name, from, limit),
    transact: (name, since, decide) => {
      if (isGone) throw new Gone();
      return log.transact(name, since, decide);
    },
  });
  const run = world.tools.get(tool)?.run;
  const cutting: LoadedTool["run"] = (args, call) => {
    isGone = true;
    return run?.(args, call);
  };
  world.tools.set(tool, { ...world.tools.get(tool), run: cutting });
  await expect(tryRun(one, world, { kernel, inputs })).rejects.toThrow(Gone);
  if (run !== undefined) world.tools.set(tool, { ...world.tools.get(tool), run });
  return log;
}

describe("a call in doubt", () => {
  test("is listed, and never repeated by itself", async () => {
    const world = new World();
    const log = await cutDuring("home.unlock", world);
    for (let i = 0; i < 2; i++) {
      const result = await resume(order, await kernelOn(log), world);
      expect(await codesOf(result)).toEqual(["FC4509"]);
      expect(result.ok && result.value.kind).toBe("in doubt");
      expect(result.ok && result.value.calls.map(({ status }) => status)).toEqual(["done", "in doubt"]);
    }
    expect(world.done).toEqual(whole.slice(0, 2));
  });

  test("is repeated where its tool has no side effect", async () => {
    const world = new World();
    const log = await cutDuring("bank.balance", world);
    const result = await resume(order, await kernelOn(log), world);
    expect(result.ok && result.value.kind).toBe("done");
    expect(world.done).toEqual(["bank.balance a", ...whole]);
  });

  test("that somebody settled without a result leaves the run where it is", async () => {
    const world = new World();
    const log = await cutDuring("bank.pay", world);
    const kernel = await kernelOn(log);
    const [, pay] = kernel.inDoubt();
    await kernel.settle(pay?.receipt ?? "");
    const result = await resume(order, kernel, world);
    expect(await codesOf(result)).toEqual(["FC4509"]);
    expect(result.ok ? result.value.problems[0]?.message : "").toContain("it was settled without a result");
  });

  test("whose answer was too big to be kept leaves the run where it is", async () => {
    const world = new World({ "bank.pay": () => "x".repeat(200_000) });
    const log = await cutDuring("home.lock", world);
    const kernel = await kernelOn(log);
    const result = await resume(order, kernel, world);
    expect(await codesOf(result)).toEqual(["FC4509"]);
    expect(result.ok ? result.value.problems[0]?.message : "").toContain("too large to record");
    const fresh = await kernelOn(undefined, { policy });
    const run = await tryRun(order, world, { kernel: fresh, inputs });
    expect(run.ok && run.value.kind).toBe("done");
  });

  test("that somebody settled with a result of another type likewise", async () => {
    const world = new World();
    const log = await cutDuring("bank.pay", world);
    const kernel = await kernelOn(log);
    await kernel.settle(kernel.inDoubt()[1]?.receipt ?? "", { outcome: { returned: true, result: 7 } });
    expect(await codesOf(await resume(order, kernel, world))).toEqual(["FC4509"]);
  });
});

describe("two processes that go on with one run", () => {
  test("make no call twice, and neither takes back what the other does", async () => {
    const undone: string[] = [];
    const world = new World({
      "home.unlock": { run: () => undefined, undo: () => void undone.push("unlock") },
      "bank.pay": async () => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        return "paid";
      },
    });
    const log = await cutDuring("bank.balance", world);
    const both = await Promise.all([1, 2].map(async () => resume(order, await kernelOn(log), world)));
    const kinds = both.map((one) => (one.ok ? one.value.kind : one.problems[0]?.code)).sort();
    expect(kinds[0] === "done" || kinds[1] === "in doubt").toBe(true);
    expect(kinds).not.toContain("stopped");
    expect(undone).toEqual([]);
    const acting = world.done.filter((one) => !one.startsWith("bank.balance"));
    expect(new Set(acting).size).toBe(acting.length);
    const kernel = await kernelOn(log);
    if (kernel.inDoubt().length > 0) await resume(order, kernel, world);
    expect(await verified(kernel)).toBe(true);
  });

  test("one that was only slow does not end what another has gone on with", async () => {
    const undone: string[] = [];
    const log = new MemoryLog();
    const kernel = await kernelOn(log, { policy });
    let other: ProgramRunResult | undefined;
    const world = new World({
      "home.unlock": { run: () => undefined, undo: () => void undone.push("unlock") },
      "bank.balance": { run: () => 10 },
    });
    const slow = world.tools.get("home.unlock");
    // While it waits for its own settlement to be heard, somebody resumes the run.
    const hearing = {
      read: log.read.bind(log),
      transact: async (...args: Parameters<Log["transact"]>) => {
        const kept = await log.transact(...args);
        if (world.done.length === 2 && other === undefined && kernel.inDoubt().length >= 0) {
          const now = await kernelOn(log);
          if (now.cell("home.doorLocked[front]") === "false") other = await resume(order, now, world);
        }
        return kept;
      },
    };
    expect(slow).toBeDefined();
    const first = await tryRun(order, world, { kernel: await kernelOn(hearing), inputs });
    expect(other?.ok && other.value.kind).toBe("done");
    expect(first.ok && first.value.kind).toBe("in doubt");
    expect(undone).toEqual([]);
    expect(world.done).toEqual(whole);
  });
});

describe("a run that another process, or a person, has ended", () => {
  const pays = program(
    "bank.maxSpend(50)",
    'for (const to of ["x", "y", "z"]) { await bank.pay({ account: to, amount: 1 }); }',
  );

  /** Does something once the first call is settled, before its process hears of that. */
  async function meanwhile(
    log: MemoryLog,
    world: World,
    work: (kernel: Kernel) => Promise<unknown>,
  ): Promise<Kernel> {
    let isOver = false;
    return kernelOn({
      read: log.read.bind(log),
      transact: async (...args: Parameters<Log["transact"]>) => {
        const kept = await log.transact(...args);
        const now = await kernelOn(log);
        const isBetween = world.done.length === 1 && !now.inDoubt().some(({ key }) => key?.includes("call"));
        if (!isOver && isBetween) {
          isOver = true;
          await work(now);
        }
        return kept;
      },
    });
  }

  test("makes no further call", async () => {
    const [one, log, undone] = [await proved(pays), new MemoryLog(), [] as string[]];
    await kernelOn(log, { policy });
    const world = new World({ "bank.pay": { run: () => "paid", undo: () => void undone.push("x") } });
    const stop = new AbortController();
    stop.abort();
    const kernel = await meanwhile(log, world, async (now) => {
      const { checked, everywhere } = one;
      const common = { publicKey: keys.publicKey, everywhere, tools: world.tools, wallMs: () => 0 };
      const other = await resumeProgram(checked, {
        ...common,
        kernel: now,
        runId: "r1",
        signal: stop.signal,
      });
      expect(other.ok && other.value.kind).toBe("stopped");
    });
    const first = await tryRun(one, world, { kernel });
    expect([first.ok && first.value.kind, await codesOf(first)]).toEqual(["in doubt", ["FC4509"]]);
    expect(world.done).toEqual(["bank.pay x 1"]);
    expect(undone).toEqual(["x"]);
    const now = await kernelOn(log);
    expect([now.status().state, now.inDoubt()]).toEqual(["{}", []]);
    expect(await verified(now)).toBe(true);
  });

  test("also if it was given up", async () => {
    const [one, log, world] = [await proved(pays), new MemoryLog(), new World()];
    await kernelOn(log, { policy });
    const kernel = await meanwhile(log, world, async (now) => {
      await now.release(now.inDoubt()[0]?.receipt ?? "", "given up");
      await now.execute({ id: "something else", effects: [] });
    });
    expect(await codesOf(tryRun(one, world, { kernel }))).toEqual(["FC4509"]);
    expect(world.done).toEqual(["bank.pay x 1"]);
  });
});

describe("what is not gone on with", () => {
  test("a run that is not there, has ended, or was given up", async () => {
    const kernel = await kernelOn(undefined, { policy });
    expect(await codesOf(resume(order, kernel, new World(), "other"))).toEqual(["FC4501"]);
    await tryRun(order, new World(), { kernel, inputs });
    expect(await codesOf(resume(order, kernel, new World()))).toEqual(["FC4501"]);
    const world = new World();
    const log = await cutDuring("home.unlock", world);
    const again = await kernelOn(log);
    await again.release(again.inDoubt()[0]?.receipt ?? "", "given up");
    expect(await codesOf(resume(order, again, world))).toEqual(["FC4501"]);
  });

  test("a run of another program", async () => {
    const world = new World();
    const log = await cutDuring("home.unlock", world);
    const other = await proved(program("bank.atMost(1)", "", "{ limit }: { limit: number }"));
    expect(await codesOf(resume(other, await kernelOn(log), world))).toContain("FC4004");
  });

  test("a run whose receipt another key signed", async () => {
    const world = new World();
    const log = await cutDuring("home.unlock", world);
    const { checked, everywhere } = order;
    const kernel = await kernelOn(log);
    const options = { kernel, runId: "r1", tools: world.tools, everywhere, wallMs: () => 0, publicKey: "" };
    expect(await codesOf(resumeProgram(checked, options))).toEqual(["FC4003"]);
  });

  test("a run whose fluents others have changed", async () => {
    const world = new World();
    const log = await cutDuring("bank.pay", world);
    const kernel = await kernelOn(log);
    const [, pay] = kernel.inDoubt();
    await kernel.settle(pay?.receipt ?? "", { outcome: { returned: true, result: "paid" } });
    await kernel.execute({
      id: "thief",
      effects: [{ key: "home.doorLocked[front]", op: "set", value: true }],
    });
    const result = await resume(order, kernel, world);
    expect(await codesOf(result)).toContain("FC4504");
  });
});

describe("a run whose process died between its entry and its look at other runs", () => {
  test("is resumed only once an earlier run on its fluents has an outcome", async () => {
    const now = { ms: 1_000 };
    const log = new MemoryLog();
    const open = async (ledger: Log): Promise<Kernel> => {
      const opened = await Kernel.open({
        ledger,
        policy: { ...policy, leaseMs: 100 },
        clock: () => now.ms,
      });
      if (!opened.ok) throw new Error(opened.problem.message);
      return opened.value;
    };
    await open(log);
    const late = await open(lateReader(log));
    // The first run is cut off in its first call, and nobody renews its lease.
    const first = new World();
    const begun = first.tools.get("bank.balance")?.run;
    let isGone = false;
    first.tools.set("bank.balance", {
      run: (args, call) => {
        isGone = true;
        return begun?.(args, call);
      },
    });
    const cut: Log = {
      read: log.read.bind(log),
      transact: async (...args) => {
        if (isGone) throw new Gone();
        return log.transact(...args);
      },
    };
    await expect(tryRun(order, first, { kernel: await open(cut), inputs })).rejects.toThrow(Gone);
    now.ms = 5_000;
    const world = new World();
    const next = { kernel: late, inputs, options: { runId: "r2" } };
    await expect(tryRun(order, world, next)).rejects.toThrow(Gone);
    const kernel = await open(log);
    expect(kernel.inDoubt().map(({ action }) => action)).toEqual(["run r1", "c1", "run r2"]);

    expect(await codesOf(await resume(order, kernel, world, "r2"))).toEqual(["FC4503"]);
    expect(world.done).toEqual([]);
    for (const { receipt } of kernel.inDoubt().slice(0, 2))
      await kernel.release(receipt, "it did not happen");
    const resumed = await resume(order, kernel, world, "r2");
    expect(resumed.ok && resumed.value.kind).toBe("done");
    expect(world.done).toEqual(whole);
  });
});

/** Finds out what others have appended only when it appends, and goes away right after. */
function lateReader(log: MemoryLog): Log {
  let isGone = false;
  return {
    read: async (kernel, from, limit) => (from === 1 ? log.read(kernel, from, Math.min(limit, 1)) : []),
    transact: async (kernel, since, decide) => {
      if (isGone) throw new Gone();
      // A look appends nothing, and is told nothing.
      if (decide([]).length === 0) return;
      await log.transact(kernel, since, decide);
      isGone = true;
      throw new Gone();
    },
  };
}
