/**
 * What a run reads of the clock and of chance is in its trace: a run that is cut off at any commit and gone on with, on a
 * machine whose clock says something else, goes on with what was read before anything was done because of it.
 */
import { describe, expect, test } from "vitest";
import { type Kernel, type Log, MemoryLog } from "../../src/kernel/index.ts";
import { type Clock, type ProgramRunResult, resumeProgram } from "../../src/run/index.ts";
import { entriesOf, kernelOn, keys, program, proved, ran, tryRun, verified, World } from "./lab.ts";

class Gone extends Error {}

function failingAfter(log: MemoryLog, count: number): Log {
  let left = count;
  return {
    read: (kernel, from, limit) => log.read(kernel, from, limit),
    transact: async (kernel, since, decide) => {
      if (left-- <= 0) throw new Gone();
      return log.transact(kernel, since, decide);
    },
  };
}

const reading = await proved(
  program(
    "bank.atMost(2)",
    `const start = Date.now();
     const luck = Math.random();
     await bank.pay({ account: String(start), amount: luck });
     await new Promise((resolve) => setTimeout(resolve, 60_000));
     const passed = Date.now() - start;
     await bank.pay({ account: passed >= 0 ? "later" : "earlier", amount: luck });
     return { start, passed, luck, end: new Date() };`,
  ),
);

const second = 1_000;
const start = Date.UTC(2026, 0, 1);

/** Pauses take no time and are counted. */
class Pauses implements Clock {
  readonly slept: number[] = [];
  readonly nowMs = () => 0;
  readonly sleep = async (ms: number) => {
    this.slept.push(ms);
  };
}

function options(process: number, clock: Clock) {
  // Every process has a clock that is an hour behind the one before.
  const wallMs = () => start - process * 3_600 * second;
  return { wallMs, random: () => 1 / (process + 2), clock };
}

const month = 30 * 86_400 * second;
const receipt = { notBefore: start - month, expires: start + month };

async function through(
  cut: number,
): Promise<{ run: ProgramRunResult; world: World; kernel: Kernel; pauses: Pauses }> {
  const [log, world, pauses] = [new MemoryLog(), new World(), new Pauses()];
  await kernelOn(log);
  for (let process = 0; ; process++) {
    if (process > 20) throw new Error("it does not come to an end");
    const kernel = await kernelOn(process === 0 ? failingAfter(log, cut) : log);
    const now = options(process, pauses);
    try {
      const common = { publicKey: keys.publicKey, everywhere: reading.everywhere, runId: "r1" };
      let run = await resumeProgram(reading.checked, { kernel, tools: world.tools, ...common, ...now });
      if (!run.ok && run.problems[0]?.message.includes("there is no run"))
        run = await tryRun(reading, world, { kernel, receipt, options: now });
      return { run, world, kernel, pauses };
    } catch (thrown) {
      if (!(thrown instanceof Gone)) throw thrown;
    }
  }
}

describe("a run that reads the clock", () => {
  test("reads it, draws and pauses", async () => {
    const [world, pauses] = [new World(), new Pauses()];
    const run = await ran(reading, world, { receipt, options: options(0, pauses) });
    expect(run).toMatchObject({ kind: "done", result: { start, passed: 0, luck: 0.5 } });
    expect(run.calls.map(({ tool }) => tool)).toEqual(["bank.pay", "bank.pay"]);
    expect(pauses.slept).toEqual([60_000]);
    expect(world.done).toEqual([`bank.pay ${start} 0.5`, "bank.pay later 0.5"]);
  });

  test.each(Array.from({ length: 16 }, (_, cut) => cut))(
    "and is cut off after %i transactions",
    async (cut) => {
      const { run, world, kernel } = await through(cut);
      if (!run.ok) throw new Error(JSON.stringify(run.problems));
      if (run.value.kind === "in doubt") return;
      expect(run.value.kind).toBe("done");
      const [first = "", then] = world.done;
      const [, account, luck] = first.split(" ");
      expect(world.done).toHaveLength(2);
      expect(then).toBe(`bank.pay later ${luck}`);
      expect(run.value.result).toMatchObject({ start: Number(account), luck: Number(luck) });
      expect(Reflect.get(Object(run.value.result), "passed")).toBeGreaterThanOrEqual(0);
      expect(await verified(kernel)).toBe(true);
    },
  );

  test("keeps what it read before the next call is reserved", async () => {
    const kernel = await kernelOn();
    await ran(reading, new World(), { kernel, receipt, options: options(0, new Pauses()) });
    const text = (await entriesOf(kernel)).map(({ bytes }) => new TextDecoder().decode(bytes));
    const read = text.findIndex((one) => one.includes(`"${start}"`) || one.includes(`:${start}`));
    const paid = text.findIndex((one) => one.includes("bank.pay"));
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(paid);
  });

  test("stops where the clock is far off", async () => {
    // The receipt is looked at first.
    const times = [start];
    const wallMs = () => times.shift() ?? 500;
    const run = await ran(reading, new World(), {
      receipt,
      options: { ...options(0, new Pauses()), wallMs },
    });
    expect(run).toMatchObject({ kind: "stopped", endedBy: { code: "FC1506" } });
  });

  test("is interrupted during a pause, and nothing follows", async () => {
    const [world, stop] = [new World(), new AbortController()];
    const clock: Clock = { nowMs: () => 0, sleep: async () => stop.abort() };
    const run = await ran(reading, world, {
      receipt,
      options: { ...options(0, clock), signal: stop.signal },
    });
    expect(run).toMatchObject({ kind: "stopped", endedBy: { code: "FC4510" } });
    expect(world.done).toHaveLength(1);
  });
});
