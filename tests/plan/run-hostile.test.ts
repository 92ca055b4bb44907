/** Plans and tools that mean no good: a run is never confused by names, and never breaks off without an answer. */
import { expect, test } from "vitest";
import { type ActionData, call, planOf, readData, write } from "./plans.ts";
import { codes, doubtful, kernelWith, ranPlan, tryPlan } from "./running.ts";

const odd = [
  "__proto__",
  "constructor",
  "toString",
  "",
  " ",
  "a again 1",
  "#",
  "\u0000",
  "ä\u{1f600}",
  "x".repeat(900),
];

test.each(odd)("an action that is called %j", async (id) => {
  const seen: string[] = [];
  const plan = planOf(
    call(id, "t", { parameters: JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') }),
    call("other", "t", { dependencies: [id] }),
  );
  const run = await ranPlan(plan, {
    tools: {
      t: (args, { actionId, key }) => {
        if (actionId !== "other")
          expect(Object.keys(args as object).sort()).toEqual(["__proto__", "constructor"]);
        expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
        seen.push(key);
      },
    },
  });
  expect([run.kind, new Set(seen).size]).toEqual(["done", 2]);
});

test("half a surrogate pair as an id", async () => {
  const { plan } = readData({ actions: [{ ...write("a", "x", 1), id: "\ud800" }] });
  expect((await ranPlan(plan)).kind).toBe("done");
});

test.each(["__proto__", "constructor", "hasOwnProperty"])("a key that is called %s", async (key) => {
  const plan = planOf(write("w", key, 1), { id: "r", type: "state_read", parameters: { key } });
  const run = await ranPlan(plan);
  expect(run.kind).toBe("done");
  expect(run.state.has(key)).toBe(true);
});

/** Actions that no kernel accepts are found before the start. */
test.each<[string, ActionData]>([
  ["an empty key", write("b", "", 1)],
  ["a key that is too long", write("b", "k".repeat(600), 1)],
  ["a text that is too long", write("b", "x", "y".repeat(200_000))],
  ["a value that is nested too deep", write("b", "x", JSON.parse(`${"[".repeat(80)}${"]".repeat(80)}`))],
])("%s", async (_, action) => {
  const kernel = await kernelWith();
  const result = await tryPlan(planOf(write("a", "ok", 1), { ...action, dependencies: ["a"] }), { kernel });
  expect(result.ok ? "" : codes(result)).toBe("FC3111");
  expect(kernel.status().seq).toBe(1);
});

test.each<[string, () => unknown]>([
  ["nothing", () => undefined],
  ["a proxy that throws", () => new Proxy({}, { ownKeys: () => fail() })],
  ["a getter", () => Object.defineProperty({}, "x", { get: fail, enumerable: true })],
  ["a circle", () => circle()],
  ["no number", () => Number.NaN],
  ["a date", () => new Date(0)],
  ["too much", () => "y".repeat(200_000)],
])("a tool that gives %s", async (_, give) => {
  const run = await ranPlan(planOf(call("a", "t")), { tools: { t: give } });
  // What is no JSON is not of the type of the result; what is too big is kept as that.
  expect(["done", "stopped"]).toContain(run.kind);
  expect(doubtful(run)).toEqual([]);
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["a text", "no"],
  ["an error without words", new Error("")],
  ["half a surrogate pair", new Error("\ud800")],
  ["very many words", new Error("x".repeat(1_000_000))],
  ["an object", { toString: 5 }],
])("a tool that throws %s", async (_, thrown) => {
  const throws = () => {
    throw thrown;
  };
  const run = await ranPlan(planOf(call("a", "t")), { tools: { t: throws } });
  expect([run.kind, codes(run), doubtful(run)]).toEqual(["stopped", "FC1504", []]);
  expect(run.endedBy?.message.length).toBeLessThan(1_000);
});

test("many actions take time in proportion", { timeout: 60_000 }, async () => {
  const plan = planOf(
    ...Array.from({ length: 1_500 }, (_, i) =>
      write(`w${i}`, `k${i % 50}`, i, { dependencies: i < 50 ? [] : [`w${i - 50}`] }),
    ),
  );
  const kernel = await kernelWith({ policy: { undoSteps: 10_000 } });
  const run = await ranPlan(plan, { kernel });
  expect([run.kind, run.state.size]).toEqual(["done", 50]);
});

test("a plan that is no plan any more is refused", async () => {
  const plan = planOf(call("a", "t", { dependencies: ["gone"] }));
  const result = await tryPlan(plan);
  expect(result.ok ? "" : codes(result)).toBe("FC3006");
});

function fail(): never {
  throw new Error("by nobody's leave");
}

function circle(): object {
  const one: { self?: unknown } = {};
  one.self = one;
  return one;
}
