/** A run that stops is compensated: newest first, by the tools' own `undo`, and what could not be undone is said. */
import { describe, expect, test } from "vitest";
import { type Kernel, type Log, MemoryLog } from "../../src/kernel/index.ts";
import { type LoadedTool, resumeProgram } from "../../src/run/index.ts";
import { kernelOn, keys, program, proved, ran, tryRun, verified, World } from "./lab.ts";

const policy = { budgets: { usd: "100" } };
const order = await proved(
  program(
    'bank.maxSpend(50), home.onlyDoor("front")',
    `await home.unlock({ door: "front" });
     await bank.pay({ account: "x", amount: 3 });
     await bank.balance({ account: "x" });
     await home.lock({ door: "front" });`,
  ),
);

function worldWith(own: Readonly<Record<string, Partial<LoadedTool>>>, undone: string[]): World {
  const undo =
    (name: string): NonNullable<LoadedTool["undo"]> =>
    (args, result) => {
      undone.push(`${name} ${Object.values(Object(args)).join(" ")} ${String(result)}`);
    };
  return new World({
    "home.unlock": { run: () => undefined, undo: undo("unlock"), ...own["home.unlock"] },
    "bank.pay": { run: () => "paid", undo: undo("pay"), ...own["bank.pay"] },
    "home.lock": { run: () => Promise.reject(new Error("jammed")), ...own["home.lock"] },
  });
}

describe("a run that stops", () => {
  test("is undone newest first, with arguments and results; charges and state go back", async () => {
    const [kernel, undone] = [await kernelOn(undefined, { policy }), [] as string[]];
    const run = await ran(order, worldWith({}, undone), { kernel });
    expect([run.kind, run.endedBy?.code]).toEqual(["stopped", "FC1504"]);
    expect(undone).toEqual(["pay x 3 paid", "unlock front undefined"]);
    expect(run.calls.map(({ status }) => status)).toEqual(["undone", "undone", "done", "failed"]);
    expect(run.notUndone).toEqual([]);
    expect(kernel.status().budgets.usd).toMatchObject({ net: "0", reserved: "0" });
    expect(kernel.cell("home.doorLocked[front]")).toBeUndefined();
    // The effect of the lock is unknown.
    expect(kernel.cell("unknown home.doorLocked[front]")).toBeDefined();
    expect(kernel.inDoubt()).toEqual([]);
    expect(await verified(kernel)).toBe(true);
  });

  test("says what could not be undone, and leaves it in the state as in the world", async () => {
    const [kernel, undone] = [await kernelOn(undefined, { policy }), [] as string[]];
    const world = worldWith({}, undone);
    const { run } = world.tools.get("bank.pay") ?? { run: () => "paid" };
    world.tools.set("bank.pay", { run });
    const result = await ran(order, world, { kernel });
    expect(undone).toEqual(["unlock front undefined"]);
    expect(result.notUndone.length).toBe(1);
    expect(result.problems.map(({ code }) => code)).toEqual(["FC1504", "FC4511"]);
    expect(result.problems[1]?.message).toContain("has no `undo`");
    expect(kernel.status().budgets.usd).toMatchObject({ net: "3" });
  });

  test.each<[string, NonNullable<LoadedTool["undo"]>]>([
    ["throws", () => Promise.reject(new Error("too late"))],
    ["hangs", () => new Promise(() => {})],
  ])("an undo that %s is in doubt, its cells are unknown, and the others are undone", async (_, undo) => {
    const [kernel, undone] = [await kernelOn(undefined, { policy }), [] as string[]];
    const world = worldWith({ "bank.pay": { undo } }, undone);
    const run = await ran(order, world, { kernel, options: { timeoutMs: 20, graceMs: 0 } });
    expect(undone).toEqual(["unlock front undefined"]);
    expect(run.notUndone.length).toBe(1);
    expect(kernel.inDoubt().map(({ action }) => action)).toEqual([`undo of ${run.notUndone[0]}`]);
    expect(kernel.status().budgets.usd).toMatchObject({ net: "3" });
    expect(await verified(kernel)).toBe(true);
  });

  test("that completes undoes nothing", async () => {
    const undone: string[] = [];
    const run = await ran(order, worldWith({ "home.lock": { run: () => undefined } }, undone));
    expect([run.kind, undone]).toEqual(["done", []]);
  });

  test("with a call in doubt undoes nothing: it has not ended", async () => {
    const undone: string[] = [];
    const world = worldWith({ "home.lock": { run: () => new Promise(() => {}) } }, undone);
    const run = await ran(order, world, { options: { timeoutMs: 20, graceMs: 0 } });
    expect([run.kind, undone]).toEqual(["in doubt", []]);
  });
});

class Gone extends Error {}

describe("taking back that is cut off", () => {
  test.each(Array.from({ length: 14 }, (_, i) => i))(
    "%i transactions after the call failed, nothing is undone twice",
    async (more) => {
      const log = new MemoryLog();
      await kernelOn(log, { policy });
      let left = Number.POSITIVE_INFINITY;
      const flaky: Log = {
        read: (name, from, limit) => log.read(name, from, limit),
        transact: (name, since, decide) => {
          if (left-- <= 0) throw new Gone();
          return log.transact(name, since, decide);
        },
      };
      const undone: string[] = [];
      const jammed: LoadedTool["run"] = () => {
        left = more + 1; // that it failed, with what is unknown for it
        return Promise.reject(new Error("jammed"));
      };
      const world = worldWith({ "home.lock": { run: jammed } }, undone);
      const first = await tryRun(order, world, { kernel: await kernelOn(flaky) }).catch(
        (thrown: unknown) => thrown,
      );
      left = Number.POSITIVE_INFINITY;
      const kernel: Kernel = await kernelOn(log);
      if (first instanceof Gone) {
        const { checked, everywhere } = order;
        const options = {
          kernel,
          runId: "r1",
          tools: world.tools,
          everywhere,
          wallMs: () => 0,
          publicKey: keys.publicKey,
        };
        const result = await resumeProgram(checked, options);
        if (!result.ok) throw new Error(result.problems[0]?.message);
        expect(result.value.kind).toBe("stopped");
        // What was in doubt when it was cut off is not undone again, and is said.
        expect(undone.length + result.value.notUndone.length).toBeGreaterThanOrEqual(2);
      }
      expect(new Set(undone).size).toBe(undone.length);
      expect(world.done.filter((one) => one.startsWith("home.lock")).length).toBe(1);
      expect(kernel.inDoubt().filter(({ action }) => !action.startsWith("undo of"))).toEqual([]);
      expect(await verified(kernel)).toBe(true);
    },
  );
});
