/** Plans that are meant to hurt: bounded time, a clear answer. */
import { describe, expect, test } from "vitest";
import { car, drawPlan, readPlan, simulate, verify } from "../../src/plan/index.ts";
import { timeout } from "../support/timeout.ts";
import { call, planOf, readData, stateOf, write } from "./plans.ts";

const many = 100_000;
const options = { timeout: timeout(60) };
const codes = (found: ReturnType<typeof verify>) => [...new Set(found.findings.map(({ code }) => code))];
const list = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

/** Grows about as the number of actions does; generous, since machines are busy. */
function expectLinear(make: (count: number) => () => unknown): void {
  const time = (run: () => unknown) => {
    const start = performance.now();
    run();
    return performance.now() - start;
  };
  const [small, big] = [make(many / 10), make(many)];
  const first = Math.min(time(small), time(small), time(small));
  expect(time(big) / Math.max(first, 5)).toBeLessThan(60);
}

describe("100,000 actions", options, () => {
  test("that all write one key", () => {
    const { plan } = readData({ actions: list(many, (i) => write(`a${i}`, "x", i)) });
    const found = verify(plan, { state: new Map() });
    expect([found.valid, codes(found), found.levels.length]).toEqual([true, ["FC3107"], many]);
    expect(found.conflicts).toHaveLength(1);
    expect(car.refusal(plan)).toMatch(/two by two/);
    expect(drawPlan(plan).kind).toBe("too big");
  });

  test("that all fail", () => {
    const actions = list(many, (i) => call(`a${i}`, `t${i}`, { preconditions: [{ key: "x", value: i }] }));
    const { findings } = verify(readData({ actions }).plan);
    expect(findings).toHaveLength(many);
    expect(findings[0]?.witness?.schedule).toEqual(["a0"]);
  });

  test("in a chain that fails at each step take linear time", () => {
    expectLinear((count) => {
      const actions = list(count, (i) =>
        write(`a${i}`, "x", i, { preconditions: [{ key: "x", operator: "gt", value: -1 }] }),
      );
      const { plan } = readData({ actions });
      return () => verify(plan);
    });
  });

  test("of which one reads what all write, and one writes what all read", () => {
    const readers = list(many - 1, (i) => call(`a${i}`, `t${i}`, { state_dependencies: ["x"] }));
    const { plan } = readData({ actions: [...readers, write("w", "x", 1)] });
    const { levels, valid } = verify(plan, { state: stateOf({ x: 0 }) });
    expect([valid, levels.map((level) => level.length)]).toEqual([true, [many - 1, 1]]);
  });

  test("that each depend on a later one", () => {
    const actions = list(many, (i) =>
      call(`a${i}`, `t${i}`, i + 1 < many ? { dependencies: [`a${i + 1}`] } : {}),
    );
    const { valid, levels } = verify(readData({ actions }).plan);
    expect([valid, levels.length, levels[0]]).toEqual([true, many, [`a${many - 1}`]]);
  });

  test("in one circle", () => {
    const actions = list(many, (i) => call(`a${i}`, "t", { dependencies: [`a${(i + 1) % many}`] }));
    const found = verify(readData({ actions }).plan);
    expect(codes(found)).toEqual(["FC3007"]);
    expect(found.findings[0]!.message.length).toBeLessThan(300);
  });

  test("with one id", () => {
    const { plan } = readData({ actions: list(many, () => call("a", "t")) });
    expect(codes(verify(plan))).toEqual(["FC3003"]);
  });

  test("and one more are refused", () => {
    const { plan } = readData({ actions: list(many + 1, (i) => call(`a${i}`, "t")) });
    expect(codes(verify(plan))).toEqual(["FC3002"]);
    expect(simulate(plan).kind).toBe("broken");
  });
});

describe("one action", options, () => {
  test("with 100,000 keys, references and dependencies", () => {
    const keys = list(many, (i) => `k${i}`);
    const big = call("big", "t", {
      state_dependencies: keys,
      read_set: keys,
      write_set: keys,
      parameters: { p: list(many, () => "$a.output") },
      dependencies: list(many, () => "a"),
      expected_effects: Object.fromEntries(keys.map((key) => [key, 1])),
    });
    const { plan } = readData({ actions: [call("a", "t"), big] });
    const found = verify(plan, { state: new Map(keys.map((key) => [key, null])) });
    // Everything is there; it is only more than a kernel takes at once.
    expect(codes(found)).toEqual(["FC3111"]);
  });

  test("with keys and ids that break lines, terminals and pictures", () => {
    const odd = "\u202e\u0000]]><script>`\ud800";
    const plan = planOf(call(odd, odd, { state_dependencies: [odd] }));
    const { findings } = verify(plan);
    const drawn = drawPlan(plan);
    const svg = drawn.kind === "drawn" ? drawn.svg : "";
    expect([svg.includes("<script>"), svg.includes("\u0000")]).toEqual([false, false]);
    expect(findings[0]?.message).not.toContain("\u0000");
    expect(findings[0]?.message).not.toContain("\u202e");
  });
});

describe("texts", () => {
  test("that are nested too deep are refused", () => {
    const deep = `{"actions":[{"id":"a","type":"tool_call","parameters":{"p":${"[".repeat(100_000)}`;
    const read = readPlan(deep);
    expect(read.ok ? [] : read.problems.map(({ code }) => code)).toEqual(["FC1402"]);
  });

  test("with a huge number: exact if it fits, refused if not", () => {
    const text = (number: string) =>
      `{"actions":[{"id":"w","type":"state_write","parameters":{"key":"n","value":${number}}},
        {"id":"r","type":"tool_call","tool":"t","preconditions":[{"key":"n","operator":"gt","value":1e399}]}]}`;
    const read = readPlan(text("1e400"));
    const found = read.ok ? verify(read.value.plan, { state: new Map() }) : undefined;
    // It is compared exactly, and is more than a kernel keeps.
    expect(found && codes(found)).toEqual(["FC3111"]);
    const tooBig = readPlan(text("1e999999"));
    expect(tooBig.ok ? [] : tooBig.problems.map(({ code }) => code)).toEqual(["FC1406"]);
  });

  test("with the same key twice are refused", () => {
    const read = readPlan('{"actions": [], "actions": []}');
    expect(read.ok ? [] : read.problems.map(({ code }) => code)).toEqual(["FC1106"]);
  });
});
