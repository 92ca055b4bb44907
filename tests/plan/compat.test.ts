/** Compatible mode gives the answers of the runtime that it is compatible with: the cases that runtime is tested with. */
import { describe, expect, test } from "vitest";
import { car, readPlan } from "../../src/plan/index.ts";
import { call, plain, plainState, planOf, pre, stateOf, write } from "./plans.ts";

const { verify, simulate, difference, optimize } = car;
const said = (plan: Parameters<typeof verify>[0], options?: Parameters<typeof verify>[1]) =>
  verify(plan, options).findings.map(({ actionId, severity, message }) => [actionId, severity, message]);

describe("the cases of the runtime", () => {
  test("a reader behind its writer is valid", () => {
    const plan = planOf(write("a1", "x", 1), call("a2", "search", { state_dependencies: ["x"] }));
    const { valid, levels } = verify(plan, { knownTools: new Set(["search"]) });
    expect(valid).toBe(true);
    expect(levels).toEqual([["a1"], ["a2"]]);
  });

  test("a precondition that nothing meets is an error", () => {
    const plan = planOf(call("a1", "deploy", { preconditions: [pre("tests_passed", "eq", true)] }));
    expect(verify(plan).valid).toBe(false);
    expect(said(plan)[0]?.[2]).toMatch(/^precondition will fail: /);
  });

  test("a precondition that an earlier action meets is none", () => {
    const plan = planOf(
      write("a1", "ready", true),
      call("a2", "deploy", { preconditions: [pre("ready", "eq", true)], state_dependencies: ["ready"] }),
    );
    expect(verify(plan).valid).toBe(true);
  });

  test("a state dependency that nobody writes is an error", () => {
    const plan = planOf(call("a1", "x", { state_dependencies: ["nonexistent"] }));
    expect(said(plan)).toEqual([
      ["a1", "error", "state dependency 'nonexistent' not available at this point"],
    ]);
  });

  test("a tool that is not registered is an error", () => {
    expect(said(planOf(call("a1", "quantum")), { knownTools: new Set() })).toEqual([
      ["a1", "error", "tool 'quantum' is not registered"],
    ]);
  });

  test("a tool call without a tool is an error", () => {
    expect(said(planOf({ id: "a1", type: "tool_call" }))).toEqual([
      ["a1", "error", "tool_call action has no tool specified"],
    ]);
  });

  test("two writers without a dependency are a conflict", () => {
    const plan = planOf(write("a1", "x", 1), write("a2", "x", 2));
    expect(verify(plan).conflicts).toEqual([["a1", "a2", "x"]]);
    expect(said(plan)).toEqual([
      ["a1", "warning", "write conflict on 'x' with action a2 (no dependency declared)"],
    ]);
  });

  test("writes are simulated", () => {
    const plan = planOf(write("a1", "x", 10), write("a2", "y", 20));
    expect(plainState(simulate(plan))).toEqual({ x: 10, y: 20 });
  });

  test("the same writes in another order are equivalent", () => {
    const one = planOf(write("a1", "x", 1), write("a2", "y", 2));
    const other = planOf(write("b1", "y", 2), write("b2", "x", 1));
    expect(difference(one, other)).toBeUndefined();
  });

  test("another value is not equivalent", () => {
    expect(difference(planOf(write("a1", "x", 1)), planOf(write("b1", "x", 99)))).toEqual(new Map());
  });

  test("a dependency on what nobody writes is dropped", () => {
    const { json, dropped } = optimize(planOf(call("a1", "search", { state_dependencies: ["phantom"] })));
    expect(plain(json)).toMatchObject({ actions: [{ id: "a1", state_dependencies: [] }] });
    expect(dropped).toEqual([{ actionId: "a1", key: "phantom" }]);
  });

  test("a dependency on what somebody writes is kept", () => {
    const plan = planOf(write("a1", "x", 1), call("a2", "x", { state_dependencies: ["x"] }));
    expect(plain(optimize(plan).json)).toMatchObject({ actions: [{}, { state_dependencies: ["x"] }] });
  });

  test("the same call twice is a warning", () => {
    expect(said(planOf(call("a1", "search"), call("a2", "search")))).toEqual([
      ["proposal", "warning", "duplicate tool call: search (2x)"],
    ]);
  });

  test("the same call three times is an error", () => {
    const plan = planOf(call("a1", "search"), call("a2", "search"), call("a3", "search"));
    expect(verify(plan).valid).toBe(false);
    expect(said(plan)).toEqual([
      ["proposal", "error", "repeated identical tool call: search (3x) — likely loop"],
    ]);
  });

  test("more actions than the limit are a warning", () => {
    const plan = planOf(...Array.from({ length: 35 }, (_, i) => call(`a${i}`, `t${i}`)));
    expect(said(plan)).toEqual([["a0", "warning", "excessive actions: 35 (limit 30)"]]);
    expect(verify(plan).valid).toBe(true);
  });
});

describe("what follows from its source", () => {
  test("levels come from the last writer in the whole plan, if it comes earlier", () => {
    const plan = planOf(
      write("w1", "x", 1),
      call("r", "t", { state_dependencies: ["x"] }),
      write("w2", "x", 2),
    );
    expect(verify(plan).levels).toEqual([["w1", "r"], ["w2"]]);
  });

  test("effects make no write wait, and preconditions and ids make nobody wait", () => {
    const plan = planOf(
      call("a", "t", { expected_effects: { x: 1 } }),
      call("b", "u", { expected_effects: { x: 2 } }),
      call("c", "v", { preconditions: [pre("x", "eq", 2)], dependencies: ["a"] }),
    );
    expect(verify(plan).levels).toEqual([["a", "b", "c"]]);
  });

  test("the effects of an action that fails are applied all the same", () => {
    const plan = planOf(
      call("a", "t", { preconditions: [pre("no", "exists")], expected_effects: { done: true } }),
    );
    expect(plainState(verify(plan).state)).toEqual({ done: true });
    expect(plainState(simulate(plan))).toEqual({ done: true });
  });

  test("an integer and a floating-point number are different values, and 1e400 is none", () => {
    const plan = planOf(write("a", "x", 1));
    expect(difference(plan, planOf({ ...write("a", "x", 1) }))).toBeUndefined();
    const written = (text: string) =>
      `{"actions":[{"id":"a","type":"state_write","parameters":{"key":"x","value":${text}}}]}`;
    const read = (text: string) => planFrom(written(text));
    expect(difference(read("1"), read("1.0"))).toEqual(new Map());
    expect(difference(read("1.0"), read("1e0"))).toBeUndefined();
    expect(car.refusal(read("1e400"))).toBe("compatible mode has no number `1e400`");
  });

  test("a tool's name ends at its first colon", () => {
    expect(said(planOf(call("a", "mail:send"), call("b", "mail:send")))[0]?.[2]).toBe(
      "duplicate tool call: mail (2x)",
    );
  });

  test("a state that is given is where it starts", () => {
    const plan = planOf(call("a", "t", { preconditions: [pre("n", "gt", 1)] }));
    expect(verify(plan, { state: stateOf({ n: 2 }) }).valid).toBe(true);
    expect(verify(plan, { state: stateOf({ n: "2" }) }).valid).toBe(false);
  });

  test("pairs of writers are bounded", () => {
    const plan = planOf(...Array.from({ length: 1_500 }, (_, i) => write(`a${i}`, "x", i)));
    expect(car.refusal(plan)).toMatch(
      /^compatible mode compares writers two by two, and there are 1124250 pairs/,
    );
  });
});

function planFrom(text: string) {
  const read = readPlan(text);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value.plan;
}
