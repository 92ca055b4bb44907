/** A run keeps others from its fluents until it has an outcome, whatever leases the policy gives. */
import { describe, expect, test } from "vitest";
import { newNonce, type Receipt, signReceipt, useReceipt } from "../../src/approve/index.ts";
import { Kernel, MemoryLog, newKeys } from "../../src/kernel/index.ts";

const keys = newKeys();
const hex = "0".repeat(64);
const receipt = (): Receipt =>
  signReceipt(
    {
      program: `eir1-${hex}`,
      modules: `fcm1-${hex}`,
      inputs: `in1-${hex}`,
      kernel: hex,
      budget: null,
      uses: 1,
      notBefore: 0,
      expires: 1_000,
      nonce: newNonce(),
      decision: "approved_once",
      by: "a test",
    },
    keys.privateKey,
  );

async function opened(ledger: MemoryLog, now: { ms: number }): Promise<Kernel> {
  const kernel = await Kernel.open({ ledger, policy: { leaseMs: 100 }, clock: () => now.ms });
  if (!kernel.ok) throw new Error(kernel.problem.message);
  return kernel.value;
}

const holds = ["run:home.doorLocked"];

describe("a lease that is over", () => {
  test.each([
    ["the kernel of the first run", false],
    ["a kernel that has not seen the first run", true],
  ])("admits no other run, on %s", async (_, isOther) => {
    const now = { ms: 1_000 };
    const ledger = new MemoryLog();
    const first = await opened(ledger, now);
    const second = isOther ? await opened(ledger, now) : first;
    const used = await useReceipt(first, receipt(), { runId: "a", holds });
    expect(used.kind).toBe("used");
    now.ms = 5_000;
    const next = receipt();
    expect((await useReceipt(second, next, { runId: "b", holds })).kind).toBe("held");
    // Nothing of the refused one stays.
    expect(second.inDoubt().map(({ action }) => action)).toEqual(["run a"]);
    expect((await useReceipt(second, receipt(), { runId: "c", holds: ["run:other"] })).kind).toBe("used");
    if (used.kind === "used") await first.settle(used.reservation, { drop: true });
    expect((await useReceipt(first, receipt(), { runId: "d", holds })).kind).toBe("used");
  });

  test("is renewed by the run that has it", async () => {
    const now = { ms: 1_000 };
    const kernel = await opened(new MemoryLog(), now);
    const used = await useReceipt(kernel, receipt(), { runId: "a", holds, leaseMs: 10_000 });
    expect(kernel.inDoubt()[0]?.until).toBe(11_000);
    now.ms = 4_000;
    if (used.kind === "used") await kernel.renew(used.reservation, 10_000);
    expect(kernel.inDoubt()[0]?.until).toBe(14_000);
  });
});
