/**
 * Known mistakes about plans elsewhere, case by case: the answer of the Common Agent Runtime (compatible mode) and
 * that of strict mode.
 */
import { describe, expect, test } from "vitest";
import { car, simulate, verify } from "../../src/plan/index.ts";
import { type ActionData, call, plainState, pre, readData, stateOf, write } from "./plans.ts";

interface Lesson {
  readonly actions: readonly ActionData[];
  readonly state?: Readonly<Record<string, unknown>>;
  /** Validity in compatible mode, and its levels there. */
  readonly old: readonly [valid: boolean, levels?: string];
  /** In strict mode: valid or not, the codes that are found in order, and the levels. */
  readonly strict: readonly [valid: boolean, codes: string, levels?: string];
}

const reads = (id: string, key: string, value: unknown, more: ActionData = {}) =>
  call(id, `use-${id}`, { preconditions: [pre(key, "eq", value)], ...more });
const claims = (id: string, effects: object, more: ActionData = {}) =>
  call(id, `tool-${id}`, { expected_effects: effects, ...more });
const empty = {};

const lessons: Readonly<Record<string, Readonly<Record<string, Lesson>>>> = {
  "only the last writer of a key was remembered": {
    "a reader between two writers shares a level with its writer": {
      actions: [write("w1", "x", 1), call("r", "t", { state_dependencies: ["x"] }), write("w2", "x", 2)],
      state: empty,
      old: [true, "w1 r | w2"],
      strict: [true, "FC3107", "w1 | r | w2"],
    },
    "a reader after two tools that claim the key waits for one of them": {
      actions: [
        claims("a", { x: 1 }),
        claims("b", { x: 2 }),
        reads("r", "x", 2, { state_dependencies: ["x"] }),
      ],
      state: empty,
      old: [true, "a b | r"],
      strict: [true, "FC3107", "a | b | r"],
    },
    "a reader before the only writer sees the state at the start": {
      actions: [reads("r", "x", 0), write("w", "x", 1)],
      state: { x: 0 },
      old: [true, "r w"],
      strict: [true, "", "r | w"],
    },
    "a tool that overwrites what a later reader needs": {
      actions: [write("w", "x", 1), claims("t", { x: 2 }), reads("r", "x", 1)],
      state: empty,
      old: [false, "w t r"],
      strict: [false, "FC3101 FC3107", "w | t | r"],
    },
  },
  "preconditions made no edge": {
    "a precondition and its writer are in one level": {
      actions: [write("w", "ready", true), reads("r", "ready", true)],
      state: empty,
      old: [true, "w r"],
      strict: [true, "", "w | r"],
    },
    "an assertion waits for nobody": {
      actions: [write("w", "n", 1), { id: "s", type: "assertion", parameters: { key: "n", value: 1 } }],
      state: empty,
      old: [true, "w s"],
      strict: [true, "", "w | s"],
    },
    "a state read waits for nobody": {
      actions: [write("w", "n", 1), { id: "s", type: "state_read", parameters: { key: "n" } }],
      state: empty,
      old: [true, "w s"],
      strict: [true, "", "w | s"],
    },
    "declared ids make nobody wait": {
      actions: [call("a", "t"), call("b", "u", { dependencies: ["a"] })],
      old: [true, "a b"],
      strict: [true, "", "a | b"],
    },
    "references make nobody wait": {
      actions: [call("a", "t"), call("b", "u", { parameters: { p: "$a.output" } })],
      old: [true, "a b"],
      strict: [true, "", "a | b"],
    },
    "a reference deep in the parameters makes an edge": {
      actions: [call("a", "t"), call("b", "u", { parameters: { p: [{ q: "$a.output.text" }] } })],
      old: [true, "a b"],
      strict: [true, "", "a | b"],
    },
    "read and write sets are ignored": {
      actions: [call("a", "t", { write_set: ["x"] }), call("b", "u", { read_set: ["x"] })],
      old: [true, "a b"],
      strict: [true, "", "a | b"],
    },
  },
  "write-after-read and write-after-write were missed": {
    "a writer overtakes a reader before it": {
      actions: [reads("r", "x", 0), claims("w", { x: 1 })],
      state: { x: 0 },
      old: [true, "r w"],
      strict: [true, "", "r | w"],
    },
    "two tools that claim one key are in one level": {
      actions: [claims("a", { x: 1 }), claims("b", { x: 2 })],
      state: empty,
      old: [true, "a b"],
      strict: [true, "FC3107", "a | b"],
    },
    "two writers that are ordered by id are no conflict": {
      actions: [write("a", "x", 1), write("b", "x", 2, { dependencies: ["a"] })],
      state: empty,
      old: [true, "a | b"],
      strict: [true, "", "a | b"],
    },
    "two writers of which the second reads the key are no conflict": {
      actions: [write("a", "x", 1), claims("b", { x: 2 }, { preconditions: [pre("x", "eq", 1)] })],
      state: empty,
      old: [true, "a b"],
      strict: [true, "", "a | b"],
    },
    "two writers that are ordered through a third action are no conflict": {
      actions: [
        write("a", "x", 1),
        call("m", "t", { dependencies: ["a"] }),
        write("b", "x", 2, { dependencies: ["m"] }),
      ],
      state: empty,
      old: [true, "a m | b"],
      strict: [true, "", "a | m | b"],
    },
  },
  "swapping two actions flipped the verdict": {
    "a reader before its writer, in one order": {
      actions: [reads("r", "x", 1), claims("w", { x: 1 })],
      state: empty,
      old: [false, "r w"],
      strict: [false, "FC3101", "r | w"],
    },
    "and in the other, in which it is another plan": {
      actions: [claims("w", { x: 1 }), reads("r", "x", 1)],
      state: empty,
      old: [true, "w r"],
      strict: [true, "", "w | r"],
    },
    "a reader listed first that declares its writer": {
      actions: [reads("r", "x", 1, { dependencies: ["w"] }), write("w", "x", 1)],
      state: empty,
      old: [false, "r w"],
      strict: [true, "", "w | r"],
    },
    "a dependency on a later action that another stands between": {
      actions: [write("a", "x", 1, { dependencies: ["c"] }), write("b", "x", 2), call("c", "t")],
      state: empty,
      old: [true, "a c | b"],
      strict: [false, "FC3008"],
    },
  },
  "loop detection compared parameters in random key order": {
    "the same call with its keys in another order": {
      actions: [
        call("a", "t", { parameters: { p: 1, q: 2 } }),
        call("b", "t", { parameters: { q: 2, p: 1 } }),
      ],
      old: [true],
      strict: [true, "FC3108"],
    },
    "the same number written in two ways": {
      actions: [call("a", "t", { parameters: { p: 100 } }), call("b", "t", { parameters: { p: 1e2 } })],
      old: [true],
      strict: [true, "FC3108"],
    },
    "three calls that are safe to repeat": {
      actions: [1, 2, 3].map((i) => call(`a${i}`, "poll", { idempotent: true })),
      old: [false],
      strict: [true, ""],
    },
    "three calls that are not": {
      actions: [1, 2, 3].map((i) => call(`a${i}`, "pay")),
      old: [false],
      strict: [true, "FC3108"],
    },
    "a tool whose name is the beginning of another's": {
      actions: [
        call("a", "mail", { parameters: { "x:": "" } }),
        call("b", "mail:x", { parameters: { "": "" } }),
      ],
      old: [true],
      strict: [true, ""],
    },
  },
  "unknown was the same as absent": {
    "a precondition on a key that nobody has said anything of": {
      actions: [reads("r", "x", 1)],
      old: [false],
      strict: [false, "FC3102"],
    },
    "not_exists on such a key": {
      actions: [call("r", "t", { preconditions: [pre("x", "not_exists")] })],
      old: [true],
      strict: [false, "FC3102"],
    },
    "not_exists on a key that is known to be absent": {
      actions: [call("r", "t", { preconditions: [pre("x", "not_exists")] })],
      state: empty,
      old: [true],
      strict: [true, ""],
    },
    "a key whose value is another tool's output": {
      actions: [call("a", "t"), write("w", "x", "$a.output"), reads("r", "x", "$a.output")],
      state: empty,
      old: [true],
      strict: [false, "FC3102 FC3109"],
    },
    "a key with such a value is there": {
      actions: [call("a", "t"), write("w", "x", "$a.output"), call("r", "u", { state_dependencies: ["x"] })],
      state: empty,
      old: [true],
      strict: [true, ""],
    },
    "a key that a tool says it writes, and not what": {
      actions: [call("a", "t", { write_set: ["x"] }), reads("r", "x", 1)],
      state: { x: 1 },
      old: [true],
      strict: [false, "FC3102"],
    },
    "a precondition that no value meets": {
      actions: [call("r", "t", { preconditions: [pre("x", "gt", "3")] })],
      old: [false],
      strict: [false, "FC3101"],
    },
  },
  "assertions were never evaluated": {
    "an assertion that is wrong": {
      actions: [write("w", "n", 1), { id: "s", type: "assertion", parameters: { key: "n", value: 2 } }],
      state: empty,
      old: [true],
      strict: [false, "FC3104"],
    },
    "an assertion with an operator": {
      actions: [
        write("w", "n", 1),
        { id: "s", type: "assertion", parameters: { key: "n", operator: "lt", value: 2 } },
      ],
      state: empty,
      old: [true],
      strict: [true, ""],
    },
    "an assertion of something that nobody knows": {
      actions: [{ id: "s", type: "assertion", parameters: { key: "n", operator: "exists" } }],
      old: [true],
      strict: [false, "FC3104"],
    },
    "an assertion that says nothing": {
      actions: [{ id: "s", type: "assertion", parameters: {} }],
      old: [true],
      strict: [false, "FC3004"],
    },
    "an assertion without a value": {
      actions: [{ id: "s", type: "assertion", parameters: { key: "n" } }],
      state: empty,
      old: [true],
      strict: [false, "FC3004"],
    },
    "a read of a key that is missing": {
      actions: [{ id: "s", type: "state_read", parameters: { key: "n" } }],
      state: empty,
      old: [true],
      strict: [false, "FC3103"],
    },
  },
  "duplicate ids, dangling references and missing keys were accepted": {
    "one id for two actions": {
      actions: [call("a", "t"), call("a", "u")],
      old: [true],
      strict: [false, "FC3003"],
    },
    "a dependency on nobody": {
      actions: [call("a", "t", { dependencies: ["b"] })],
      old: [true],
      strict: [false, "FC3006"],
    },
    "a reference to nobody": {
      actions: [call("a", "t", { parameters: { p: "$b.output" } })],
      old: [true],
      strict: [false, "FC3006"],
    },
    "a write without a key": {
      actions: [{ id: "a", type: "state_write", parameters: { value: 1 } }],
      old: [true],
      strict: [false, "FC3004"],
    },
    "actions that wait for each other": {
      actions: [call("a", "t", { dependencies: ["b"] }), call("b", "u", { dependencies: ["a"] })],
      old: [true],
      strict: [false, "FC3007"],
    },
    "an action that waits for itself": {
      actions: [call("a", "t", { parameters: { p: "$a.output" } })],
      old: [true],
      strict: [false, "FC3007"],
    },
    "a compensation by nobody": {
      actions: [
        call("a", "t", {
          reversibility: "compensable",
          compensation: { type: "action_ref", action_id: "b" },
        }),
      ],
      old: [true],
      strict: [false, "FC3006"],
    },
  },
  "failures were not thought of": {
    "a tool that may be skipped, and a reader of what it claims": {
      actions: [claims("a", { x: 1 }, { failure_behavior: "skip" }), reads("r", "x", 1)],
      state: empty,
      old: [true],
      strict: [false, "FC3102"],
    },
    "a reader that is content with either": {
      actions: [
        claims("a", { x: 1 }, { failure_behavior: "skip" }),
        call("r", "t", { preconditions: [pre("x", "gte", 0)] }),
      ],
      state: { x: 0 },
      old: [true],
      strict: [true, ""],
    },
    "the output of a tool that may be skipped": {
      actions: [
        call("a", "t", { failure_behavior: "skip" }),
        call("b", "u", { parameters: { p: "$a.output" } }),
      ],
      old: [true],
      strict: [false, "FC3105"],
    },
    "a tool that ends the plan when it fails": {
      actions: [claims("a", { x: 1 }, { failure_behavior: "retry" }), reads("r", "x", 1)],
      state: empty,
      old: [true],
      strict: [true, ""],
    },
    "an action that cannot run hides no other, and lets nobody behind it run": {
      actions: [reads("a", "x", 1, { expected_effects: { y: 1 } }), reads("b", "y", 2), reads("c", "z", 3)],
      state: empty,
      old: [false],
      strict: [false, "FC3101 FC3101"],
    },
  },
  "numbers were not exact": {
    "a big integer and the next one": {
      actions: [
        { id: "w", type: "state_write", parameters: { key: "n", value: 2 ** 53 } },
        call("r", "t", { preconditions: [{ key: "n", operator: "lt", value: 2 ** 53 + 2 }] }),
      ],
      state: empty,
      old: [true],
      strict: [true, ""],
    },
    "an integer is the floating-point number that equals it": {
      actions: [write("w", "n", 1), call("r", "t", { preconditions: [pre("n", "gte", 1)] })],
      state: empty,
      old: [true],
      strict: [true, ""],
    },
  },
};

describe.each(Object.entries(lessons))("%s", (_, cases) => {
  test.each(Object.entries(cases))("%s", (_name, { actions, state, old, strict }) => {
    const { plan, warnings } = readData({ actions });
    const given = state === undefined ? {} : { state: stateOf(state) };
    const [wasValid, hadLevels] = old;
    const before = car.verify(plan, given);
    expect(before.valid).toBe(wasValid);
    if (hadLevels !== undefined) expect(shown(before.levels)).toBe(hadLevels);
    const [isValid, codes, levels] = strict;
    const found = verify(plan, { ...given, warnings });
    expect(found.findings.map(({ code }) => code).join(" ")).toBe(codes);
    expect(found.valid).toBe(isValid);
    if (levels !== undefined) expect(shown(found.levels)).toBe(levels);
  });
});

test("there are at least forty of them", () => {
  expect(Object.values(lessons).flatMap((cases) => Object.keys(cases)).length).toBeGreaterThanOrEqual(40);
});

function shown(levels: readonly (readonly string[])[]): string {
  return levels.map((level) => level.join(" ")).join(" | ");
}

describe("answers of other operations", () => {
  test("2,000 writers of one key: two million rows there, one here", () => {
    const { plan } = readData({ actions: Array.from({ length: 2_000 }, (_, i) => write(`a${i}`, "x", i)) });
    expect(car.refusal(plan)).toContain("1999000 pairs");
    const { conflicts, findings } = verify(plan, { state: new Map() });
    expect(conflicts.map(({ key, writers }) => [key, writers.length])).toEqual([["x", 2_000]]);
    expect(findings.map(({ code }) => code)).toEqual(["FC3107"]);
  });

  test("a blocked action leaves its effects there, and not here", () => {
    const { plan } = readData({
      actions: [reads("deploy", "tested", true, { expected_effects: { deployed: true } })],
    });
    expect(plainState(car.simulate(plan))).toEqual({ deployed: true });
    const found = simulate(plan, { state: new Map() });
    expect(found.kind === "simulated" && plainState(found.simulation.state)).toEqual({});
    expect(found.kind === "simulated" && found.simulation.blocked).toEqual([
      { actionId: "deploy", always: true, endsPlan: true, because: ["tested eq true"] },
    ]);
  });

  test("what the initial state supplies is dropped there, and an invalid plan becomes valid", () => {
    const { plan } = readData({ actions: [call("a", "t", { state_dependencies: ["token"] })] });
    expect(car.verify(plan).valid).toBe(false);
    const { json } = car.optimize(plan);
    expect(car.verify(readData(JSON.parse(JSON.stringify(json))).plan).valid).toBe(true);
  });

  test("plans that differ in their guards are equivalent there", () => {
    const guarded = readData({ actions: [reads("a", "ok", true, { expected_effects: { x: 1 } })] }).plan;
    const bold = readData({ actions: [claims("a", { x: 1 })] }).plan;
    expect(car.difference(guarded, bold)).toBeUndefined();
  });

  test("a verdict that rests on what tools claim says so", () => {
    const { plan } = readData({ actions: [claims("a", { x: 1 }), reads("r", "x", 1)] });
    const { tier, claims: used } = verify(plan, { state: new Map() });
    expect([tier, used]).toEqual(["heuristic", [{ actionId: "a", key: "x" }]]);
    const facts = readData({ actions: [write("a", "x", 1), reads("r", "x", 1)] }).plan;
    expect(verify(facts, { state: new Map() })).toMatchObject({ tier: "decided", claims: [] });
  });
});
