import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { Kernel, type Log, MemoryLog } from "../kernel/index.ts";
import { chargeLimits } from "./charge-limits.ts";
import { type LimitCharge, limitPeriods } from "./policy.ts";

async function kernelOn(ledger: Log = new MemoryLog()): Promise<Kernel> {
  const opened = await Kernel.open({ ledger, clock: () => 0 });
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
}

const day = limitPeriods.day;
const one = (amount: number, more: Partial<LimitCharge> = {}): LimitCharge => ({
  limit: "mail",
  amount,
  atMost: 10,
  windowMs: day,
  ...more,
});

describe("limits that are counted in a kernel", () => {
  test("up to the whole, and not beyond", async () => {
    const kernel = await kernelOn();
    expect(await chargeLimits(kernel, [one(6)], 1_000)).toEqual({ kind: "charged" });
    expect(await chargeLimits(kernel, [one(5)], 2_000)).toEqual({
      kind: "used up",
      by: { limit: "mail", used: 6 },
    });
    expect(await chargeLimits(kernel, [one(4)], 3_000)).toEqual({ kind: "charged" });
    expect((await chargeLimits(kernel, [one(1)], 4_000)).kind).toBe("used up");
  });

  test("what is older than the time does not count, to the millisecond", async () => {
    const kernel = await kernelOn();
    await chargeLimits(kernel, [one(10)], 1_000);
    expect((await chargeLimits(kernel, [one(1)], 1_000 + day - 1)).kind).toBe("used up");
    expect((await chargeLimits(kernel, [one(1)], 1_000 + day)).kind).toBe("charged");
  });

  test("all of them or none", async () => {
    const kernel = await kernelOn();
    const charges = [one(1), one(3, { limit: "money", atMost: 2 })];
    expect((await chargeLimits(kernel, charges, 0)).kind).toBe("used up");
    expect(kernel.status().state).toBe("{}");
  });

  test("a rule with a shorter time forgets nothing that one with a longer time counts", async () => {
    const kernel = await kernelOn();
    const [hourly, weekly] = [{ windowMs: limitPeriods.hour }, { windowMs: limitPeriods.week }];
    await chargeLimits(kernel, [one(10, weekly)], 0);
    expect((await chargeLimits(kernel, [one(1, hourly)], 2 * day)).kind).toBe("charged");
    expect((await chargeLimits(kernel, [one(1, weekly)], 2 * day + 1)).kind).toBe("used up");
  });

  test("a clock that goes back frees nothing", async () => {
    const kernel = await kernelOn();
    await chargeLimits(kernel, [one(10)], 5 * day);
    expect((await chargeLimits(kernel, [one(1)], day)).kind).toBe("used up");
  });

  test("what cannot be read is not nothing", async () => {
    const kernel = await kernelOn();
    await kernel.execute({ id: "x", effects: [{ key: "limit mail", op: "set", value: "none" }] });
    await expect(chargeLimits(kernel, [one(1)], 0)).rejects.toThrow("cannot be read");
  });

  test("many at once, in several processes, never take more than there is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }),
        async (amounts) => {
          const log = new MemoryLog();
          const kernels = await Promise.all([kernelOn(log), kernelOn(log), kernelOn(log)]);
          const answers = await Promise.all(
            amounts.map(async (amount, i) => {
              const kernel = kernels[i % 3] ?? kernels[0];
              return { amount, answer: await chargeLimits(kernel, [one(amount)], i) };
            }),
          );
          const taken = answers.filter(({ answer }) => answer.kind === "charged");
          const sum = taken.reduce((all, { amount }) => all + amount, 0);
          expect(sum).toBeLessThanOrEqual(10);
          for (const { amount, answer } of answers)
            if (answer.kind === "used up") expect(sum + amount).toBeGreaterThan(10);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  test("very many moments are kept as few, and none is lost", async () => {
    const kernel = await kernelOn();
    const small = one(1, { atMost: 1_000 });
    for (let n = 0; n < 300; n++) await chargeLimits(kernel, [small], n);
    expect(JSON.parse(kernel.cell("limit mail") ?? "[]")).toHaveLength(256);
    expect(await chargeLimits(kernel, [one(701, { atMost: 1_000 })], 300)).toEqual({
      kind: "used up",
      by: { limit: "mail", used: 300 },
    });
  });
});
