/** Reservations, probes, groups of commits, guards and the harness. */

import { describe, expect, test } from "vitest";
import {
  expectAllowed,
  expectBudget,
  expectRefused,
  GuardRefused,
  guard,
  Kernel,
  NotDone,
  undoKey,
  verify,
} from "../../src/kernel/index.ts";
import { MemoryLedger } from "../../src/ledger/memory.ts";
import { act, opened, rule, set, usd } from "./support.ts";

const up = (key: string, value: unknown = 1) => ({ key, op: "increment", value });

describe("reservations", () => {
  test("hold the charge, then spend what it really cost", async () => {
    const { kernel } = await opened({ budgets: usd(10) }, { n: 0 });
    const { receipt = "" } = await kernel.reserve({ ...act(up("n")), cost: 8 });
    expectBudget(kernel, "usd", { gross: "0", reserved: "8", left: "2" });
    await expectRefused(kernel, { id: "a", cost: 3 }, { code: "budget" });
    expect((await kernel.settle(receipt, { cost: 9 })).reasons.map(({ code }) => code)).toEqual(["budget"]);
    expect((await kernel.settle(receipt, { cost: "7.5", outcome: { ok: true } })).verdict).toBe("allowed");
    expectBudget(kernel, "usd", { gross: "7.5", net: "7.5", reserved: "0", left: "2.5" });
    expect((await kernel.settle(receipt)).verdict).toBe("refused");
    expect(kernel.status()).toMatchObject({ state: '{"n":1}', inDoubt: [] });
  });

  test("hold their keys, and count as a step even when released", async () => {
    const { kernel } = await opened({ budgets: usd(10), maxSteps: 2 }, { n: 0, m: 0 });
    const { receipt = "" } = await kernel.reserve({ ...act(up("n")), cost: 1 });
    await expectRefused(kernel, act(set("n", 5)), { code: "held" });
    await expectAllowed(kernel, act(set("m", 5)));
    await kernel.release(receipt, "not needed");
    expectBudget(kernel, "usd", { gross: "0", reserved: "0" });
    await expectRefused(kernel, act(set("n", 5)), { code: "step-limit" });
  });

  test("without an outcome are in doubt, for everyone, until someone says", async () => {
    const { kernel, ledger } = await opened({ budgets: usd(10) }, {});
    const { receipt } = await kernel.reserve({ id: "pay", cost: 1 }, "order 7");
    const later = (await opened(undefined, {}, { ledger })).kernel;
    expect(later.inDoubt()).toEqual([{ receipt, action: "pay", key: "order 7", time: 1_000 }]);
    expectBudget(later, "usd", { reserved: "1" });
    await later.settle(receipt!);
    expect(later.inDoubt()).toEqual([]);
  });

  test("with one key happen once", async () => {
    const { kernel } = await opened({ budgets: usd(10) }, {});
    const pay = { id: "pay", cost: 1 };
    const one = await kernel.reserve(pay, "k");
    expect((await kernel.reserve(pay, "k")).reasons.map(({ code }) => code)).toEqual(["idempotency-key"]);
    expect((await kernel.reserve({ ...pay, cost: 2 }, "k")).verdict).toBe("refused");
    await kernel.settle(one.receipt!);
    const again = await kernel.reserve(pay, "k");
    expect([again.verdict, again.receipt]).toEqual(["allowed", undefined]);
    expectBudget(kernel, "usd", { gross: "1", reserved: "0" });
    const two = await kernel.reserve(pay, "l");
    await kernel.release(two.receipt!, "failed");
    expect((await kernel.reserve(pay, "l")).receipt).toMatch(/^r/);
  });

  test("one that can no longer be settled as it was stays, and can be settled without its effects", async () => {
    const sum = `value(jsonNumber(value(jsonField(after, "a")))) + value(jsonNumber(value(jsonField(after, "b")))) <= 3`;
    const { kernel } = await opened(
      { budgets: usd(9), rules: [{ name: "sum", enforcement: "blocking", when: sum }] },
      { a: 0, b: 0 },
    );
    const { receipt = "" } = await kernel.reserve({ ...act(up("a", 3)), cost: 1 });
    await expectAllowed(kernel, act(up("b", 3)));
    expect((await kernel.settle(receipt)).verdict).toBe("refused");
    expect(kernel.inDoubt().length).toBe(1);
    expect((await kernel.settle(receipt, { drop: true })).verdict).toBe("allowed");
    expect(kernel.status()).toMatchObject({ state: '{"a":0,"b":3}', inDoubt: [] });
  });
});

describe("perform", () => {
  const pay = { id: "pay", cost: 2, effects: [up("n")] };

  test("reserves, runs and settles", async () => {
    const { kernel, ledger } = await opened({ budgets: usd(10) }, { n: 0 });
    const done = await kernel.perform(pay, async () => 7, { cost: () => 1, outcome: (x) => x });
    expect(done).toMatchObject({ kind: "done", result: 7 });
    expectBudget(kernel, "usd", { net: "1" });
    expect((await verify(await ledger.read("main", 1, 9))).ok).toBe(true);
  });

  test("does not run what is refused, or was done", async () => {
    const { kernel } = await opened({ budgets: usd(3) }, { n: 0 });
    let ran = 0;
    const run = () => ++ran;
    expect((await kernel.perform(pay, run, { key: "k" })).kind).toBe("done");
    expect((await kernel.perform(pay, run, { key: "k" })).kind).toBe("done before");
    expect((await kernel.perform(pay, run)).kind).toBe("refused");
    expect(ran).toBe(1);
  });

  test("a handler that fails leaves it in doubt, unless nothing happened", async () => {
    const { kernel } = await opened({ budgets: usd(9) }, { n: 0 });
    const fail = () => {
      throw new Error("timeout");
    };
    expect((await kernel.perform({ id: "a", cost: 1 }, fail)).kind).toBe("in doubt");
    expect((await kernel.perform({ id: "a", cost: 1 }, fail, { whenItFails: "release" })).kind).toBe(
      "released",
    );
    const notDone = () => {
      throw new NotDone("refused by the bank");
    };
    expect((await kernel.perform({ id: "a", cost: 1 }, notDone)).kind).toBe("released");
    expectBudget(kernel, "usd", { reserved: "1", gross: "0" });
  });

  test("what failed and cannot be released is in doubt", async () => {
    const { kernel, ledger } = await opened({ budgets: usd(9) }, { n: 0 });
    const settled = await kernel.perform({ id: "a", cost: 1 }, async (receipt) => {
      await kernel.settle(receipt);
      throw new NotDone("too late");
    });
    expect(settled).toMatchObject({ kind: "in doubt", reasons: [{ code: "receipt" }] });
    const gone = await kernel.perform({ id: "a", cost: 1 }, async () => {
      await ledger.close();
      throw new NotDone("the line is dead");
    });
    expect(gone).toMatchObject({ kind: "in doubt", error: { message: "the line is dead" } });
  });

  test("what is done and cannot be settled is in doubt, and its receipt is told", async () => {
    const { kernel } = await opened({ budgets: usd(9) }, { n: 0 });
    const lost = () => {
      throw new Error("no bill");
    };
    for (const options of [
      { cost: lost },
      { outcome: lost },
      { cost: () => 7 },
      { cost: () => Number.NaN },
    ]) {
      const done = await kernel.perform({ id: "a", cost: 1 }, () => "sent", options);
      expect(done).toMatchObject({ kind: "in doubt", result: "sent" });
      if (done.kind === "in doubt") expect((await kernel.settle(done.receipt)).verdict).toBe("allowed");
    }
  });
});

describe("compensate", () => {
  const undo = (n: number) => ({ id: "refund", tool: "bank", args: { n }, cost: 1 });

  test("rolls back, then does what makes up for each step, newest first, once", async () => {
    const { kernel, ledger } = await opened({ budgets: usd(20) }, { n: 0 });
    const steps = [];
    for (let n = 1; n <= 3; n++) {
      const action = { ...act(set("n", n)), cost: 2, ...(n === 2 ? {} : { undo: undo(n) }) };
      steps.push((await kernel.execute(action)).receipt ?? "");
    }
    const done: unknown[] = [];
    const result = await kernel.compensate(steps[0] ?? "", (one) => done.push(one), steps[2]);
    if (result.kind !== "rolled back") throw new Error("it was refused");
    expect(done).toMatchObject([{ args: { n: 3 } }, { args: { n: 1 } }]);
    expect(result.undone.map(({ kind }) => kind)).toEqual(["done", "done"]);
    expect(kernel.status()).toMatchObject({ state: '{"n":0}', budgets: { usd: { net: "2" } }, inDoubt: [] });
    // Doing it again, after a crash say, does only what is left.
    const again = await kernel.perform(undo(3), () => done.push("twice"), {
      key: undoKey(result.outcome.hash, 0),
    });
    expect([again.kind, done.length]).toEqual(["done before", 2]);
    expect((await verify(await ledger.read("main", 1, 99))).ok).toBe(true);
  });

  test("says what is left to do", async () => {
    const { kernel } = await opened({ budgets: usd(20) }, { n: 0 });
    const steps = [];
    for (const one of [undo(1), "ring them up", undo(3)]) {
      steps.push((await kernel.execute({ ...act(set("n", 1)), undo: one })).receipt ?? "");
    }
    const fail = () => {
      throw new Error("the bank is closed");
    };
    const result = await kernel.compensate(steps[0] ?? "", fail, steps[2]);
    if (result.kind !== "rolled back") throw new Error("it was refused");
    expect(result.undone.map(({ kind }) => kind)).toEqual(["in doubt", "refused", "in doubt"]);
    expect(kernel.inDoubt().length).toBe(2);
    expect((await kernel.compensate(steps[0] ?? "", fail)).kind).toBe("refused");
  });
});

describe("budgets around budgets", () => {
  test("a charge counts in all of them, and a window starts afresh", async () => {
    const budgets = [
      { name: "run", limit: 5, within: "agent" },
      { name: "agent", limit: 6, within: "day" },
      { name: "day", limit: 3, windowMs: 100 },
    ];
    const { kernel, clock } = await opened({ budgets });
    await expectAllowed(kernel, { id: "a", cost: 3 });
    await expectRefused(kernel, { id: "a", cost: 1 }, { message: "`day`" });
    clock.now += 100;
    await expectRefused(kernel, { id: "a", cost: 3 }, { message: "`run`" });
    const { receipt = "" } = await expectAllowed(kernel, { id: "a", cost: { run: 2 } });
    await expectRefused(kernel, { id: "a", cost: { agent: 2 } }, { message: "`agent`" });
    await expectAllowed(kernel, { id: "a", cost: { agent: 1 } });
    clock.now += 100;
    await kernel.rollback(receipt);
    // The window that it was charged in is over, so only the others get it back.
    expectBudget(kernel, "run", { gross: "5", net: "3" });
    expectBudget(kernel, "day", { left: "3" });
  });
});

describe("the world", () => {
  const policy = {
    probes: [{ name: "bank", keys: ["n", "s"], threshold: 1 }],
    rules: [rule("range", { key: "n", min: 0, max: 9 })],
  };

  test("within the threshold nothing happens, beyond it everything stops", async () => {
    const { kernel } = await opened(policy, { n: 5, s: "x" });
    expect((await kernel.observe("bank", { n: 6, s: "x" })).verdict).toBe("allowed");
    await expectAllowed(kernel, act());
    expect((await kernel.observe("bank", { n: 6.5, s: "x" })).reasons.map(({ code }) => code)).toEqual([
      "drift",
    ]);
    await expectRefused(kernel, act(), { code: "stopped" });
    await kernel.resume("looked into it");
    await expectAllowed(kernel, act());
    expect((await kernel.observe("bank", { n: 5 })).verdict).toBe("refused");
    await expectRefused(kernel, act(), { code: "stopped" });
  });

  test("what a probe brings is checked before it is taken", async () => {
    const { kernel } = await opened(policy, { n: 5, s: "x" });
    expect((await kernel.observe("bank", { n: 10, s: "x" }, true)).verdict).toBe("refused");
    await kernel.resume("go on");
    expect((await kernel.observe("bank", { n: 8, s: "y" }, true)).verdict).toBe("allowed");
    expect(kernel.status().state).toBe('{"n":8,"s":"y"}');
    expect((await kernel.observe("bank", { other: 1 })).verdict).toBe("refused");
    expect((await kernel.observe("none", {})).verdict).toBe("refused");
  });
});

describe("the ledger", () => {
  test("calls of one moment are one transaction, and each hears of its own", async () => {
    const ledger = new MemoryLedger();
    let transactions = 0;
    const counted = {
      read: ledger.read.bind(ledger),
      transact: (...args: Parameters<MemoryLedger["transact"]>) => {
        transactions++;
        return ledger.transact(...args);
      },
    };
    const result = await Kernel.open({ ledger: counted, clock: () => 1, state: { n: 0 } });
    if (!result.ok) throw new Error(result.problem.message);
    transactions = 0;
    const all = await Promise.all(Array.from({ length: 100 }, () => result.value.execute(act(up("n")))));
    expect(transactions).toBeLessThanOrEqual(2);
    expect(all.map(({ version }) => version)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  });

  test("calls that together are too big for a transaction are kept in several", async () => {
    const { kernel, ledger } = await opened({}, { n: 0 });
    const big = { id: "a", args: Array.from({ length: 20 }, () => "\u0001".repeat(60_000)) };
    const all = await Promise.all([
      ...Array.from({ length: 12 }, () => kernel.execute(big)),
      kernel.refresh(),
      kernel.execute(act(up("n"))),
    ]);
    expect(all.map((outcome) => outcome?.verdict)).toEqual([
      ...Array(12).fill("allowed"),
      undefined,
      "allowed",
    ]);
    expect((await ledger.read("main", 1, 99)).length).toBe(14);
  });

  test("a state that is too big for an entry is a problem when the kernel is made", async () => {
    const keys = Array.from({ length: 200 }, (_, i) => [`k${i}`, "x".repeat(99_000)]);
    await expect(opened({}, Object.fromEntries(keys))).rejects.toThrow("limit");
  });

  test("a range with more to make up for than fits is refused, and smaller ones are not", async () => {
    const { kernel } = await opened({}, { n: 0 });
    const receipts: string[] = [];
    for (let i = 0; i < 3; i++) {
      const undo = Array.from({ length: 9_000 }, () => 1);
      receipts.push((await kernel.execute({ ...act(up("n")), undo })).receipt ?? "");
    }
    const [first = "", , last = ""] = receipts;
    expect((await kernel.rollback(first, last)).reasons.map(({ code }) => code)).toEqual(["limit"]);
    expect((await kernel.rollback(receipts[1] ?? "", last)).verdict).toBe("allowed");
    expect((await kernel.rollback(first)).verdict).toBe("allowed");
  });

  test("a kernel that is there is opened as it is, and not with another policy", async () => {
    const { kernel, ledger } = await opened({ budgets: usd(10) }, { n: 0 });
    await kernel.execute({ ...act(up("n")), cost: 1 });
    const again = await opened({ budgets: usd(10) }, { n: 99 }, { ledger });
    expect(again.kernel.status()).toEqual(kernel.status());
    await expect(opened({ budgets: usd(11) }, {}, { ledger })).rejects.toThrow("another policy");
  });

  test("several kernels on one ledger are apart", async () => {
    const ledger = new MemoryLedger();
    for (const name of ["a", "b"]) {
      const result = await Kernel.open({ ledger, name, clock: () => 1, state: { [name]: 1 } });
      expect(result.ok && result.value.status().state).toBe(`{"${name}":1}`);
    }
    expect(await ledger.kernels()).toEqual(["a", "b"]);
  });

  test("a trace judged by functions can be verified without them, and says so", async () => {
    const functions = [
      {
        name: "even",
        enforcement: "blocking",
        check: (after: { get(key: string): unknown }) => Number(after.get("n")) % 2 === 0,
      } as const,
    ];
    const { kernel, ledger } = await opened({ emergencies: [{ id: "halt" }] }, { n: 0 }, { functions });
    await kernel.execute(act(up("n", 2)));
    await kernel.execute(act(up("n", 1)));
    await kernel.execute({ id: "halt" });
    const trace = await ledger.read("main", 1, 9);
    expect(await verify(trace)).toMatchObject({ ok: true, notReplayed: ["even"] });
    expect(await verify(trace, { functions })).toMatchObject({ ok: true, notReplayed: [] });
    const other = [{ ...functions[0]!, check: () => true }];
    // It has another digest, which the first entry holds.
    expect((await verify(trace, { functions: other })).problem).toEqual({
      seq: 1,
      what: `the function \`${functions[0]?.name}\` is not the one of the kernel`,
    });
  });
});

describe("guard", () => {
  test("holds a function to a budget", async () => {
    const sent: string[] = [];
    const send = guard(async (to: string) => sent.push(to), { id: "send", budget: "2", cost: "1" });
    await send("a");
    await send("b");
    await expect(send("c")).rejects.toThrow(GuardRefused);
    expect(sent).toEqual(["a", "b"]);
    expect((await (await send.kernel()).inDoubt()).length).toBe(0);
  });

  test("holds it to rules, with effects and costs of its arguments", async () => {
    const pay = guard((amount: number) => amount, {
      id: "pay",
      budget: { usd: 100 },
      cost: (amount) => amount,
      effects: (amount) => [up("sum", amount)],
      state: { sum: 0 },
      rules: [rule("ceiling", { key: "sum", max: 10 })],
    });
    expect(await pay(9)).toBe(9);
    await expect(pay(2)).rejects.toThrow("above");
    expect(await pay(1)).toBe(1);
  });
});

describe("the harness", () => {
  test("says what happens instead", async () => {
    const { kernel } = await opened({ budgets: usd(1) }, { n: 0 });
    await expect(expectAllowed(kernel, { id: "a", cost: 2 })).rejects.toThrow("was refused: budget");
    await expect(expectRefused(kernel, { id: "a" })).rejects.toThrow("was allowed");
    await expect(expectRefused(kernel, { id: "a", cost: 2 }, { code: "effect" })).rejects.toThrow(
      "another reason",
    );
    expect(() => expectBudget(kernel, "usd", { net: "1" })).toThrow("to be 1, and it is 0");
    expect(() => expectBudget(kernel, "eur", {})).toThrow("no budget");
  });
});
