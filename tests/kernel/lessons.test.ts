/** Mistakes that run-time kernels really make, each as a test that this one does not. */

import { describe, expect, test } from "vitest";
import { Kernel, verify } from "../../src/kernel/index.ts";
import { MemoryLedger } from "../../src/ledger/memory.ts";
import { act, opened, rule, set, usd } from "./support.ts";

const up = (key: string, value: unknown = 1) => ({ key, op: "increment", value });

describe("the state belongs to the kernel", () => {
  test("a rate limit of 2 lets 2 through, however many ask at once", async () => {
    const { kernel } = await opened({ rules: [rule("rateLimit", { key: "mails", max: 2 })] }, { mails: 0 });
    const all = await Promise.all(Array.from({ length: 50 }, () => kernel.execute(act(up("mails")))));
    expect(all.filter(({ verdict }) => verdict === "allowed").length).toBe(2);
  });

  test("two agents do not overwrite each other", async () => {
    const { kernel, ledger } = await opened({ budgets: usd(100) }, { n: 0 });
    const other = (await opened({ budgets: usd(100) }, {}, { ledger })).kernel;
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? kernel : other).execute({ ...act(up("n")), cost: 1 })),
    );
    await kernel.refresh();
    expect(kernel.status()).toMatchObject({
      state: '{"n":40}',
      version: 40,
      budgets: { usd: { net: "40", left: "60" } },
    });
  });

  test("one budget for all: never a unit over, whoever spends", async () => {
    const ledger = new MemoryLedger();
    const kernels = await Promise.all(
      Array.from({ length: 8 }, async () => (await opened({ budgets: usd("0.50") }, {}, { ledger })).kernel),
    );
    const asked = kernels.flatMap((kernel) =>
      Array.from({ length: 20 }, () => kernel.execute({ id: "a", cost: "0.01" })),
    );
    const allowed = (await Promise.all(asked)).filter(({ verdict }) => verdict === "allowed");
    expect(allowed.length).toBe(50);
    expect((await verify(await ledger.read("main", 1, 1_000))).entries).toBe(161);
  });

  test("a step made for an older state is a conflict", async () => {
    const { kernel } = await opened({}, { n: 0 });
    await kernel.execute({ ...act(up("n")), reads: 0 });
    const { reasons } = await kernel.execute({ ...act(up("n")), reads: 0 });
    expect(reasons.map(({ code }) => code)).toEqual(["version"]);
  });
});

describe("exact amounts", () => {
  test("the budget is neither rounded up nor down", async () => {
    const { kernel } = await opened({ budgets: usd("0.3") });
    for (let i = 0; i < 3; i++)
      expect((await kernel.execute({ id: "a", cost: 0.1 })).verdict).toBe("allowed");
    expect(kernel.status().budgets.usd).toEqual({
      limit: "0.3",
      gross: "0.3",
      net: "0.3",
      reserved: "0",
      left: "0",
    });
    expect((await kernel.execute({ id: "a", cost: "0.000001" })).verdict).toBe("refused");
  });

  test("nothing wraps: sums beyond 64 bits", async () => {
    const { kernel } = await opened({ budgets: usd("9223372036854775808") }, { n: "x" });
    expect((await kernel.execute({ id: "a", cost: "9223372036854775807.999999" })).verdict).toBe("allowed");
    expect((await kernel.execute({ id: "a", cost: "0.000002" })).verdict).toBe("refused");
    expect((await kernel.execute({ id: "a", cost: "0.000001" })).verdict).toBe("allowed");
  });

  test("numbers in the state are exact, however long", async () => {
    const { kernel } = await opened({}, { n: 0.1 });
    await kernel.execute(act(up("n", 0.2)));
    expect(kernel.status().state).toBe('{"n":0.3}');
    await kernel.execute(act({ key: "n", op: "multiply", value: 10n ** 30n }));
    await kernel.execute(act(up("n", 1)));
    expect(kernel.status().state).toBe('{"n":300000000000000000000000000001}');
  });
});

describe("rollback", () => {
  test("gives back what was charged, once, and leaves an entry", async () => {
    const { kernel } = await opened({ budgets: usd(10), maxSteps: 2 }, { n: 1 });
    const { receipt = "" } = await kernel.execute({ ...act(set("n", 2)), cost: 3 });
    const first = await kernel.rollback(receipt);
    const second = await kernel.rollback(receipt);
    expect([first.verdict, second.verdict]).toEqual(["allowed", "refused"]);
    expect([first.seq, second.seq]).toEqual([3, 4]);
    expect(kernel.status()).toMatchObject({
      state: '{"n":1}',
      steps: 1,
      budgets: { usd: { gross: "3", net: "0" } },
    });
    // No step is given back.
    expect((await kernel.execute({ ...act(), cost: 1 })).verdict).toBe("allowed");
    expect((await kernel.execute({ ...act(), cost: 1 })).reasons.map(({ code }) => code)).toEqual([
      "step-limit",
    ]);
  });

  test.each(["", "s1", `s1-${"0".repeat(64)}`, `s9-${"0".repeat(64)}`, `r2-${"0".repeat(64)}`, "s1-"])(
    "no receipt, nothing: %s",
    async (receipt) => {
      const { kernel } = await opened({ budgets: usd(10) }, { n: 1 });
      await kernel.execute({ ...act(set("n", 2)), cost: 3 });
      expect((await kernel.rollback(receipt)).verdict).toBe("refused");
      expect(kernel.status()).toMatchObject({ state: '{"n":2}', budgets: { usd: { net: "3" } } });
    },
  );

  test("is exact: null, absence, duplicates, order, fractions", async () => {
    const state = { nothing: null, list: [1, 2, 1, 3], third: 0.1, gone: { b: 1, a: [null] } };
    const { kernel, ledger } = await opened({}, state);
    const before = kernel.status().state;
    const effects = [
      { key: "nothing", op: "delete" },
      { key: "list", op: "remove", value: 1 },
      { key: "list", op: "append", value: 1 },
      { key: "third", op: "multiply", value: 3 },
      { key: "gone", op: "delete" },
      set("gone", null),
      set("fresh", 1),
    ];
    const { receipt = "" } = await kernel.execute(act(...effects));
    expect(kernel.status().state).toBe('{"fresh":1,"gone":null,"list":[2,1,3,1],"third":0.3}');
    await kernel.rollback(receipt);
    expect(kernel.status().state).toBe(before);
    const texts = (await ledger.read("main", 1, 9)).map(({ bytes }) => new TextDecoder().decode(bytes));
    const roots = texts.map((text) => JSON.parse(text).root);
    expect(roots[2].after).toBe(roots[0].after);
  });

  test("is refused when a later step wrote what it wrote, until that is rolled back too", async () => {
    const { kernel } = await opened({}, { a: 0, b: 0, c: 0 });
    const one = await kernel.execute(act(set("a", 1), set("b", 1)));
    const two = await kernel.execute(act(set("b", 2)));
    const three = await kernel.execute(act(set("c", 3)));
    expect((await kernel.rollback(one.receipt!)).reasons.map(({ code }) => code)).toEqual(["dependent"]);
    expect((await kernel.rollback(two.receipt!)).verdict).toBe("allowed");
    expect((await kernel.rollback(one.receipt!)).verdict).toBe("allowed");
    expect(kernel.status().state).toBe('{"a":0,"b":0,"c":3}');
    expect((await kernel.rollback(three.receipt!)).verdict).toBe("allowed");
  });

  test("of a range is all or nothing, and hands back what makes up for it", async () => {
    const { kernel } = await opened({ budgets: usd(10) }, { a: 0 });
    const steps = [];
    for (let i = 1; i <= 3; i++) {
      steps.push(await kernel.execute({ ...act(set("a", i)), cost: 1, undo: { tool: "undo", step: i } }));
    }
    expect((await kernel.rollback(steps[0]!.receipt!, steps[1]!.receipt!)).verdict).toBe("refused");
    const { verdict, result } = await kernel.rollback(steps[0]!.receipt!, steps[2]!.receipt!);
    expect(verdict).toBe("allowed");
    expect(JSON.stringify(result, (_, x) => (typeof x === "bigint" ? Number(x) : x))).toMatch(
      /"step":3.*"step":2.*"step":1/,
    );
    expect(kernel.status()).toMatchObject({
      state: '{"a":0}',
      steps: 3,
      budgets: { usd: { net: "0", gross: "3" } },
    });
  });

  test("does not turn a counter back, and does not break an invariant", async () => {
    const { kernel } = await opened(
      {
        rules: [
          rule("rateLimit", { key: "mails", max: 9 }),
          { name: "sum", enforcement: "blocking", when: `${n("after", "a")} <= ${n("after", "b")}` },
        ],
      },
      { mails: 0, a: 0, b: 0 },
    );
    const one = await kernel.execute(act(up("mails")));
    expect((await kernel.rollback(one.receipt!)).verdict).toBe("refused");
    const two = await kernel.execute(act(up("b")));
    await kernel.execute(act(up("a")));
    expect((await kernel.rollback(two.receipt!)).reasons.map(({ code }) => code)).toEqual(["invariant"]);
  });

  test("reaches back only so far", async () => {
    const { kernel } = await opened({ undoSteps: 2 }, { a: 0, b: 0, c: 0 });
    const steps = [];
    for (const key of ["a", "b", "c"]) steps.push(await kernel.execute(act(set(key, 1))));
    expect((await kernel.rollback(steps[0]!.receipt!)).verdict).toBe("refused");
    expect((await kernel.rollback(steps[2]!.receipt!)).verdict).toBe("allowed");
  });
});

describe("all or nothing", () => {
  test("a step that fails half-way leaves nothing behind but its refusal", async () => {
    const { kernel } = await opened({ budgets: usd(10) }, { a: 0 });
    const { verdict, seq } = await kernel.execute({ ...act(set("a", 1), up("absent")), cost: 1 });
    expect([verdict, seq]).toEqual(["refused", 2]);
    expect(kernel.status()).toMatchObject({
      state: '{"a":0}',
      version: 0,
      budgets: { usd: { gross: "0" } },
      refusals: 1,
    });
  });

  test("a ledger that fails leaves the kernel as it was", async () => {
    const { ledger } = await opened({ budgets: usd(10) }, { a: 0 });
    const broken = {
      fails: false,
      read: ledger.read.bind(ledger),
      transact: async (...args: Parameters<MemoryLedger["transact"]>) => {
        if (broken.fails) throw new Error("the disk is full");
        await ledger.transact(...args);
      },
    };
    const result = await Kernel.open({ ledger: broken, clock: () => 1 });
    if (!result.ok) throw new Error(result.problem.message);
    broken.fails = true;
    await expect(result.value.execute({ ...act(set("a", 1)), cost: 1 })).rejects.toThrow("the disk is full");
    expect(result.value.status()).toMatchObject({ state: '{"a":0}', version: 0, seq: 1 });
    broken.fails = false;
    expect((await result.value.execute({ ...act(set("a", 2)), cost: 1 })).seq).toBe(2);
  });

  test("a ledger that went away while committing: what was kept is not done twice, what was not is done", async () => {
    for (const kept of [true, false]) {
      const { ledger } = await opened({ budgets: usd(10) }, { a: 0 });
      let once = true;
      const shaky = {
        read: ledger.read.bind(ledger),
        transact: async (...args: Parameters<MemoryLedger["transact"]>) => {
          if (kept || !once) await ledger.transact(...args);
          else args[2]([]);
          if (once) {
            once = false;
            throw Object.assign(new Error("gone"), { name: "InDoubt" });
          }
        },
      };
      const result = await Kernel.open({ ledger: shaky, clock: () => 1 });
      if (!result.ok) throw new Error(result.problem.message);
      const { seq, verdict } = await result.value.execute({ ...act(up("a")), cost: 1 });
      expect([seq, verdict]).toEqual([2, "allowed"]);
      expect(result.value.status()).toMatchObject({ state: '{"a":1}', budgets: { usd: { net: "1" } } });
      expect((await ledger.read("main", 1, 9)).length).toBe(2);
    }
  });

  test("a ledger that asks again gets an answer for what is there now", async () => {
    const { ledger, kernel: other } = await opened({ budgets: usd(10) }, { a: 0 });
    const restless = {
      read: ledger.read.bind(ledger),
      transact: async (name: string, since: number, decide: Parameters<MemoryLedger["transact"]>[2]) => {
        decide([]);
        await other.execute({ ...act(up("a")), cost: 1 });
        await ledger.transact(name, since, decide);
      },
    };
    const result = await Kernel.open({ ledger: restless, clock: () => 1 });
    if (!result.ok) throw new Error(result.problem.message);
    expect((await result.value.execute({ ...act(up("a")), cost: 1 })).seq).toBe(3);
    expect(result.value.status()).toMatchObject({ state: '{"a":2}', budgets: { usd: { net: "2" } } });
  });

  test("on top of a ledger that was tampered with, nothing is decided", async () => {
    const { kernel, ledger } = await opened({}, { a: 0 });
    await ledger.transact("main", 1, () => [
      { seq: 2, hash: "0".repeat(64), bytes: new TextEncoder().encode("{}") },
    ]);
    await expect(kernel.execute(act(set("a", 1)))).rejects.toThrow(
      "entry 2: the hash is not that of the entry",
    );
    await expect(opened(undefined, {}, { ledger })).rejects.toThrow("entry 2");
  });
});

describe("encodings do not collide", () => {
  test.each([
    [1, "1"],
    [1, true],
    [null, undefined],
    [[], {}],
    ["a,b", ["a", "b"]],
    [{ a: 1 }, [["a", 1]]],
    [0.1, "0.1"],
  ])("%j and %j", async (a, b) => {
    const roots = [];
    for (const value of [a, b]) {
      const { ledger } = await opened({}, value === undefined ? {} : { k: value });
      const [first] = await ledger.read("main", 1, 1);
      roots.push(JSON.parse(new TextDecoder().decode(first!.bytes)).root.after);
    }
    expect(roots[0]).not.toBe(roots[1]);
  });

  test("equal values have one encoding", async () => {
    const roots = [];
    for (const state of [
      { a: 1, b: { x: 1, y: [1.5] } },
      { b: { y: [1.5], x: 1.0 }, a: 1n },
    ]) {
      const { ledger } = await opened({}, state);
      roots.push(
        JSON.parse(new TextDecoder().decode((await ledger.read("main", 1, 1))[0]!.bytes)).root.after,
      );
    }
    expect(roots[0]).toBe(roots[1]);
  });
});

describe("rules", () => {
  test("dry runs change nothing, however many", async () => {
    const { kernel } = await opened(
      { budgets: usd(3), rules: [rule("timeWindow", { max: 2, windowMs: 1_000 })] },
      { n: 0 },
    );
    const before = kernel.status();
    for (let i = 0; i < 20; i++)
      expect(kernel.evaluate({ ...act(up("n")), cost: 1 }).verdict).toBe("allowed");
    expect(kernel.status()).toEqual(before);
    expect((await kernel.execute({ ...act(up("n")), cost: 1 })).verdict).toBe("allowed");
  });

  test("the initial state is checked", async () => {
    await expect(opened({ rules: [rule("range", { key: "n", min: 0, max: 1 })] }, { n: 2 })).rejects.toThrow(
      "initial state",
    );
  });

  test("effects of one action see each other", async () => {
    const { kernel } = await opened({}, { n: 1, l: [] });
    await kernel.execute(
      act(
        up("n"),
        { key: "n", op: "multiply", value: 5 },
        set("m", 1),
        up("m"),
        { key: "l", op: "append", value: 1 },
        { key: "l", op: "remove", value: 1 },
      ),
    );
    expect(kernel.status().state).toBe('{"l":[],"m":2,"n":10}');
  });

  test("absent is not zero, and null is not absent", async () => {
    const { kernel } = await opened({}, { nothing: null });
    for (const effect of [
      up("absent"),
      up("nothing"),
      { key: "absent", op: "delete" },
      { key: "nothing", op: "append", value: 1 },
    ]) {
      expect((await kernel.execute(act(effect))).reasons.map(({ code }) => code)).toEqual(["effect"]);
    }
    expect((await kernel.execute(act({ key: "nothing", op: "delete" }))).verdict).toBe("allowed");
  });

  test("one that is broken is reported with all the others", async () => {
    const { kernel } = await opened(
      {
        budgets: usd(1),
        maxSteps: 0,
        minCost: 1,
        rules: [rule("range", { key: "n", min: 0, max: 1 }), rule("readOnly", { keys: ["n"] })],
      },
      { n: 0 },
    );
    const { checks, reasons } = await kernel.execute({ ...act(set("n", 5)), cost: 0, reads: 7 });
    expect(reasons.map(({ code }) => code)).toEqual([
      "version",
      "min-cost",
      "step-limit",
      "invariant",
      "invariant",
    ]);
    expect(checks.length).toBe(10);
  });
});

describe("emergency actions", () => {
  const policy = {
    budgets: usd(1),
    minCost: 1,
    rules: [rule("range", { key: "n", min: 0, max: 5 }), rule("approvalGate", { key: "ok" })],
    emergencies: [{ id: "halt", effects: [set("halted", true)], cap: 3 }],
    probes: [{ name: "p", keys: ["n"] }],
  };

  test("are there at the step limit, with an empty budget, when stopped, and for a stale version", async () => {
    const { kernel } = await opened(policy, { n: 0, ok: true });
    await kernel.execute({ ...act(), cost: 1 });
    await kernel.stop("enough");
    expect((await kernel.execute({ ...act(), cost: 1 })).verdict).toBe("refused");
    expect((await kernel.execute({ id: "halt", reads: 0 })).verdict).toBe("allowed");
    expect((await kernel.execute({ id: "halt" })).verdict).toBe("allowed");
    expect(kernel.status().state).toBe('{"halted":true,"n":0,"ok":true}');
  });

  test("cost nothing, do what was declared, and have a cap", async () => {
    const { kernel } = await opened(policy, { n: 0, ok: true });
    expect((await kernel.execute({ id: "halt", cost: 1 })).verdict).toBe("refused");
    expect((await kernel.execute({ id: "halt", effects: [set("n", 1)] })).verdict).toBe("refused");
    expect((await kernel.execute({ id: "halt", effects: [set("halted", true)] })).verdict).toBe("allowed");
    expect((await kernel.reserve({ id: "halt" })).verdict).toBe("refused");
    for (let i = 0; i < 2; i++) expect((await kernel.execute({ id: "halt" })).verdict).toBe("allowed");
    expect((await kernel.execute({ id: "halt" })).reasons.map(({ code }) => code)).toEqual(["emergency"]);
  });

  test("are there when an invariant is broken already", async () => {
    let holds = true;
    const functions = [{ name: "f", enforcement: "blocking", check: () => holds } as const];
    const { kernel } = await opened(policy, { n: 0, ok: true }, { functions });
    holds = false;
    expect((await kernel.execute({ ...act(), cost: 1 })).verdict).toBe("refused");
    expect((await kernel.execute({ id: "halt" })).verdict).toBe("allowed");
  });

  test("one that would break an invariant by itself is refused when the kernel is made", async () => {
    const emergencies = [{ id: "halt", effects: [set("n", 9)] }];
    await expect(opened({ ...policy, emergencies }, { n: 0, ok: true })).rejects.toThrow("halt");
  });
});

function n(of: string, key: string): string {
  return `value(jsonNumber(value(jsonField(${of}, "${key}"))))`;
}
