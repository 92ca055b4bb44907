/** Calls at the same time under rules and guarantees that need an order: they are made one after the other. */
import { describe, expect, test } from "vitest";
import type { ProgramRun } from "../../src/run/index.ts";
import { kernelOn, program, proved, ran, World } from "./lab.ts";

/** Tools that take a while, so that calls overlap unless they are made one after the other. */
function slowWorld(): { readonly world: World; readonly overlaps: () => boolean } {
  let [underWay, most] = [0, 0];
  const slow = (turns: number, answer?: unknown) => async () => {
    most = Math.max(most, ++underWay);
    for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return answer;
  };
  const world = new World({
    "home.unlock": slow(3),
    "home.lock": slow(6),
    "bank.balance": slow(8, 10),
    "bank.pay": slow(2, "paid"),
  });
  return { world, overlaps: () => most > 1 };
}

async function under(
  rule: object | undefined,
  body: string,
  guarantees = "bank.atMost(2)",
): Promise<{ readonly run: ProgramRun; readonly done: readonly string[]; readonly overlaps: boolean }> {
  const policy = { rules: rule === undefined ? [] : [{ name: "rule", enforcement: "blocking", ...rule }] };
  const kernel = await kernelOn(undefined, { policy });
  const { world, overlaps } = slowWorld();
  const one = await proved(program(guarantees, body), false);
  // Nothing is known to hold wherever the run stops, so every guarantee may need an order.
  const run = await ran({ ...one, everywhere: new Set() }, world, { kernel });
  expect(kernel.inDoubt()).toEqual([]);
  return { run, done: world.done, overlaps: overlaps() };
}

const balance = 'bank.balance({ account: "a" })';
const pay = 'bank.pay({ account: "b", amount: 1 })';
const both = (...calls: readonly string[]) => `await Promise.all([${calls.join(", ")}]);`;
const paidBefore = 'value(jsonNumber(value(jsonField(history.calls, "bank.pay")))) > 0';
const noBalanceAfterPay = { when: `not (orElse(action.tool, "") == "bank.balance" and ${paidBefore})` };
const cell = (door: string) => `isSome(jsonField(after, "home.doorLocked[${door}]"))`;

describe("a rule of the kernel", () => {
  test("without one, calls overlap", async () => {
    const { run, overlaps } = await under(undefined, both(balance, pay));
    expect([run.kind, overlaps]).toEqual(["done", true]);
  });

  test("of what came before: the calls are made in written order", async () => {
    const { run, done, overlaps } = await under(noBalanceAfterPay, both(balance, pay));
    expect([run.kind, done, overlaps]).toEqual(["done", ["bank.balance a", "bank.pay b 1"], false]);
  });

  test("of what came before, against the written order: the later call is not made", async () => {
    const { run, done } = await under(noBalanceAfterPay, both(pay, balance));
    expect([run.kind, run.endedBy?.code, done]).toEqual(["stopped", "FC4505", ["bank.pay b 1"]]);
  });

  test("that is only monitored needs the order too", async () => {
    const rule = { ...noBalanceAfterPay, enforcement: "monitoring" };
    const { run, overlaps } = await under(rule, both(balance, pay));
    expect([run.kind, overlaps]).toEqual(["done", false]);
  });

  test("that ends everything: no call is under way by then", async () => {
    const rule = { rule: "terminalFlag", key: "home.doorLocked[a]", missing: "ok" };
    const { run, done } = await under(rule, both('home.lock({ door: "a" })', pay));
    expect([run.kind, done]).toEqual(["stopped", ["home.lock a"]]);
  });

  test("of two keys, which two calls set: the second call is not made", async () => {
    const rule = { when: `not (${cell("a")} and ${cell("b")})` };
    const unlock = (door: string) => `home.unlock({ door: "${door}" })`;
    const { run, done } = await under(rule, both(unlock("a"), unlock("b")));
    expect([run.kind, run.endedBy?.code, done]).toEqual(["stopped", "FC4505", ["home.unlock a"]]);
  });

  test.each([
    { rule: "ceiling", key: "x", max: 5, missing: "ok" },
    { rule: "timeWindow", max: 50, windowMs: 1000 },
    { when: 'not isSome(jsonField(after, "x"))' },
  ])("of each key by itself needs none: %o", async (rule) => {
    const { run, overlaps } = await under(rule, both(balance, pay));
    expect([run.kind, overlaps]).toEqual(["done", true]);
  });

  test("in a loop whose iterations run at the same time", async () => {
    const loop = `await Promise.all(["a", "b", "c"].map((account) => bank.pay({ account, amount: 1 })));`;
    const rule = { when: "history.steps < 100" };
    const { run, done, overlaps } = await under(rule, loop, "bank.atMost(3)");
    const all = ["bank.pay a 1", "bank.pay b 1", "bank.pay c 1"];
    expect([run.kind, done, overlaps]).toEqual(["done", all, false]);
  });
});

describe("a guarantee", () => {
  test("about the last state needs an order unless it holds wherever the run stops", async () => {
    const { run, overlaps } = await under(undefined, both(balance, pay), "home.allDoorsLockedAtEnd()");
    expect([run.kind, overlaps]).toEqual(["done", false]);
  });

  test("about numbers of calls needs none", async () => {
    const { run, overlaps } = await under(undefined, both(balance, pay), "bank.atMost(1)");
    expect([run.kind, overlaps]).toEqual(["done", true]);
  });
});
