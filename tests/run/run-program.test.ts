import { describe, expect, test } from "vitest";
import { newNonce } from "../../src/approve/index.ts";
import { NotDone, newKeys } from "../../src/kernel/index.ts";
import { codesOf, kernelOn, program, proved, ran, receiptFor, tryRun, verified, World } from "./lab.ts";

const visit = await proved(
  program(
    'home.allDoorsLockedAtEnd(), home.onlyDoor("front")',
    'await home.unlock({ door: "front" }); await home.lock({ door: "front" });',
  ),
);
const spend = await proved(
  program(
    "bank.maxSpend(50), bank.atMost(2)",
    `const has = await bank.balance({ account: "a" });
     await bank.pay({ account: "a", amount: Math.min(has, 20) });
     await bank.pay({ account: "b", amount: limit < 30 ? 1 : 30 });`,
    "{ limit }: { limit: number }",
  ),
);
const caught = await proved(
  program(
    "bank.atMost(2)",
    `try { await bank.pay({ account: "a", amount: 1 }); } catch { await bank.pay({ account: "b", amount: 2 }); }`,
  ),
);

describe("a run", () => {
  test("makes the calls in order, keeps what they gave, and ends", async () => {
    const [kernel, world] = [await kernelOn(undefined, { policy: { budgets: { usd: "100" } } }), new World()];
    const run = await ran(spend, world, { kernel, inputs: { limit: 30 } });
    expect(run.kind).toBe("done");
    expect(world.done).toEqual(["bank.balance a", "bank.pay a 10", "bank.pay b 30"]);
    expect(run.calls.map(({ status }) => status)).toEqual(["done", "done", "done"]);
    expect(run.guarantees.map(({ verdict }) => verdict.kind)).toEqual(["holds", "holds"]);
    expect(kernel.status().budgets.usd).toMatchObject({ gross: "40", reserved: "0" });
    expect(kernel.inDoubt()).toEqual([]);
    expect(await verified(kernel)).toBe(true);
  });

  test("makes thirty calls at the same time without a warning about the listeners of its signal", async () => {
    const accounts = Array.from({ length: 30 }, (_, i) => `"a${i}"`);
    const each = await proved(
      program(
        "bank.atMost(40)",
        `await Promise.all([${accounts.map((account) => `bank.pay({ account: ${account}, amount: 1 })`)}]);`,
      ),
    );
    const { signal } = new AbortController();
    const warned: string[] = [];
    const hear = (warning: Error): void => {
      if (Reflect.get(warning, "target") === signal) warned.push(warning.message);
    };
    process.on("warning", hear);
    try {
      let [now, most] = [0, 0];
      const world = new World({
        "bank.pay": async () => {
          now++;
          most = Math.max(most, now);
          await new Promise((resolve) => setTimeout(resolve, 5));
          now--;
          return "";
        },
      });
      expect((await ran(each, world, { options: { signal } })).kind).toBe("done");
      expect(most).toBeGreaterThan(10);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off("warning", hear);
    }
    expect(warned).toEqual([]);
  });

  test("keeps fluents in the state of the kernel", async () => {
    const kernel = await kernelOn();
    expect((await ran(visit, new World(), { kernel })).kind).toBe("done");
    expect(kernel.status().state).toBe('{"home.doorLocked[front]":true}');
  });

  test("hands its tools a key that is the same for the same call", async () => {
    const seen: unknown[] = [];
    const world = new World({ "home.unlock": (_, call) => void seen.push(Reflect.get(Object(call), "key")) });
    const run = await ran(visit, world);
    expect(seen).toEqual([`run r1 call ${run.calls[0]?.call}`]);
  });

  test("tells how it goes, and whoever listens cannot stop it", async () => {
    const told: string[] = [];
    const onProgress = ({ kind }: { readonly kind: string }): void => {
      told.push(kind);
      throw new Error("deaf");
    };
    expect((await ran(visit, new World(), { options: { onProgress } })).kind).toBe("done");
    expect(told).toEqual(["calling", "begun", "ended", "calling", "begun", "ended"]);
  });
});

describe("no call is made without a good receipt", () => {
  const other = newKeys();
  test.each<[string, string, Parameters<typeof tryRun>[2]]>([
    ["for another program", "FC4004", { receipt: { program: `eir1-${"0".repeat(64)}` } }],
    ["for other tools", "FC4005", { receipt: { modules: `fcm1-${"0".repeat(64)}` } }],
    ["for other inputs", "FC4006", { receipt: { inputs: `in1-${"0".repeat(64)}` } }],
    ["for another ledger", "FC4007", { receipt: { kernel: "0".repeat(64) } }],
    ["that has expired", "FC4008", { options: { wallMs: () => 1_000 } }],
    ["that is not valid yet", "FC4009", { receipt: { notBefore: 600 } }],
    ["of another key", "FC4003", { options: { publicKey: other.publicKey } }],
  ])("%s", async (_, code, asked) => {
    const [kernel, world] = [await kernelOn(), new World()];
    expect(await codesOf(tryRun(visit, world, { kernel, ...asked }))).toEqual([code]);
    expect(world.done).toEqual([]);
    expect((await kernel.entries(1, 10)).length).toBe(1);
  });

  test("that was changed", async () => {
    const [kernel, world] = [await kernelOn(), new World()];
    const receipt = { ...(await receiptFor(visit, kernel)), uses: 3 };
    expect(await codesOf(tryRun(visit, world, { kernel, options: { receipt } }))).toEqual(["FC4002"]);
    expect(world.done).toEqual([]);
  });

  test("that was used, by a run that ended well, badly, or not at all", async () => {
    for (const unlock of [
      () => undefined,
      () => Promise.reject(new Error("stuck")),
      () => new Promise(() => {}),
    ]) {
      const [kernel, world] = [await kernelOn(), new World({ "home.unlock": unlock })];
      const receipt = await receiptFor(visit, kernel);
      await ran(visit, world, { kernel, options: { receipt, timeoutMs: 20, graceMs: 0 } });
      const before = world.done.length;
      const again = tryRun(visit, world, { kernel, options: { receipt, runId: "r2" } });
      expect((await codesOf(again))[0]).toMatch(/FC4010|FC4502/);
      expect(world.done.length).toBe(before);
    }
  });

  test("the same document with other inputs is another run", async () => {
    const [kernel, world] = [await kernelOn(), new World()];
    const receipt = await receiptFor(spend, kernel, { limit: 30 });
    expect(
      await codesOf(tryRun(spend, world, { kernel, inputs: { limit: 31 }, options: { receipt } })),
    ).toEqual(["FC4006"]);
  });
});

describe("what the proof assumes of fluents", () => {
  test("must be so: a door that was left unlocked is not locked initially", async () => {
    const world = new World();
    const kernel = await kernelOn(undefined, {
      state: { "home.doorLocked[back]": false, "home.other[x]": 1 },
    });
    const result = await tryRun(visit, world, { kernel });
    expect(await codesOf(result)).toEqual(["FC4502"]);
    expect(result.ok ? "" : result.problems[0]?.message).toContain("home.doorLocked[back]");
    expect(world.done).toEqual([]);
    // The receipt is as good as before.
    await kernel.execute({ id: "lock", effects: [{ key: "home.doorLocked[back]", op: "set", value: true }] });
    expect((await ran(visit, world, { kernel })).kind).toBe("done");
  });

  test.each([
    ["of another type", '"yes"'],
    ["null", "null"],
  ])("a cell that is %s is refused", async (_, json) => {
    const kernel = await kernelOn(undefined, { state: { "home.doorLocked[back]": JSON.parse(json) } });
    expect(await codesOf(tryRun(visit, new World(), { kernel }))).toEqual(["FC4502"]);
  });

  test("fluents in use are held: another run does not begin, and its receipt stays good", async () => {
    const kernel = await kernelOn();
    const second = await receiptFor(visit, kernel);
    let inner: readonly string[] = [];
    const world = new World({
      "home.unlock": async () => {
        inner = await codesOf(
          tryRun(visit, new World(), { kernel, options: { receipt: second, runId: "r2" } }),
        );
      },
    });
    expect((await ran(visit, world, { kernel })).kind).toBe("done");
    expect(inner).toEqual(["FC4503"]);
    expect((await ran(visit, new World(), { kernel, options: { receipt: second, runId: "r2" } })).kind).toBe(
      "done",
    );
  });

  test("a run that uses other things goes on beside it", async () => {
    const kernel = await kernelOn();
    let inner = "";
    const world = new World({
      "home.unlock": async () => {
        inner = (await ran(spend, new World(), { kernel, inputs: { limit: 1 }, options: { runId: "r2" } }))
          .kind;
      },
    });
    expect((await ran(visit, world, { kernel })).kind).toBe("done");
    expect(inner).toBe("done");
  });

  test("a foreign change makes the next call a conflict", async () => {
    const kernel = await kernelOn();
    const foreign = { id: "burglar", effects: [{ key: "home.doorLocked[back]", op: "set", value: false }] };
    const world = new World({ "home.unlock": async () => void (await kernel.execute(foreign)) });
    const run = await ran(visit, world, { kernel });
    expect([run.kind, run.endedBy?.code]).toEqual(["stopped", "FC4504"]);
    expect(world.done).toEqual(["home.unlock front"]);
  });

  test("a call that failed leaves its cells unknown, and nothing begins on top of that", async () => {
    const kernel = await kernelOn();
    const world = new World({ "home.unlock": () => Promise.reject(new Error("stuck")) });
    expect((await ran(visit, world, { kernel })).endedBy?.code).toBe("FC1504");
    const result = await tryRun(visit, new World(), { kernel, options: { runId: "r2" } });
    expect(await codesOf(result)).toEqual(["FC4502"]);
    expect(result.ok ? "" : result.problems[0]?.message).toContain("an unknown value, since a call failed");
    expect(await verified(kernel)).toBe(true);
  });
});

test("a call that fails again on a cell that is unknown already has failed, and is not in doubt", async () => {
  const once =
    'try { await home.unlock({ door: "front" }); } catch { await bank.balance({ account: "a" }); }';
  const stubborn = await proved(program('home.onlyDoor("front")', `${once} ${once}`));
  const kernel = await kernelOn();
  const world = new World({ "home.unlock": () => Promise.reject(new Error("stuck")) });
  const run = await ran(stubborn, world, { kernel });
  expect([run.kind, run.calls.map(({ status }) => status)]).toEqual([
    "done",
    ["failed", "done", "failed", "done"],
  ]);
  expect(kernel.cell("unknown home.doorLocked[front]")).toBeDefined();
});

describe("tools that misbehave", () => {
  const paying = (
    pay: World["tools"] extends ReadonlyMap<string, infer T> ? (T & { run: unknown })["run"] : never,
  ) => new World({ "bank.pay": pay });

  test.each<[string, string, () => unknown]>([
    [
      "throws",
      "FC1504",
      () => {
        throw new Error("no network");
      },
    ],
    ["throws nothing sensible", "FC1504", () => Promise.reject(null)],
    ["rejects", "FC1504", () => Promise.reject(new Error("no network"))],
    ["gives a wrong type", "FC1505", () => 7],
    ["gives nothing", "FC1505", () => undefined],
    [
      "gives an object that lies",
      "FC1504",
      () =>
        new Proxy(
          {},
          {
            get: () => {
              throw new Error("boo");
            },
          },
        ),
    ],
  ])("one that %s stops the run, and what it cost is spent", async (_, code, pay) => {
    const kernel = await kernelOn(undefined, { policy: { budgets: { usd: "100" } } });
    const world = paying(pay);
    const run = await ran(spend, world, { kernel, inputs: { limit: 1 } });
    expect([run.kind, run.endedBy?.code]).toEqual(["stopped", code]);
    expect(world.done).toEqual(["bank.balance a", "bank.pay a 10"]);
    expect(run.calls.map(({ status }) => status)).toEqual(["done", "failed"]);
    expect(kernel.status().budgets.usd).toMatchObject({ gross: "10", reserved: "0" });
    expect(kernel.inDoubt()).toEqual([]);
    expect(await verified(kernel)).toBe(true);
  });

  test("one that breaks its `ensures` stops the run", async () => {
    const world = new World({ "bank.balance": () => -1 });
    const run = await ran(spend, world, { inputs: { limit: 1 } });
    expect([run.kind, run.endedBy?.code]).toEqual(["stopped", "FC1506"]);
    expect(world.done).toEqual(["bank.balance a"]);
  });

  test("one that hangs is in doubt after its time: the charge and the run stay held", async () => {
    const kernel = await kernelOn(undefined, { policy: { budgets: { usd: "100" } } });
    const world = paying(() => new Promise(() => {}));
    const run = await ran(spend, world, {
      kernel,
      inputs: { limit: 1 },
      options: { timeoutMs: 20, graceMs: 5 },
    });
    expect([run.kind, run.endedBy?.code]).toEqual(["in doubt", "FC4508"]);
    expect(run.calls.at(-1)).toMatchObject({ status: "in doubt", receipt: kernel.inDoubt()[1]?.receipt });
    expect(kernel.inDoubt().map(({ action }) => action)).toEqual(["run r1", run.calls.at(-1)?.call]);
    expect(kernel.status().budgets.usd).toMatchObject({ gross: "0", reserved: "10" });
  });

  test("one that hangs stops the run also where a failure is caught", async () => {
    const world = paying(() => new Promise(() => {}));
    const run = await ran(caught, world, { options: { timeoutMs: 20, graceMs: 5 } });
    expect(run.kind).toBe("in doubt");
    expect(world.done).toEqual(["bank.pay a 1"]);
  });

  test("one that fails is caught where the program says so", async () => {
    let calls = 0;
    const world = paying(() => {
      if (calls++ === 0) throw new Error("no");
      return "paid";
    });
    const run = await ran(caught, world);
    expect(run.kind).toBe("done");
    expect(run.calls.map(({ status }) => status)).toEqual(["failed", "done"]);
  });

  test("one that is sure that nothing happened costs nothing", async () => {
    const kernel = await kernelOn(undefined, { policy: { budgets: { usd: "100" } } });
    const run = await ran(
      spend,
      paying(() => {
        throw new NotDone("no connection");
      }),
      { kernel, inputs: { limit: 1 } },
    );
    expect(run.calls.at(-1)?.status).toBe("not done");
    expect(kernel.status().budgets.usd).toMatchObject({ gross: "0", reserved: "0" });
  });

  test("a run that is interrupted makes no further call", async () => {
    const stop = new AbortController();
    const world = new World({
      "bank.balance": () => {
        stop.abort();
        return 10;
      },
    });
    const run = await ran(spend, world, { inputs: { limit: 1 }, options: { signal: stop.signal } });
    expect([run.kind, run.endedBy?.code]).toEqual(["stopped", "FC4510"]);
    expect(world.done).toEqual(["bank.balance a"]);
  });
});

describe("limits of a run", () => {
  test("the budget of the receipt holds, also where the kernel has more", async () => {
    const [kernel, world] = [await kernelOn(undefined, { policy: { budgets: { usd: "100" } } }), new World()];
    const run = await ran(spend, world, { kernel, inputs: { limit: 30 }, receipt: { budget: "39.99" } });
    expect([run.kind, run.endedBy?.code]).toEqual(["stopped", "FC4506"]);
    expect(world.done).toEqual(["bank.balance a", "bank.pay a 10"]);
    const other = await ran(spend, new World(), {
      inputs: { limit: 30 },
      receipt: { budget: "40", nonce: newNonce() },
    });
    expect(other.kind).toBe("done");
  });

  test("the budget of the kernel holds", async () => {
    const [kernel, world] = [await kernelOn(undefined, { policy: { budgets: { usd: "39" } } }), new World()];
    const run = await ran(spend, world, { kernel, inputs: { limit: 30 } });
    expect([run.kind, run.endedBy?.code]).toEqual(["stopped", "FC4505"]);
    expect(world.done).toEqual(["bank.balance a", "bank.pay a 10"]);
  });

  test.each([
    ["no handler", { tools: new Map() }],
    ["no id", { runId: "" }],
    ["an id with a space", { runId: "a b" }],
    ["no time", { timeoutMs: 0 }],
  ])("%s: nothing is begun", async (_, options) => {
    const codes = await codesOf(tryRun(visit, new World(), { options }));
    expect(new Set(codes)).toEqual(new Set(["FC4501"]));
  });
});

describe("the monitor", () => {
  test("stops a call that would break a guarantee before it is made", async () => {
    const twice = 'await bank.pay({ account: "a", amount: 1 }); await bank.pay({ account: "b", amount: 1 });';
    const broken = await proved(program("bank.atMost(1), bank.maxSpend(5)", twice), false);
    const world = new World();
    // As if it had been proved.
    const run = await ran(broken, world, { options: { everywhere: new Set([0, 1]) } });
    expect([run.kind, run.endedBy?.code]).toEqual(["stopped", "FC4507"]);
    expect(world.done).toEqual(["bank.pay a 1"]);
  });

  test("judges what may be open in between at the end", async () => {
    const open = await proved(
      program("home.allDoorsLockedAtEnd()", 'await home.unlock({ door: "front" });'),
      false,
    );
    const run = await ran(open, new World());
    expect([run.kind, run.endedBy?.code]).toEqual(["stopped", "FC4507"]);
  });

  test("sees a failed call as one that may have happened", async () => {
    const broken = await proved(
      program(
        "bank.atMost(1)",
        'try { await bank.pay({ account: "a", amount: 1 }); } catch {} await bank.pay({ account: "b", amount: 1 });',
      ),
      false,
    );
    const world = new World({ "bank.pay": () => Promise.reject(new Error("no")) });
    const run = await ran(broken, world, { options: { everywhere: new Set([0]) } });
    expect(run.endedBy?.code).toBe("FC4507");
    expect(world.done).toEqual(["bank.pay a 1"]);
  });

  test("lets everything be that is proved to hold everywhere", async () => {
    expect([...spend.everywhere]).toEqual([0, 1]);
    expect([...visit.everywhere]).toEqual([1]);
  });
});
