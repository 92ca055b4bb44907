/** Strict `equivalent`: yes and no held against the reference executor on small plans. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equivalent } from "../../src/plan/index.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { anyPlanData, anyState } from "./arbitrary-plan.ts";
import { allSchedules, mustPrecede } from "./executor.ts";
import { allSeen, seen } from "./observer.ts";
import { type ActionData, call, planOf, pre, readData, stateOf, write } from "./plans.ts";

const options = { timeout: timeout(60) };
const kind = (a: readonly ActionData[], b: readonly ActionData[]) =>
  equivalent(planOf(...a), planOf(...b)).kind;

const undoneBy = (id: string) => ({ type: "action_ref", action_id: id });
const undoneWith = (p: string) => ({ type: "tool", tool: "undo", parameters: { p } });

describe("two plans", () => {
  test.each<[string, readonly ActionData[], readonly ActionData[], string]>([
    ["the same", [write("a", "x", 1)], [write("a", "x", 1)], "equivalent"],
    ["with other ids", [write("a", "x", 1)], [write("b", "x", 1)], "equivalent"],
    [
      "with another order of independent actions",
      [write("a", "x", 1), write("b", "y", 2)],
      [write("c", "y", 2), write("d", "x", 1)],
      "equivalent",
    ],
    [
      "with parameters in another order",
      [call("a", "t", { parameters: { p: 1, q: 2 } })],
      [call("a", "t", { parameters: { q: 2, p: 1 } })],
      "equivalent",
    ],
    [
      "with a dependency that says nothing new",
      [write("a", "x", 1), call("b", "t", { state_dependencies: ["x"] })],
      [write("a", "x", 1), call("b", "t", { state_dependencies: ["x"], dependencies: ["a"] })],
      "equivalent",
    ],
    [
      "with references to actions of other names",
      [call("a", "t"), call("b", "u", { parameters: { p: "$a.output" } })],
      [call("z", "t"), call("y", "u", { parameters: { p: "$z.output" } })],
      "equivalent",
    ],
    [
      "compensated by actions of other names",
      [call("a", "t", { compensation: undoneBy("c") }), call("b", "u"), call("c", "v")],
      [call("z", "v"), call("y", "u"), call("x", "t", { compensation: undoneBy("z") })],
      "equivalent",
    ],
    [
      "compensated by another action that comes later",
      [call("a", "t", { compensation: undoneBy("b") }), call("b", "u"), call("c", "v")],
      [call("a", "t", { compensation: undoneBy("c") }), call("b", "u"), call("c", "v")],
      "unknown",
    ],
    [
      "compensated with the output of another action",
      [call("a", "t"), call("b", "u"), call("c", "v", { compensation: undoneWith("$a.output") })],
      [call("b", "t"), call("a", "u"), call("c", "v", { compensation: undoneWith("$a.output") })],
      "unknown",
    ],
    ["another value", [write("a", "x", 1)], [write("a", "x", 99)], "different"],
    [
      "another value that the end hides",
      [write("a", "x", 1), write("b", "x", 2)],
      [write("a", "x", 3), write("b", "x", 2)],
      "unknown",
    ],
    [
      "another order of writes",
      [write("a", "x", 1), write("b", "x", 2)],
      [write("b", "x", 2), write("a", "x", 1)],
      "different",
    ],
    ["another tool", [call("a", "t")], [call("a", "u")], "different"],
    [
      "another parameter",
      [call("a", "t", { parameters: { p: 1 } })],
      [call("a", "t", { parameters: { p: 2 } })],
      "different",
    ],
    ["once and twice", [call("a", "t")], [call("a", "t"), call("b", "t")], "different"],
    [
      "a guard more",
      [call("a", "t", { preconditions: [pre("ok", "eq", true)] })],
      [call("a", "t")],
      "different",
    ],
    [
      "a guard that no sample meets",
      [call("a", "t", { preconditions: [pre("n", "gt", 12345)] })],
      [call("a", "t", { preconditions: [pre("n", "gt", 12346)] })],
      "different",
    ],
    [
      "a dependency that the state supplies",
      [call("a", "t", { state_dependencies: ["k"] })],
      [call("a", "t")],
      "different",
    ],
    [
      "abort or skip",
      [call("a", "t"), write("b", "x", 1)],
      [call("a", "t", { failure_behavior: "skip" }), write("b", "x", 1)],
      "different",
    ],
    [
      "only an order of calls",
      [call("a", "t"), call("b", "u", { dependencies: ["a"] })],
      [call("a", "t"), call("b", "u")],
      "unknown",
    ],
    [
      "a dependency on a write that nobody can see",
      [write("a", "x", 1), call("b", "t", { dependencies: ["a"] })],
      [write("a", "x", 1), call("b", "t")],
      "equivalent",
    ],
    [
      "a dependency on a write that may end the plan",
      [write("a", "x", 1, { preconditions: [pre("y", "exists")] }), call("b", "t", { dependencies: ["a"] })],
      [write("a", "x", 1, { preconditions: [pre("y", "exists")] }), call("b", "t")],
      "unknown",
    ],
    [
      "an end of the plan that was behind another end, and is in front of a call now",
      [
        call("c", "t"),
        call("e", "e", { preconditions: [pre("z", "exists"), pre("z", "not_exists")], dependencies: ["c"] }),
        write("b", "x", 1, { preconditions: [pre("y", "exists")], dependencies: ["e"] }),
      ],
      [
        call("c", "t"),
        call("e", "e", { preconditions: [pre("z", "exists"), pre("z", "not_exists")], dependencies: ["c"] }),
        write("b", "x", 1, { preconditions: [pre("y", "exists")] }),
      ],
      "unknown",
    ],
    [
      "an end that never comes, and what is behind it",
      [
        write("w", "z", 1),
        call("c", "t"),
        call("e", "e", { preconditions: [pre("z", "eq", 2)], dependencies: ["c"] }),
        write("b", "x", 1, { preconditions: [pre("y", "exists")], dependencies: ["e"] }),
      ],
      [
        write("w", "z", 1),
        call("c", "t"),
        call("e", "e", { preconditions: [pre("z", "eq", 2)], dependencies: ["c"] }),
        write("b", "x", 1, { preconditions: [pre("y", "exists")] }),
      ],
      "unknown",
    ],
    [
      "two of the same, and who is whose",
      [
        call("a", "t"),
        call("b", "t"),
        call("c", "u", { parameters: { p: "$a.output" } }),
        call("d", "v", { parameters: { p: "$b.output" } }),
      ],
      [
        call("a", "t"),
        call("b", "t"),
        call("c", "u", { parameters: { p: "$a.output" } }),
        call("d", "v", { parameters: { p: "$a.output" } }),
      ],
      "unknown",
    ],
  ])("%s", (_, a, b, expected) => {
    expect(kind(a, b)).toBe(expected);
    expect(kind(b, a)).toBe(expected);
  });

  test("a plan that does not hang together is not compared", () => {
    expect(kind([call("a", "t"), call("a", "t")], [])).toBe("broken");
  });
});

/** A plan that is like another, or nearly. */
function changed(
  data: { readonly actions: readonly ActionData[] },
  how: number,
): { readonly actions: readonly ActionData[] } {
  const actions = structuredClone(data.actions) as Record<string, unknown>[];
  const at = how % actions.length;
  const one = actions[at]!;
  switch (Math.floor(how / actions.length) % 5) {
    case 0:
      return { actions: actions.toReversed() };
    case 1:
      one.failure_behavior = "skip";
      break;
    case 2:
      one.preconditions = [];
      break;
    case 3:
      [actions[at], actions[0]] = [actions[0]!, actions[at]!];
      break;
    default:
      one.state_dependencies = [];
  }
  return { actions };
}

test("yes means the same runs, by brute force; no means a run that differs", options, () => {
  const counts = { equivalent: 0, different: 0, unknown: 0, broken: 0 };
  fc.assert(
    fc.property(
      anyPlanData({ actions: 4, keys: ["x", "y"] }),
      fc.nat(200),
      fc.array(anyState(["x", "y"]), { minLength: 2, maxLength: 3 }),
      (data, how, states) => {
        const other = readData(changed(data, how)).plan;
        const { plan } = readData(data);
        const found = equivalent(plan, other);
        counts[found.kind]++;
        if (found.kind === "equivalent") {
          for (const state of states) {
            for (const failing of ["none", "t0", "t1"]) {
              expect(allSeen(other, stateOf(state), failing)).toEqual(allSeen(plan, stateOf(state), failing));
            }
          }
        } else if (found.kind === "different") {
          const { state, runs: told } = found.difference;
          const [a, b] = [plan, other].map((one) => [...allSchedules(one, mustPrecede(one))]);
          const failed = found.difference.failing.map((text) => text.split(" ")[0]!);
          const [left, right] = [a!, b!].map(
            (schedules) =>
              new Set(schedules.map((schedule) => unordered(seen(schedule, state, failed[0] ?? "none")))),
          );
          expect([...left!].some((one) => right!.has(one))).toBe(false);
          expect(told).toHaveLength(2);
        }
      },
    ),
    { numRuns: runs(600) },
  );
  expect(counts.equivalent).toBeGreaterThan(atLeast(60));
  expect(counts.different).toBeGreaterThan(atLeast(30));
});

/** Returns the calls of a completed run in any order; for another run only that it did not complete. */
function unordered(text: string): string {
  const { ended, calls, state } = JSON.parse(text);
  return ended ? "ended" : JSON.stringify({ calls: calls.sort(), state });
}
