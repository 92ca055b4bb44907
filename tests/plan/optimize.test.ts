/** Strict `optimize`: what it gives does the same, by brute force; it waits for no more; and twice is as good as once. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equivalent, optimize, type Plan, verify } from "../../src/plan/index.ts";
import { optimizeWith } from "../../src/plan/optimize/optimize.ts";
import { outputText } from "../../src/plan/output.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { anyPlanData, anyState } from "./arbitrary-plan.ts";
import { mustPrecede, randomSchedule } from "./executor.ts";
import { allSeen } from "./observer.ts";
import { type ActionData, call, planOf, pre, readData, stateOf, write } from "./plans.ts";

const options = { timeout: timeout(60) };

function optimized(plan: Plan, state?: Readonly<Record<string, unknown>>) {
  const found = optimize(plan, state && { state: stateOf(state) });
  if (found.kind !== "optimized" && found.kind !== "unchanged") throw new Error(JSON.stringify(found));
  return found;
}

/** Ids and what each depends on: `a b:a c:a,b`. */
function shown({ actions }: Plan): string {
  return actions
    .map(({ id, dependencies }) => (dependencies.length === 0 ? id : `${id}:${dependencies}`))
    .join(" ");
}

const waits = (...dependencies: readonly string[]) => ({ dependencies });

/** Each: what it is about, the actions, and what comes out. */
test.each<[string, readonly ActionData[], string]>([
  ["nothing to do", [call("a", "t"), call("b", "u", waits("a"))], "a b:a"],
  ["an order of calls stays", [call("a", "t"), call("b", "t", waits("a"))], "a b:a"],
  [
    "a note in between",
    [call("a", "t"), write("n", "k", 1, waits("a")), call("b", "u", waits("n"))],
    "a n b:a",
  ],
  [
    "two notes in between",
    [
      call("a", "t"),
      write("n", "k", 1, waits("a")),
      write("m", "l", 1, waits("n")),
      call("b", "u", waits("m")),
    ],
    "a n m b:a",
  ],
  [
    "a note that is read stays, and whom it waited for is waited for",
    [
      call("a", "t"),
      write("n", "k", 1, waits("a")),
      call("b", "u", { ...waits("n"), preconditions: [pre("k", "eq", 1)] }),
    ],
    "a n b:n,a",
  ],
  [
    "a note of what was answered stays behind it",
    [
      call("a", "t"),
      write("n", "k", "$a.output", waits("a")),
      call("b", "u", { ...waits("n"), state_dependencies: ["k"] }),
    ],
    "a n b:n",
  ],
  [
    "what follows from others",
    [call("a", "t"), call("b", "u", waits("a")), call("c", "v", waits("a", "b"))],
    "a b:a c:b",
  ],
  [
    "what a reference says",
    [call("a", "t"), call("b", "u", { ...waits("a"), parameters: { p: "$a.output" } })],
    "a b",
  ],
  ["a declared order of writes stays", [write("a", "k", 1), write("b", "k", 2, waits("a"))], "a b:a"],
  [
    "a write that may fail may end the plan",
    [
      call("a", "t"),
      write("w", "k", 1, { ...waits("a"), preconditions: [pre("x", "eq", 1)] }),
      call("b", "u", waits("w")),
    ],
    "a w:a b:w",
  ],
  [
    "a write that may fail and is skipped then",
    [
      call("a", "t"),
      write("w", "k", 1, { ...waits("a"), preconditions: [pre("x", "eq", 1)], failure_behavior: "skip" }),
      call("b", "u", waits("w")),
    ],
    "a w b:a",
  ],
  [
    "what is compensated is seen",
    [
      call("a", "t"),
      write("n", "k", 1, { ...waits("a"), compensation: { type: "tool", tool: "u", parameters: {} } }),
      call("b", "u", waits("n")),
    ],
    "a n:a b:n",
  ],
  [
    "what compensates is seen",
    [
      call("a", "t", { compensation: { type: "action_ref", action_id: "n" } }),
      write("n", "k", 1, waits("a")),
      call("b", "u", waits("n")),
    ],
    "a n:a b:n",
  ],
  [
    "by levels",
    [call("a", "t"), call("b", "u", waits("a")), call("c", "v"), call("d", "w", waits("c"))],
    "a c b:a d:c",
  ],
])("%s", (what, actions, expected) => {
  const plan = planOf(...actions);
  const state = what.includes("may fail") ? { x: 1 } : undefined;
  expect(shown(optimized(plan, state).plan)).toBe(expected);
});

test("an action that rests on a claim may fail, so it is seen", () => {
  const plan = planOf(
    call("a", "t", { expected_effects: { k: 1 } }),
    call("z", "z", { dependencies: ["a"] }),
    write("n", "l", 1, { dependencies: ["z"], preconditions: [pre("k", "eq", 1)] }),
    call("b", "u", { dependencies: ["n"] }),
  );
  const found = optimized(plan);
  expect(shown(found.plan)).toBe("a z:a n:z b:n");
  expect(found.proof.after).toHaveLength(4);
});

describe("a plan that is not valid", () => {
  test.each<[string, readonly ActionData[]]>([
    ["a precondition that may fail", [call("a", "t", { preconditions: [pre("k", "eq", 1)] })]],
    ["a key that nobody writes", [call("a", "t", { state_dependencies: ["phantom"] })]],
  ])("%s: stays as it is", (_, actions) => {
    const plan = planOf(...actions);
    const found = optimize(plan);
    if (found.kind !== "invalid") throw new Error(found.kind);
    expect(found.plan).toBe(plan);
    expect(found.findings[0]?.code).toBe("FC3401");
  });

  test("one that does not hang together is not looked at", () => {
    expect(optimize(planOf(call("a", "t"), call("a", "t"))).kind).toBe("broken");
  });
});

test("what is not proved to do the same is not given", () => {
  const plan = planOf(call("a", "t"), call("b", "u", waits("a")));
  const found = optimizeWith(
    ({ plan: { actions } }) => ({ dependencies: actions.map(() => []), reasons: new Map(), changed: true }),
    plan,
    {},
  );
  if (found.kind !== "unproved") throw new Error(found.kind);
  expect(found.plan).toBe(plan);
  expect(found.why).toBe("calls, or actions that may end the plan, are not in the same order");
});

test("an action without an id keeps the name that it had", () => {
  const { plan } = readData({
    actions: [call("a", "t"), { type: "tool_call", tool: "u", dependencies: ["a"] }, call("c", "v")],
  });
  const found = optimized(plan);
  expect(shown(found.plan)).toBe("a c #2:a");
  expect(shown(readAgain(found.plan))).toBe("a c #2:a");
});

function readAgain(plan: Plan): Plan {
  return readData(JSON.parse(outputText(plan.json))).plan;
}

/** With more dependencies than others have, and some that undo others. */
function anyTangled(actions: number) {
  return fc
    .tuple(
      anyPlanData({ actions, keys: ["x", "y", "z", "u", "v"] }),
      fc.array(fc.tuple(fc.nat(99), fc.nat(99)), { maxLength: 8 }),
      fc.option(fc.tuple(fc.nat(99), fc.nat(99)), { freq: 8 }),
      fc.array(fc.nat(99), { maxLength: 4 }),
    )
    .map(([data, more, undo, bare]) => {
      const list = structuredClone(data.actions) as { dependencies: string[]; [field: string]: unknown }[];
      const count = list.length;
      for (const [a, b] of more) {
        const [from, to] = [Math.min(a % count, b % count), Math.max(a % count, b % count)];
        if (from !== to) list[to]!.dependencies = [...list[to]!.dependencies, `a${from}`];
      }
      // Fewer of them may fail then.
      for (const at of bare) Object.assign(list[at % count]!, { preconditions: [], state_dependencies: [] });
      if (undo !== null) {
        const [a, b] = undo.map((at) => at % count) as [number, number];
        if (a !== b) list[a]!.compensation = { type: "action_ref", action_id: `a${b}` };
      }
      return { actions: list };
    });
}

test("it does the same, by brute force, and waits for no more", options, () => {
  const counts = { optimized: 0, unchanged: 0, invalid: 0, unproved: 0, broken: 0, shorter: 0 };
  fc.assert(
    fc.property(anyTangled(5), anyState(["x", "y", "z"]), anyState(["u", "x"]), (data, initial, another) => {
      const { plan } = readData(data);
      const state = stateOf(initial);
      const found = optimize(plan, { state });
      counts[found.kind]++;
      if (found.kind !== "optimized") return;
      const { proof } = found;
      const better = readAgain(found.plan);
      if (proof.after.length < proof.before.length) counts.shorter++;
      expect(proof.after.length).toBeLessThanOrEqual(proof.before.length);
      expect(verify(better, { state }).levels).toHaveLength(proof.after.length);
      expect(verify(better).valid).toBe(verify(plan).valid);
      for (const from of [state, stateOf(another)]) {
        for (const failing of ["none", "t0", "t2"]) {
          expect(allSeen(better, from, failing)).toEqual(allSeen(plan, from, failing));
        }
      }
      const again = optimize(better, { state });
      expect(again.kind).toBe("unchanged");
    }),
    { numRuns: runs(1_200) },
  );
  expect(counts.optimized).toBeGreaterThan(atLeast(25));
  expect(counts.shorter).toBeGreaterThan(atLeast(4));
  expect(counts.unproved).toBe(0);
});

test("the order of independent actions in the list changes nothing", options, () => {
  fc.assert(
    fc.property(anyTangled(6), anyState(), fc.infiniteStream(fc.nat(999)), (data, initial, chances) => {
      const { plan } = readData(data);
      const given = { state: stateOf(initial) };
      const found = optimize(plan, given);
      if (found.kind === "broken") return;
      const schedule = randomSchedule(plan, mustPrecede(plan), () => chances.next().value / 1_000);
      const other = readData({
        actions: schedule.map(({ id }) => data.actions.find((one) => one.id === id)),
      }).plan;
      expect(verify(other, given).valid).toBe(verify(plan, given).valid);
      const again = optimize(other, given);
      if (found.kind === "invalid" || again.kind === "invalid") {
        expect(again.kind).toBe(found.kind);
        return;
      }
      if (found.kind === "unproved") throw new Error(found.why);
      if (again.kind === "broken" || again.kind === "unproved") throw new Error(again.kind);
      expect(again.proof.after.length).toBe(found.proof.after.length);
      expect(equivalent(found.plan, again.plan).kind).toBe("equivalent");
    }),
    { numRuns: runs(600) },
  );
});

test("a barrier that many wait for stays one", () => {
  const many = Array.from({ length: 200 }, (_, i) => call(`a${i}`, `t${i}`));
  const barrier = write("n", "k", 1, { dependencies: many.map(({ id }) => id) });
  const rest = Array.from({ length: 200 }, (_, i) => call(`b${i}`, `u${i}`, { dependencies: ["n"] }));
  const found = optimized(planOf(...many, barrier, ...rest));
  expect(found.kind).toBe("unchanged");
  expect(found.proof.after).toHaveLength(3);
});

describe("many actions", () => {
  const many = 10_000;
  const each = (make: (i: number) => ActionData) => Array.from({ length: many }, (_, i) => make(i));
  const ids = (mark: string) => each((i) => call(`${mark}${i}`, "t")).map(({ id }) => `${id}`);

  test.each<[string, () => readonly ActionData[], number]>([
    [
      "that one depends on",
      () => [...each((i) => call(`a${i}`, `t${i}`)), call("z", "t", waits(...ids("a")))],
      2,
    ],
    [
      "that one depends on, by way of others",
      () => [
        ...each((i) => call(`a${i}`, `t${i}`)),
        ...each((i) => write(`n${i}`, `k${i}`, 1, waits(`a${i}`))),
        call("z", "t", waits(...ids("n"))),
      ],
      2,
    ],
    [
      "that depend on one that depends on many",
      () => [
        ...each((i) => call(`a${i}`, `t${i}`)),
        write("n", "k", 1, waits(...ids("a"))),
        ...each((i) => call(`b${i}`, `u${i}`, waits("n"))),
      ],
      3,
    ],
    [
      "that write in a chain",
      () => each((i) => write(`a${i}`, `k${i}`, 1, i > 0 ? waits(`a${i - 1}`) : {})),
      1,
    ],
    ["that all write one key", () => each((i) => write(`a${i}`, "k", i)), many],
    [
      "that each depend on a few before",
      () =>
        each((i) =>
          call(`a${i}`, `t${i}`, waits(...[1, 2, 3].filter((n) => n <= i).map((n) => `a${i - n}`))),
        ),
      many,
    ],
  ])("%s", { timeout: timeout(60) }, (_, actions, levels) => {
    const found = optimize(planOf(...actions()));
    if (found.kind !== "optimized" && found.kind !== "unchanged") throw new Error(found.kind);
    expect(found.proof.after).toHaveLength(levels);
  });
});

test("as many dependencies as are compared, and one more", () => {
  const plan = (count: number) => {
    const some = Array.from({ length: count }, (_, i) => call(`a${i}`, `t${i}`, i === 1 ? waits("a0") : {}));
    return planOf(...some, call("z", "t", waits(...some.map(({ id }) => `${id}`))));
  };
  const left = (count: number) => optimized(plan(count)).plan.actions.at(-1)?.dependencies.length;
  // `a0` follows from `a1`.
  expect([left(100), left(101)]).toEqual([99, 101]);
});

test("twenty thousand actions", { timeout: timeout(60) }, () => {
  const actions = Array.from({ length: 20_000 }, (_, i) =>
    i % 2 === 0
      ? call(`a${i}`, "t", { parameters: { n: i }, ...(i > 0 && { dependencies: [`a${i - 1}`] }) })
      : write(`a${i}`, `k${i}`, i, { dependencies: [`a${i - 1}`] }),
  );
  const plan = planOf(...actions);
  const found = optimized(plan);
  expect([found.proof.before.length, found.proof.after.length]).toEqual([20_000, 10_000]);
});
