/** Any input gives a refusal with a code and a sentence, never a throw, never a change. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodePolicy, Kernel, kernelCodes, MemoryLog, verify } from "../../src/kernel/index.ts";
import { runs } from "../support/runs.ts";
import { opened, set, usd } from "./support.ts";

const trap = () => {
  throw new Error("boo");
};
const trapped = new Proxy(
  {},
  { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap },
);
const cycle: Record<string, unknown> = { id: "a" };
cycle.args = cycle;
const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 1);
const getter = Object.defineProperty({ id: "a" }, "cost", { get: () => 1, enumerable: true });
const hidden = Object.defineProperty({ id: "a" }, "cost", { value: 1, enumerable: false });
const gap = [1, 2, 3];
delete gap[1];
const likeOne = { valueOf: () => 1, toString: () => "1" };
const never = () => {
  throw new Error("a getter was called");
};
const computedItem = Object.defineProperty([1, 2], 0, { get: never, enumerable: true });
const hiddenItem = Object.defineProperty([1, 2], 1, { value: 2, enumerable: false });
const gapAndMore = Object.assign([0, 2], { more: 1 });
delete gapAndMore[0];
const showing = new Proxy({}, { ownKeys: () => ["none"] });
const endless = new Proxy([], { get: () => Number.POSITIVE_INFINITY });
const longList = new Proxy([], { get: () => 1e9 });
const listOfNothing = new Proxy([], { get: () => 3 });
const cyclicEffects: Record<string, unknown> = { id: "a", effects: [] };
(cyclicEffects.effects as unknown[]).push({ key: "n", op: "set", value: cyclicEffects });
class Money {
  amount = 1;
}
const revoked = Proxy.revocable({}, {});
revoked.revoke();

/** Values that no state, argument, amount or operand may be. */
const notValues: Record<string, unknown> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
  "-0": -0,
  undefined: undefined,
  "an unsafe integer": 2 ** 53,
  "10^400": 10n ** 400n,
  "1e300": 1e300,
  "the least number there is": 5e-324,
  "a number with too many places": 1.5e-310,
  function: () => 1,
  symbol: Symbol("x"),
  "a Number object": new Number(1),
  "a class": new Money(),
  Date: new Date(0),
  Map: new Map(),
  Promise: Promise.resolve(1),
  "a valueOf trap": likeOne,
  "a proxy that throws": trapped,
  "a revoked proxy": revoked.proxy,
  "a cycle": cycle,
  "deep nesting": deep,
  "a lone surrogate": "\ud800",
  "a lone surrogate as a name": { "\udfff": 1 },
  "a huge string": "x".repeat(1_000_000),
  "many strings": Array.from({ length: 100 }, () => "x".repeat(90_000)),
  "a long list": Array.from({ length: 50_000 }, () => 0),
  "a gap": gap,
  "a list with more": Object.assign([1], { more: 1 }),
  "a symbol property": { [Symbol("x")]: 1 },
  "a foreign array": Object.setPrototypeOf([1], null),
  "a computed item": computedItem,
  "a hidden item": hiddenItem,
  "a gap and something more": gapAndMore,
  "a list with a symbol": Object.assign([1], { [Symbol("x")]: 1 }),
  "a list with something hidden": Object.defineProperty([1], "more", { value: 1 }),
  "a list of a class": new (class extends Array {})(),
  "a list without an end": endless,
  "a list that is too long": longList,
  "a list that has nothing": listOfNothing,
  "a list that throws": new Proxy([1], { ownKeys: trap }),
  "a setter": Object.defineProperty({}, "x", { set: () => undefined, enumerable: true }),
  "neither a getter nor a setter": Object.defineProperty({}, "x", {
    get: undefined as never,
    enumerable: true,
  }),
  "a symbol that is hidden": Object.defineProperty({}, Symbol("x"), { value: 1 }),
  "a proxy that shows what is not there": showing,
};

const notAmounts: Record<string, unknown> = {
  "a boolean": true,
  null: null,
  "a list": [1],
  "a negative number": -1,
  "a negative text": "-1",
  "negative zero as text": "-0",
  "finer than the quantum": "0.0000001",
  "finer than the quantum as a number": 1e-7,
  "an exponent": "1e3",
  "a fraction": "1/2",
  spaces: " 1",
  hexadecimal: "0x10",
  "an empty text": "",
  "leading zeros": "007",
  "a leading zero before the point": "01.5",
  "nothing before the point": ".5",
  "nothing after the point": "1.",
  "a point alone": ".",
  "two points": "1.5.0",
  "a comma": "1,5",
  "a plus": "+1",
  "digits of another script": "１",
  "an underscore": "1_000",
  "10^400 as text": `1${"0".repeat(400)}`,
  "another budget": { eur: 1 },
  "a budget of the prototype": { toString: 1 },
  "an object as an amount": { usd: {} },
  "a boolean as an amount": { usd: false },
};

const notActions: Record<string, unknown> = {
  "a text": "pay",
  "a list": [],
  "no id": {},
  "an id that is a number": { id: 1 },
  "an empty id": { id: "" },
  "a long id": { id: "x".repeat(1_000) },
  "an unknown field": { id: "a", price: 1 },
  "a field of the prototype": JSON.parse('{"id":"a","__proto__":{"cost":0}}'),
  "a getter": getter,
  "a hidden field": hidden,
  "effects that are no list": { id: "a", effects: {} },
  "effects that contain the action": cyclicEffects,
  "effects with a gap": { id: "a", effects: Array(1) },
  "an effect that is null": { id: "a", effects: [null] },
  "an effect that is a list": { id: "a", effects: [["n", "set", 1]] },
  "an effect that is computed": {
    id: "a",
    effects: Object.defineProperty([{}], 0, { get: never, enumerable: true }),
  },
  "an effect with a getter": {
    id: "a",
    effects: [Object.defineProperty({ key: "n", op: "set" }, "value", { get: never, enumerable: true })],
  },
  "an effect with a symbol": { id: "a", effects: [{ key: "n", op: "set", value: 1, [Symbol("x")]: 1 }] },
  "an effect with a class": { id: "a", effects: [new Money()] },
  "an effect with an unknown field": { id: "a", effects: [{ key: "n", op: "set", value: 1, of: 1 }] },
  "an effect with a field of the prototype": {
    id: "a",
    effects: [JSON.parse('{"key":"n","op":"set","value":1,"__proto__":1}')],
  },
  "an effect whose unknown field is half a character": {
    id: "a",
    effects: [{ key: "n", op: "set", value: 1, "\ud800": 1 }],
  },
  "an unknown field that is half a character": { id: "a", "\udfff": 1 },
  "an unknown field with a huge name": { id: "a", ["x".repeat(200_000)]: 1 },
  "a key that is a list": { id: "a", effects: [{ key: ["n"], op: "set", value: 1 }] },
  "an operation that is a list": { id: "a", effects: [{ key: "n", op: ["set"], value: 1 }] },
  "an id that is hidden": Object.defineProperty({}, "id", { value: "a" }),
  "an id of the prototype": Object.create({ id: "a" }),
  "an effect without a key": { id: "a", effects: [{ op: "set", value: 1 }] },
  "an unknown operation": { id: "a", effects: [{ key: "n", op: "add", value: 1 }] },
  "an operation of the prototype": { id: "a", effects: [{ key: "n", op: "constructor", value: 1 }] },
  "a set without a value": { id: "a", effects: [{ key: "n", op: "set" }] },
  "a delete with a value": { id: "a", effects: [{ key: "n", op: "delete", value: null }] },
  "too many effects": {
    id: "a",
    effects: Array.from({ length: 1_001 }, () => ({ key: "n", op: "increment", value: 0 })),
  },
  "a version that is a text": { id: "a", reads: "0" },
  "a version that is negative": { id: "a", reads: -1 },
  "a version that is no integer": { id: "a", reads: 0.5 },
};

const cases: readonly (readonly [string, unknown])[] = [
  ...Object.entries(notValues).map(([name, value]) => [`${name} as an action`, value] as const),
  ...Object.entries(notValues).map(
    ([name, value]) => [`${name} as an argument`, { id: "a", args: value }] as const,
  ),
  ...Object.entries(notValues).map(
    ([name, value]) =>
      [`${name} as an operand`, { id: "a", effects: [{ key: "n", op: "set", value }] }] as const,
  ),
  ...Object.entries({ ...notValues, ...notAmounts }).map(
    ([name, cost]) => [`${name} as a cost`, { id: "a", cost }] as const,
  ),
  ...Object.entries(notActions),
];

test("a policy that is changed after it was decoded is the old one to a kernel", async () => {
  const read = decodePolicy({
    budgets: { usd: 1 },
    rules: [{ name: "kept", enforcement: "blocking", rule: "requiredKeys", keys: ["k"] }],
    protected: ["p"],
    emergencies: [{ id: "halt", effects: [] }],
  });
  if (!read.ok) throw new Error(read.problem.message);
  const change = (object: object, name: string, value: unknown) => Reflect.set(object, name, value);
  const { budgets, invariants, protects, emergencies } = read.value;
  change(budgets[0] ?? {}, "limit", 10n ** 30n);
  change(invariants[0]?.rule ?? {}, "state", () => undefined);
  change(invariants, "length", 0);
  Set.prototype.clear.call(protects);
  Map.prototype.set.call(emergencies, "all", { id: "all", effects: [], cap: 9 });
  const opened = await Kernel.open({
    ledger: new MemoryLog(),
    policy: read.value,
    state: { k: 1 },
    clock: () => 1,
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  const kernel = opened.value;
  const verdict = async (action: object) => (await kernel.execute(action)).reasons.map(({ code }) => code);
  expect(await verdict({ id: "a", cost: 2 })).toEqual(["budget"]);
  expect(await verdict({ id: "a", effects: [{ key: "k", op: "delete" }] })).toEqual(["invariant"]);
  expect(await verdict({ id: "a", effects: [{ key: "p", op: "set", value: 1 }] })).toEqual(["protected"]);
  // An ordinary action: it counts as a step.
  await kernel.execute({ id: "all" });
  expect(kernel.status().steps).toBe(1);
});

describe("hostile input", () => {
  test.each(cases)("%s", async (_, input) => {
    const { kernel, ledger } = await opened({ budgets: usd(10) }, { n: 1, flag: true });
    const before = kernel.status();
    const dry = kernel.evaluate(input);
    const done = await kernel.execute(input);
    const reserved = await kernel.reserve(input, "key");
    for (const { verdict, reasons } of [dry, done, reserved]) {
      expect(verdict).toBe("refused");
      expect(reasons.length).toBeGreaterThan(0);
      for (const { code, message } of reasons) {
        expect(Object.keys(kernelCodes)).toContain(code);
        expect(message).toMatch(/^[^.\n]{3,300}$|`/);
      }
    }
    const { state, budgets, version } = kernel.status();
    expect({ state, budgets, version }).toEqual({ state: before.state, budgets: before.budgets, version: 0 });
    // Both refusals are in the trace, and the trace holds.
    expect((await ledger.read("main", 1, 9)).length).toBe(3);
  });

  test.each(Object.entries(notValues))("%s to settle, grant, observe, and as a receipt", async (_, value) => {
    const { kernel } = await opened(
      { budgets: usd(10), protected: ["ok"], probes: [{ name: "p", keys: ["n"] }] },
      { n: 1 },
    );
    const { receipt = "" } = await kernel.reserve({ id: "a", cost: 1 });
    const outcomes = [
      value === undefined ? undefined : await kernel.settle(receipt, { cost: value }),
      value === undefined ? undefined : await kernel.settle(receipt, { outcome: value }),
      await kernel.settle(value as string),
      await kernel.release(value as string, "no"),
      await kernel.release(receipt, value as string),
      await kernel.rollback(value as string),
      await kernel.grant("ok", value),
      await kernel.grant(value as string, true),
      await kernel.observe("p", { n: value }),
      await kernel.stop(value as string),
    ];
    // A text that is too long is still a text to those that take any.
    for (const outcome of outcomes) expect(outcome?.verdict ?? "refused").toBe("refused");
    expect(kernel.status()).toMatchObject({ version: 0, inDoubt: [{ receipt }] });
  });

  test("one object in two places is no cycle, and a proxy that hides nothing is read once", async () => {
    const { kernel } = await opened({ budgets: usd(10) }, {});
    const value = [1, { deep: true }];
    const shared = { id: "a", args: [value, value], effects: [set("x", value), set("y", value)], cost: "1" };
    expect(kernel.evaluate(shared).reasons).toEqual([]);
    const looks = new Map<string, number>();
    const watched = new Proxy(shared, {
      getOwnPropertyDescriptor: (target, name) => {
        looks.set(String(name), (looks.get(String(name)) ?? 0) + 1);
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
      get: trap,
    });
    expect(kernel.evaluate(watched).reasons).toEqual([]);
    expect([...looks]).toEqual(Object.keys(shared).map((name) => [name, 1]));
  });

  test("`__proto__` is a key and a field like any other", async () => {
    const { kernel } = await opened({}, {});
    const value = JSON.parse('{"__proto__":{"polluted":true}}');
    const { verdict } = await kernel.execute({ id: "a", effects: [{ key: "__proto__", op: "set", value }] });
    expect(verdict).toBe("allowed");
    expect(kernel.status().state).toBe('{"__proto__":{"__proto__":{"polluted":true}}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each<[string, (at: number) => unknown]>([
    ["nesting", (at) => Array.from({ length: at }).reduce<unknown>((inner) => [inner], 1)],
    ["parts", (at) => Array.from({ length: at }, () => 0)],
    ["text", (at) => "x".repeat(at)],
    ["digits", (at) => 10n ** BigInt(at)],
  ])("input at a bound is taken, and the trace can be read again: %s", async (_, build) => {
    const { kernel, ledger } = await opened({ budgets: usd(10) }, {});
    const fits = async (at: number) =>
      (await kernel.execute({ id: "a", args: build(at), effects: [set("k", build(at))] })).verdict ===
      "allowed";
    // Finds the last size that is taken.
    let [low, high] = [0, 200_000];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (await fits(middle)) low = middle;
      else high = middle;
    }
    expect(low).toBeGreaterThan(50);
    const trace = await ledger.read("main", 1, 100);
    expect(await verify(trace)).toMatchObject({ ok: true, entries: trace.length });
  });

  test("any data that is taken can be read again by whoever opens the kernel next", async () => {
    const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), async (values) => {
        const { kernel, ledger } = await opened({ budgets: usd(10), protected: ["ok"] }, { n: 0 });
        for (const one of values) {
          await kernel.execute({ id: "a", args: one, effects: [set("n", one)], undo: one });
          const { receipt = "" } = await kernel.reserve({ id: "a", args: one }, "key");
          await kernel.settle(receipt, { outcome: one });
          await kernel.grant("ok", one);
        }
        const trace = await ledger.read("main", 1, 100);
        expect(await verify(trace)).toMatchObject({ ok: true, entries: trace.length });
        const again = await opened(undefined, {}, { ledger });
        expect(again.kernel.status()).toEqual(kernel.status());
      }),
      { numRuns: runs(100) },
    );
  });

  test("what is changed after the call makes no difference", async () => {
    const { kernel } = await opened({ budgets: usd(10) }, { n: [1] });
    const list = [2];
    const action = { id: "a", effects: [{ key: "n", op: "set", value: list }], cost: "1" };
    const outcome = kernel.execute(action);
    list.push(3);
    action.cost = "100";
    await outcome;
    expect(kernel.status()).toMatchObject({ state: '{"n":[2]}', budgets: { usd: { net: "1" } } });
    expect(Object.isFrozen(kernel.view().get("n"))).toBe(true);
  });

  test("a policy or a state that is wrong opens nothing", async () => {
    const wrong: unknown[] = [
      { budgets: { usd: -1 } },
      { budgets: { usd: Number.NaN } },
      { budgets: { usd: { limit: 1, quantum: 0 } } },
      { budgets: { usd: "0.0000001" } },
      { budgets: { usd: { limit: 1, within: "day" } } },
      { budgets: { a: { limit: 1, within: "b" }, b: { limit: 1, within: "a" } } },
      {
        budgets: [
          { name: "a", limit: 1 },
          { name: "a", limit: 2 },
        ],
      },
      { budget: { usd: 1 } },
      { maxSteps: -1 },
      { maxSteps: "3" },
      { minCost: { eur: 1 }, budgets: usd(1) },
      { rules: [{ name: "r", enforcement: "blocking", rule: "rateLimits", key: "n", max: 1 }] },
      { rules: [{ name: "r", enforcement: "bloking", rule: "rateLimit", key: "n", max: 1 }] },
      { rules: [{ name: "r", enforcement: "blocking", rule: "rateLimit", key: "n", maximum: 1 }] },
      { rules: [{ name: "r", enforcement: "blocking", rule: "rateLimit", key: "n" }] },
      { rules: [{ name: "r", enforcement: "blocking", rule: "constructor", key: "n" }] },
      { rules: [{ name: "r", enforcement: "blocking", when: "1 +" }] },
      { rules: [{ name: "r", enforcement: "blocking", when: "1 + 1" }] },
      { rules: [{ name: "r", enforcement: "blocking", when: "nothing == 1" }] },
      { rules: [{ name: "r", enforcement: "blocking", when: "true", rule: "rateLimit" }] },
      { rules: [{ name: "r", enforcement: "blocking" }] },
      { emergencies: [{ id: "halt", effects: [{ key: "n", op: "increment", value: 1 }] }] },
      { probes: [{ name: "p", keys: [] }] },
      { functions: [{ name: "f", enforcement: "blocking", over: "state" }] },
      null,
      trapped,
    ];
    for (const [i, policy] of wrong.entries()) {
      await expect(opened(policy, { n: 0 }), `policy ${i}`).rejects.toThrow();
    }
    for (const state of [[], "x", 1, { n: Number.NaN }, trapped, cycle, { "": 1 }]) {
      await expect(opened({}, state)).rejects.toThrow();
    }
  });
});
