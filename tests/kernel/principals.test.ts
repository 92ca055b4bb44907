/**
 * Principals: who asks stands in every entry, each has quotas and shares of its own, and nobody ends, spends or uses up what
 * belongs to another.
 */
import { describe, expect, test } from "vitest";
import {
  Kernel,
  type KernelOptions,
  newKeys,
  type Outcome,
  type StoredEntry,
  verify,
} from "../../src/kernel/index.ts";
import { MemoryLedger } from "../../src/ledger/memory.ts";
import { act, set } from "./support.ts";

const text = ({ bytes }: StoredEntry) => new TextDecoder().decode(bytes);
const codesOf = ({ reasons }: Outcome) => reasons.map(({ reason }) => reason);

async function opened(
  policy: unknown,
  more: Partial<KernelOptions> & { ledger?: MemoryLedger; now?: { ms: number } } = {},
): Promise<{ kernel: Kernel; ledger: MemoryLedger; now: { ms: number } }> {
  const { ledger = new MemoryLedger(), now = { ms: 1_000 }, ...rest } = more;
  const result = await Kernel.open({ ledger, policy, clock: () => now.ms, ...rest });
  if (!result.ok) throw new Error(result.problem.message);
  return { kernel: result.value, ledger, now };
}

function as(kernel: Kernel, principal: string, privateKey?: string): Kernel {
  const found = kernel.as(principal, privateKey);
  if (!found.ok) throw new Error(found.problem.message);
  return found.value;
}

/** Every trace verifies, and a kernel that reads it comes to the same state. */
async function checkTrace(ledger: MemoryLedger, kernel: Kernel): Promise<readonly string[]> {
  const trace = await ledger.read("main", 1, 10_000);
  expect(await verify(trace)).toMatchObject({ ok: true });
  const again = await Kernel.open({ ledger, clock: () => 0 });
  if (!again.ok) throw new Error(again.problem.message);
  const status = kernel.status();
  expect(again.value.status()).toEqual({ ...status, budgets: again.value.status().budgets });
  return trace.map(text);
}

describe("without declared principals", () => {
  test("everybody is `local`, which every entry says, and may do everything", async () => {
    const { kernel, ledger } = await opened({ budgets: { usd: 10 } });
    const held = await kernel.reserve({ id: "pay", cost: 1 });
    for (const one of [
      await kernel.release(held.receipt ?? "", "no"),
      await kernel.stop("x"),
      await kernel.resume("y"),
    ])
      expect(one.verdict).toBe("allowed");
    const trace = await checkTrace(ledger, kernel);
    for (const entry of trace) expect(entry).toContain('"principal":"local"');
    expect(kernel.status().principals).toBeUndefined();
  });

  test("others are welcome, are no operators, and end nothing that is not theirs", async () => {
    const { kernel, ledger } = await opened({ budgets: { usd: 10 } });
    const [ann, bob] = [as(kernel, "ann"), as(kernel, "bob")];
    const held = await ann.reserve({ id: "pay", cost: 4 }, "k");
    expect(codesOf(await bob.release(held.receipt ?? "", "mine now"))).toEqual(["of another principal"]);
    expect(codesOf(await bob.settle(held.receipt ?? "", {}))).toEqual(["of another principal"]);
    expect(codesOf(await bob.stop("all"))).toEqual(["for operators"]);
    expect(kernel.status().budgets.usd).toMatchObject({ reserved: "4", left: "6" });
    const step = await ann.execute({ ...act(set("a", 1)), cost: 1 });
    expect(codesOf(await bob.rollback(step.receipt ?? ""))).toEqual(["of another principal"]);
    expect((await kernel.rollback(step.receipt ?? "")).verdict).toBe("allowed");
    expect((await ann.settle(held.receipt ?? "")).verdict).toBe("allowed");
    await checkTrace(ledger, kernel);
  });
});

const pair = {
  budgets: { usd: { limit: 10 } },
  emergencies: [{ id: "halt", cap: 2 }],
  principals: [
    { name: "ops", operator: true },
    { name: "ann", shares: { usd: 6 }, maxSteps: 20, reservations: 2, refusals: { max: 3, windowMs: 1_000 } },
    { name: "bob", writes: { max: 2_000, windowMs: 1_000 } },
  ],
};

describe("declared principals", () => {
  test("are all there are", async () => {
    const { kernel, ledger } = await opened(pair, { principal: "ops" });
    const eve = as(kernel, "eve");
    expect(codesOf(await eve.execute({ id: "x" }))).toEqual(["no such principal"]);
    expect(codesOf(await eve.execute({ id: "halt" }))).toEqual(["no such principal"]);
    expect((await kernel.execute({ id: "x" })).verdict).toBe("allowed");
    await checkTrace(ledger, kernel);
  });

  test("spend their share and no more, and get back what is rolled back or cheaper than it was held", async () => {
    const { kernel, ledger } = await opened(pair, { principal: "ops" });
    const ann = as(kernel, "ann");
    const step = await ann.execute({ ...act(set("a", 1)), cost: 4 });
    const held = await ann.reserve({ id: "pay", cost: 2 });
    expect(codesOf(await ann.execute({ id: "x", cost: 1 }))).toEqual(["over the share"]);
    expect(ann.evaluate({ id: "x", cost: 1 }).verdict).toBe("refused");
    await ann.settle(held.receipt ?? "", { cost: "0.5" });
    expect((await ann.execute({ id: "x", cost: "1.5" })).verdict).toBe("allowed");
    await ann.rollback(step.receipt ?? "");
    const share = kernel.status().principals?.ann?.shares.usd;
    expect(share).toEqual({ spent: "2", held: "0", given: "0", left: "4" });
    expect((await as(kernel, "bob").execute({ id: "x", cost: 8 })).verdict).toBe("allowed");
    await checkTrace(ledger, kernel);
  });

  test("a quota of reservations, of steps and of bytes is each one's own", async () => {
    const { kernel, ledger, now } = await opened(pair, { principal: "ops" });
    const [ann, bob] = [as(kernel, "ann"), as(kernel, "bob")];
    const held = [await ann.reserve({ id: "a" }), await ann.reserve({ id: "b" })];
    expect(codesOf(await ann.reserve({ id: "c" }))).toEqual(["too many of its own reservations"]);
    expect((await bob.reserve({ id: "c" })).verdict).toBe("allowed");
    await ann.release(held[0]?.receipt ?? "", "no");
    expect((await ann.reserve({ id: "c" })).verdict).toBe("allowed");
    for (let i = 3; i < 20; i++) expect((await ann.execute({ id: "s" })).verdict).toBe("allowed");
    expect(codesOf(await ann.execute({ id: "s" }))).toEqual(["no step left of its own"]);
    expect((await bob.execute(act(set("t", "x".repeat(1_800))))).verdict).toBe("allowed");
    expect(codesOf(await bob.execute(act(set("t", "x".repeat(1_800)))))).toEqual(["too much to write"]);
    expect((await bob.execute({ id: "halt" })).verdict).toBe("allowed");
    now.ms += 1_000;
    expect((await bob.execute(act(set("t", "x".repeat(1_800))))).verdict).toBe("allowed");
    await checkTrace(ledger, kernel);
  });

  test("refusals beyond the quota are told and counted, and write nothing", async () => {
    const { kernel, ledger, now } = await opened(pair, { principal: "ops" });
    const ann = as(kernel, "ann");
    const outcomes = [];
    for (let i = 0; i < 10; i++) outcomes.push(await ann.execute({ id: "x", cost: 100 }));
    expect(outcomes.map(({ folded }) => folded === true)).toEqual([
      false,
      false,
      false,
      ...Array(7).fill(true),
    ]);
    for (const one of outcomes) expect([one.verdict, one.reasons[0]?.code]).toEqual(["refused", "budget"]);
    expect(outcomes.at(-1)?.seq).toBe(4);
    expect(await ledger.read("main", 1, 100)).toHaveLength(4);
    // The next entry of that principal says how many there were.
    await ann.execute({ id: "x" });
    expect(kernel.status().principals?.ann).toMatchObject({ refusals: 3, folded: 7 });
    now.ms += 1_000;
    expect((await ann.execute({ id: "x", cost: 100 })).folded).toBeUndefined();
    const trace = await checkTrace(ledger, kernel);
    expect(trace.filter((entry) => entry.includes('"folded":7'))).toHaveLength(1);
  });

  test("an emergency action has its cap for each, and passes every limit of its principal", async () => {
    const { kernel, ledger } = await opened(
      {
        ...pair,
        maxSteps: 1,
        budgets: { usd: 0 },
        principals: pair.principals.map(({ name }) => ({
          name,
          operator: name === "ops",
          maxSteps: 0,
          reservations: 0,
          refusals: { max: 0, windowMs: 1 },
          writes: { max: 0, windowMs: 1 },
        })),
      },
      { principal: "ops" },
    );
    const [ann, bob] = [as(kernel, "ann"), as(kernel, "bob")];
    await kernel.stop("all");
    const verdicts = [];
    for (let i = 0; i < 3; i++) verdicts.push((await ann.execute({ id: "halt" })).verdict);
    expect(verdicts).toEqual(["allowed", "allowed", "refused"]);
    expect((await bob.execute({ id: "halt" })).verdict).toBe("allowed");
    await checkTrace(ledger, kernel);
  });
});

describe("delegation", () => {
  test("divides a share, and gives back what is left", async () => {
    const { kernel, ledger } = await opened(pair, { principal: "ops" });
    const ann = as(kernel, "ann");
    expect((await ann.delegate("child", { usd: 4 })).verdict).toBe("allowed");
    expect(codesOf(await ann.delegate("child", { usd: 3 }))).toEqual(["share not left"]);
    const child = as(kernel, "child");
    expect((await child.execute({ id: "x", cost: 1 })).verdict).toBe("allowed");
    expect((await child.reserve({ id: "x", cost: 1 })).verdict).toBe("allowed");
    expect(codesOf(await child.execute({ id: "x", cost: "2.5" }))).toEqual(["over the share"]);
    expect((await child.delegate("grandchild", { usd: "0.5" })).verdict).toBe("allowed");
    expect(codesOf(await as(kernel, "bob").reclaim("child"))).toEqual(["delegated by another"]);
    expect(codesOf(await as(kernel, "grandchild").delegate("ann", { usd: "0.1" }))).toEqual([
      "delegated to itself",
    ]);
    // 4 of which 1 is spent, 1 held and 0.5 given on.
    expect((await ann.reclaim("child")).verdict).toBe("allowed");
    const { principals } = kernel.status();
    expect(principals?.ann?.shares.usd).toEqual({ spent: "0", held: "0", given: "2.5", left: "3.5" });
    expect(principals?.child?.shares.usd).toEqual({ spent: "1", held: "1", given: "0.5", left: "0" });
    expect(principals?.grandchild?.shares.usd?.left).toBe("0.5");
    await checkTrace(ledger, kernel);
  });

  test("of 8 agents that race, each stays within its share, and all within the budget", async () => {
    const names = Array.from({ length: 8 }, (_, i) => `agent ${i}`);
    const { kernel, ledger } = await opened(
      {
        budgets: { usd: 100 },
        principals: [
          { name: "boss", shares: { usd: 100 } },
          { name: "ops", operator: true },
        ],
      },
      { principal: "boss" },
    );
    for (const name of names) await kernel.delegate(name, { usd: 12 });
    const outcomes = await Promise.all(
      names.flatMap((name) => {
        const agent = as(kernel, name);
        return Array.from({ length: 40 }, () => agent.execute({ id: "pay", cost: "0.5" }));
      }),
    );
    expect(outcomes.filter(({ verdict }) => verdict === "allowed")).toHaveLength(8 * 24);
    const status = kernel.status();
    for (const name of names) expect(status.principals?.[name]?.shares.usd?.left).toBe("0");
    expect(status.budgets.usd).toMatchObject({ net: "96", left: "4" });
    await checkTrace(ledger, kernel);
  });
});

describe("leases", () => {
  test("hold keys for their time; the charge and the doubt stay until there is an outcome", async () => {
    const { kernel, ledger, now } = await opened({ budgets: { usd: 10 } }, { state: { a: 0 } });
    const held = await kernel.reserve({ ...act(set("a", 1)), cost: 4 }, "one", 500);
    expect(codesOf(await kernel.execute(act(set("a", 2))))).toEqual(["held key"]);
    now.ms += 400;
    expect((await kernel.renew(held.receipt ?? "", 500)).verdict).toBe("allowed");
    now.ms += 400;
    expect(codesOf(await kernel.execute(act(set("a", 2))))).toEqual(["held key"]);
    now.ms += 100;
    expect((await kernel.execute(act(set("a", 2)))).verdict).toBe("allowed");
    expect(kernel.status().budgets.usd).toMatchObject({ reserved: "4" });
    expect(kernel.inDoubt()).toMatchObject([{ receipt: held.receipt, until: 1_900 }]);
    // Somebody else holds the key now: the first one can be neither renewed nor settled over it, and can be dropped.
    const other = await kernel.reserve(act(set("a", 3)), "two", 500);
    expect(codesOf(await kernel.renew(held.receipt ?? "", 500))).toEqual(["held key"]);
    expect(codesOf(await kernel.settle(held.receipt ?? ""))).toEqual(["held key"]);
    expect((await kernel.settle(held.receipt ?? "", { drop: true })).verdict).toBe("allowed");
    expect(codesOf(await kernel.execute(act(set("a", 2))))).toEqual(["held key"]);
    expect((await kernel.settle(other.receipt ?? "")).verdict).toBe("allowed");
    expect(kernel.cell("a")).toBe("3");
    await checkTrace(ledger, kernel);
  });

  test("are from 1 ms to 366 days, and belong to reservations that have one", async () => {
    const { kernel } = await opened({ leaseMs: 10 });
    for (const leaseMs of [0, -1, 1.5, Number.NaN, 366 * 86_400_000 + 1])
      expect([leaseMs, (await kernel.reserve({ id: "x" }, undefined, leaseMs)).verdict]).toEqual([
        leaseMs,
        "refused",
      ]);
    expect((await kernel.reserve({ id: "x" }, undefined, 366 * 86_400_000)).verdict).toBe("allowed");
    await kernel.reserve({ id: "x" });
    expect(kernel.inDoubt().map(({ until }) => until)).toContain(1_010);
    const { kernel: plain } = await opened({});
    const held = await plain.reserve({ id: "x" });
    expect(codesOf(await plain.renew(held.receipt ?? "", 5))).toEqual(["no lease"]);
  });
});

describe("limits that one client met for all", () => {
  test("a clock that jumps too far stands still, and an operator's `resume` believes it", async () => {
    const policy = { budgets: { day: { limit: 1, windowMs: 1_000 } }, maxJumpMs: 10_000 };
    const { kernel, ledger, now } = await opened(policy);
    expect((await kernel.execute({ id: "a", cost: 1 })).verdict).toBe("allowed");
    const honest = now.ms;
    for (const lie of [2 ** 53 - 1, 2 ** 53, Number.NaN, -1, 0.5, honest + 10_001]) {
      now.ms = lie;
      expect([lie, (await kernel.execute({ id: "a", cost: 1 })).verdict]).toEqual([lie, "refused"]);
    }
    now.ms = honest + 1_000;
    expect((await kernel.execute({ id: "a", cost: 1 })).verdict).toBe("allowed");
    now.ms += 1_000_000;
    expect((await kernel.execute({ id: "a", cost: 1 })).verdict).toBe("refused");
    await kernel.resume("after the holidays");
    expect((await kernel.execute({ id: "a", cost: 1 })).verdict).toBe("allowed");
    await checkTrace(ledger, kernel);
  });

  test("`maxGross` bounds what is spent and rolled back again and again", async () => {
    const { kernel, ledger } = await opened({ budgets: { usd: { limit: 10, maxGross: 25 } } });
    let allowed = 0;
    for (let i = 0; i < 10; i++) {
      const step = await kernel.execute({ ...act(set("a", i)), cost: 10 });
      if (step.verdict === "refused") expect(codesOf(step)).toEqual(["over the gross limit"]);
      else allowed++;
      if (step.receipt !== undefined) await kernel.rollback(step.receipt);
    }
    expect(allowed).toBe(2);
    expect(kernel.status().budgets.usd).toMatchObject({ gross: "20", net: "0" });
    await checkTrace(ledger, kernel);
  });

  test("soft limits warn and stop nothing", async () => {
    const { kernel, ledger } = await opened({
      budgets: { usd: { limit: 10, warnAt: 5 } },
      maxSteps: 4,
      warnSteps: 3,
    });
    const warned = [];
    for (let i = 0; i < 4; i++) {
      const { verdict, checks } = await kernel.execute({ id: "x", cost: 2 });
      expect(verdict).toBe("allowed");
      warned.push(checks.filter(({ monitoring }) => monitoring).map(({ check }) => check));
    }
    expect(warned).toEqual([[], [], ["soft limit usd"], ["soft limit usd", "soft limit of steps"]]);
    await checkTrace(ledger, kernel);
  });

  test("another function of the same name does not open the kernel, and one with a version does", async () => {
    const even = { name: "f", enforcement: "blocking", check: () => true } as const;
    const other = { ...even, check: () => 1 + 1 === 2 };
    const { ledger } = await opened({}, { functions: [even] });
    const found = await Kernel.open({ ledger, functions: [other], clock: () => 0 }).catch(
      (error: unknown) => error,
    );
    expect(String(found)).toContain("the function `f` is not the one of the kernel");
    expect((await Kernel.open({ ledger, functions: [even], clock: () => 0 })).ok).toBe(true);
    const named = await opened({}, { functions: [{ ...even, version: "1" }] });
    expect(
      (await Kernel.open({ ledger: named.ledger, functions: [{ ...other, version: "1" }], clock: () => 0 }))
        .ok,
    ).toBe(true);
  });

  test("one who refuses, reserves, floods and lies about its clock keeps nobody from their own", async () => {
    const policy = {
      budgets: { usd: { limit: 100, windowMs: 60_000 } },
      maxJumpMs: 1_000,
      emergencies: [{ id: "halt", cap: 3 }],
      principals: [
        { name: "mallory", shares: { usd: 10 } },
        { name: "ann", shares: { usd: 10 }, writes: { max: 100_000, windowMs: 1_000 } },
        { name: "ops", operator: true },
      ],
    };
    const now = { ms: 1_000 };
    const { kernel: ops, ledger } = await opened(policy, { principal: "ops", now });
    const [ann, mallory] = [as(ops, "ann"), as(ops, "mallory")];
    const flood: Promise<Outcome>[] = [];
    for (let i = 0; i < 3_000; i++) {
      flood.push(
        i % 3 === 0
          ? mallory.reserve({ id: "r", cost: "0.001" })
          : mallory.execute({ id: "no", cost: 1_000 }),
      );
      if (i % 500 === 0) flood.push(mallory.execute({ id: "halt" }));
    }
    const before = performance.now();
    const [emergency, step, stopped] = await Promise.all([
      ann.execute({ id: "halt" }),
      ann.execute({ id: "pay", cost: 10 }),
      ops.stop("enough"),
    ]);
    const waited = performance.now() - before;
    expect([emergency.verdict, stopped.verdict]).toEqual(["allowed", "allowed"]);
    // It was stopped in the same group, ahead of her step, and afterwards she has her own share.
    expect(codesOf(step)).toEqual(["stopped"]);
    const floodMs = await Promise.all(flood).then(() => performance.now() - before);
    process.stderr.write(`waited ${waited.toFixed(1)} ms of a flood of ${floodMs.toFixed(0)} ms\n`);
    await ops.resume("go on");
    now.ms = 2 ** 53 - 1;
    await mallory.execute({ id: "late" });
    now.ms = 1_500;
    expect((await ann.execute({ id: "pay", cost: 10 })).verdict).toBe("allowed");
    expect((await ann.reserve({ id: "mine" })).verdict).toBe("allowed");
    expect(ops.status().principals?.mallory?.reservations).toBeLessThanOrEqual(1_000);
    expect((await verify(await ledger.read("main", 1, 10_000))).ok).toBe(true);
    // She was among the first 256 commands that were decided.
    expect(emergency.seq).toBeLessThan(260);
  });
});

test("one who floods with emergency actions and `stop` writes no more than its quota, and keeps nobody waiting", async () => {
  const policy = {
    budgets: { usd: 10 },
    emergencies: [{ id: "halt", cap: 3 }],
    principals: [
      { name: "mallory", refusals: { max: 20, windowMs: 60_000 } },
      { name: "ann", shares: { usd: 5 } },
      { name: "ops", operator: true },
    ],
  };
  const { kernel: ops, ledger } = await opened(policy, { principal: "ops" });
  const [ann, mallory] = [as(ops, "ann"), as(ops, "mallory")];
  const flood = Array.from({ length: 1_000 }, (_, i) =>
    i % 2 === 0 ? mallory.execute({ id: "halt" }) : mallory.stop("no"),
  );
  const [pay, halt] = await Promise.all([ann.execute({ id: "pay", cost: 5 }), ann.execute({ id: "halt" })]);
  expect([pay.verdict, halt.verdict]).toEqual(["allowed", "allowed"]);
  // Both were decided in the first group, after 16 urgent commands of the flood at most.
  expect(halt.seq).toBeLessThan(20);
  expect(pay.seq).toBeLessThan(25);
  const told = await Promise.all(flood);
  expect(told.filter(({ verdict }) => verdict === "allowed")).toHaveLength(3);
  expect(told.filter(({ folded }) => folded !== true)).toHaveLength(3 + 20);
  expect((await ledger.read("main", 1, 10_000)).length).toBe(1 + 3 + 20 + 2);
  await checkTrace(ledger, ops);
});

describe("credentials", () => {
  const [ann, eve] = [newKeys(), newKeys()];
  const policy = {
    budgets: { usd: 5 },
    principals: [
      { name: "ann", key: ann.publicKey },
      { name: "ops", operator: true },
    ],
  };

  test("a principal with a key signs its entries, and nobody else can", async () => {
    const { kernel, ledger } = await opened(policy, { principal: "ops" });
    expect(kernel.as("ann")).toMatchObject({ ok: false, problem: { reason: "key needed" } });
    expect(kernel.as("ann", eve.privateKey)).toMatchObject({
      ok: false,
      problem: { reason: "key of another" },
    });
    expect(kernel.as("ann", "no key")).toMatchObject({ ok: false });
    const own = as(kernel, "ann", ann.privateKey);
    expect((await own.execute({ id: "pay", cost: 2 })).verdict).toBe("allowed");
    expect((await own.execute({ id: "pay", cost: 9 })).verdict).toBe("refused");
    const trace = await ledger.read("main", 1, 9);
    expect(await verify(trace)).toMatchObject({ ok: true });
    expect(text(trace[1] ?? trace[0]!)).toContain('"signature":"');
    const change = async (from: string | RegExp, to: string) => {
      const words = text(trace[1]!).replace(from, to);
      expect(words).not.toBe(text(trace[1]!));
      const { createHash } = await import("node:crypto");
      const bytes = new TextEncoder().encode(words);
      const hash = createHash("sha256").update(bytes).digest("hex");
      return verify([trace[0]!, { seq: 2, bytes, hash }]);
    };
    for (const [from, to] of [
      [/"signature":"[^"]*",/, ""],
      [/("signature":"[+]*)[^+]/, "$1+"],
      [/"signature":"/, '"signature":" '],
      ['"id":"pay"', '"id":"pax"'],
      [/"time":\d+/, '"time":1001'],
      [/"writer":"./, '"writer":"_'],
    ] as const)
      expect((await change(from, to)).ok).toBe(false);
  });

  test("a child signs with the key that came with its share", async () => {
    const { kernel, ledger } = await opened(policy, { principal: "ops" });
    const own = as(kernel, "ann", ann.privateKey);
    expect((await own.delegate("eve", { usd: 1 }, "no key")).verdict).toBe("refused");
    expect((await own.delegate("eve", { usd: 1 }, eve.publicKey)).verdict).toBe("allowed");
    expect(kernel.as("eve")).toMatchObject({ ok: false });
    expect((await as(kernel, "eve", eve.privateKey).execute({ id: "pay", cost: 1 })).verdict).toBe("allowed");
    expect((await verify(await ledger.read("main", 1, 9))).ok).toBe(true);
  });
});

describe("a living kernel", () => {
  test("changes its policy by an entry of an operator, for everybody who shares the ledger", async () => {
    const first = { budgets: { usd: 2 }, emergencies: [{ id: "halt", effects: [set("halted", true)] }] };
    const { kernel, ledger } = await opened(first, { state: { n: 0 } });
    const other = await opened(undefined, { ledger });
    await kernel.execute({ id: "a", cost: 2 });
    expect((await kernel.execute({ id: "a", cost: 1 })).verdict).toBe("refused");
    const { digest } = kernel.policy();
    const richer = {
      ...first,
      budgets: { usd: 3, eur: 5 },
      rules: [{ name: "n", enforcement: "blocking", rule: "ceiling", key: "n", max: 1 }],
    };
    expect((await kernel.amend(richer)).verdict).toBe("allowed");
    expect(codesOf(await kernel.amend(first, digest))).toContain("replaces another policy");
    expect((await kernel.execute({ id: "a", cost: { usd: 1, eur: 5 } })).verdict).toBe("allowed");
    await other.kernel.refresh();
    expect((await other.kernel.execute(act(set("n", 2)))).reasons[0]?.code).toBe("invariant");
    expect(other.kernel.status().budgets).toEqual(kernel.status().budgets);
    for (const [bad, reason] of [
      [{ ...richer, budgets: { usd: 2, eur: 5 } }, "spent already"],
      [{ ...richer, budgets: { eur: 5, usd: 3 } }, "budget stays"],
      [{ ...richer, budgets: { usd: { limit: 3, windowMs: 5 }, eur: 5 } }, "budget stays"],
      [{ ...richer, undoSteps: 5 }, "undo steps stay"],
      [
        { ...richer, rules: [{ name: "n", enforcement: "blocking", rule: "requiredKeys", keys: ["m"] }] },
        "absent",
      ],
      [
        {
          ...richer,
          rules: [
            {
              name: "h",
              enforcement: "blocking",
              rule: "allowedValues",
              key: "halted",
              values: [false],
              missing: "ok",
            },
          ],
        },
        "emergency breaks a rule",
      ],
      [{ ...richer, nothing: 1 }, "unknown field"],
      ["no policy", "not an object"],
    ] as const)
      expect(codesOf(await kernel.amend(bad)).join(), String(reason)).toContain(reason);
    await other.kernel.refresh();
    await kernel.refresh();
    const trace = await ledger.read("main", 1, 100);
    expect(await verify(trace)).toMatchObject({ ok: true, entries: trace.length });
    // It opens with the policy that it was made with, with the newest, and with none.
    for (const policy of [first, richer, undefined])
      expect((await Kernel.open({ ledger, policy, clock: () => 0 })).ok).toBe(true);
    expect((await Kernel.open({ ledger, policy: {}, clock: () => 0 })).ok).toBe(false);
  });

  test("goes on from a snapshot under a policy that was changed", async () => {
    const { kernel, ledger } = await opened({ budgets: { usd: 1_000 } }, { snapshotEvery: 1 });
    await kernel.amend({
      budgets: { usd: 2_000 },
      principals: [{ name: "local", operator: true, shares: { usd: 1_500 } }],
    });
    for (let i = 0; i < 300; i++) await kernel.execute({ id: "a", cost: 1 });
    await kernel.close();
    expect((await ledger.loadSnapshot("main"))?.seq).toBe(255);
    const again = await opened(undefined, { ledger });
    expect(again.kernel.status()).toEqual(kernel.status());
    expect(again.kernel.status().principals?.local?.shares.usd?.left).toBe("1200");
  });
});
