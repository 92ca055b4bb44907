/**
 * Checks of an action, case by case with the true answer: validity of the plan, and independence of a payment that
 * waits for the action. If a plan is valid, its run finds nothing unmet.
 */
import { describe, expect, test } from "vitest";
import { compileTools } from "../../src/frontend/index.ts";
import { equivalent, optimize, readPlan, simulate, ToolBook, verify } from "../../src/plan/index.ts";
import { readied } from "../../src/plan/strict/readied.ts";
import { type ActionData, call, pre, stateOf, write } from "./plans.ts";
import {
  codes,
  declarationsFor,
  kernelWith,
  ranPlan,
  stateAfter,
  statuses,
  toolsFor,
  tryPlan,
} from "./running.ts";

const module = `
import { fluent, type Int, tool } from "foreclaim";

export const level = fluent<string, number>({ initial: 0 });
export const find = tool({
  run: async (): Promise<{ id: string; note?: string; n: Int; x: number; tags: string[]; owner: { name: string } | null }> =>
    ({ id: "i", n: 1, x: 0.5, tags: [], owner: null }),
});
export const mark = tool({ run: async (): Promise<void> => {} });
export const take = tool({ run: async ({ n }: { n: Int }): Promise<void> => {} });
export const say = tool({ run: async ({ text, more }: { text: string; more?: string }): Promise<void> => {} });
export const send = tool({ run: async ({ to }: { to: { name: string; n: Int } }): Promise<void> => {} });
export const inc = tool({
  effects: ({ at, n }) => [level.set(at, level.get(at) + n)],
  run: async ({ at, n }: { at: string; n: number }): Promise<void> => {},
});
export const put = tool({
  effects: ({ at, n }) => [level.set(at, n)],
  run: async ({ at, n }: { at: string; n: number }): Promise<void> => {},
});
export const safe = tool({
  idempotent: true,
  effects: ({ at, n }) => [level.set(at, level.get(at) + n)],
  run: async ({ at, n }: { at: string; n: number }): Promise<void> => {},
});
export const third = tool({
  effects: ({ at }) => [level.set(at, level.get(at) / 3)],
  run: async ({ at }: { at: string }): Promise<void> => {},
});
export const spend = tool({
  requires: ({ at, n }) => level.get(at) >= n,
  effects: ({ at, n }) => [level.set(at, level.get(at) - n)],
  run: async ({ at, n }: { at: string; n: number }): Promise<void> => {},
});
export const clear = tool({
  effects: ({ at }) => (level.get(at) >= 2 ? [level.set(at, 0)] : []),
  run: async ({ at }: { at: string }): Promise<void> => {},
});
export const twin = tool({
  effects: ({ at, to }) => [level.set(to, level.get(at) + 1)],
  run: async ({ at, to }: { at: string; to: string }): Promise<void> => {},
});
export const pay = tool({ run: async (): Promise<void> => {} });
`;
const compiled = compileTools(["tools/t.ts"], {
  readFile: (path) => (path === "tools/t.ts" ? module : undefined),
});
if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
const made = ToolBook.from(compiled.value);
if (!made.ok) throw new Error(JSON.stringify(made.problems));
const book = made.value;

const read = (id: string, key: string, more: ActionData = {}): ActionData => ({
  id,
  type: "state_read",
  parameters: { key },
  ...more,
});
const assert = (id: string, key: string, operator: string, value: unknown, more: ActionData = {}) => ({
  id,
  type: "assertion",
  parameters: { key, operator, value },
  ...more,
});
const skip = { failure_behavior: "skip" };

interface Case {
  /** The last one is the one that the payment waits for. */
  readonly actions: readonly ActionData[];
  readonly state?: Readonly<Record<string, unknown>>;
  readonly declared?: true;
  /** The errors that are found; none if the plan is valid. */
  readonly errors: string;
  /** Results of undeclared tools. */
  readonly gives?: unknown;
}

const cases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  "a part of what was read": {
    "of a number": {
      actions: [read("r", "n"), write("w", "m", "$r.output.approved_by")],
      state: { n: 1 },
      errors: "FC3105",
    },
    "that is there": {
      actions: [read("r", "n"), write("w", "m", "$r.output.by")],
      state: { n: { by: "eve" } },
      errors: "",
    },
    "that is there, deep in a list": {
      actions: [read("r", "n"), write("w", "m", { all: ["$r.output.1.by"] })],
      state: { n: [1, { by: "eve" }] },
      errors: "",
    },
    "beyond the end of a list": {
      actions: [read("r", "n"), write("w", "m", ["$r.output.2"])],
      state: { n: [1, 2] },
      errors: "FC3105",
    },
    "by a name that is no number of an item": {
      actions: [read("r", "n"), write("w", "m", "$r.output.01")],
      state: { n: [1, 2] },
      errors: "FC3105",
    },
    "that only the prototype has": {
      actions: [read("r", "n"), write("w", "m", "$r.output.toString")],
      state: { n: {} },
      errors: "FC3105",
    },
    "in an effect": {
      actions: [read("r", "n"), write("w", "m", 1, { expected_effects: { o: "$r.output.by" } })],
      state: { n: "text" },
      errors: "FC3105",
    },
    "among parameters that nobody looks at": {
      actions: [
        read("r", "n"),
        { id: "w", type: "state_read", parameters: { key: "n", note: "$r.output.x" } },
      ],
      state: { n: 1 },
      errors: "FC3105",
    },
    "that may have been written or not": {
      actions: [
        write("a", "n", { by: "eve" }, { ...skip, preconditions: [pre("k", "eq", 1)] }),
        read("r", "n"),
        write("w", "m", "$r.output.by"),
      ],
      state: { n: 1, k: 2 },
      errors: "FC3101 FC3105",
    },
    "of what a tool gave, by way of the state": {
      actions: [
        call("a", "t"),
        write("b", "n", "$a.output"),
        read("r", "n"),
        write("w", "m", "$r.output.by"),
      ],
      state: {},
      errors: "FC3105",
    },
    "of a write": {
      actions: [write("a", "n", 1), write("w", "m", "$a.output.x")],
      state: {},
      errors: "FC3105",
    },
    "of an assertion": {
      actions: [assert("a", "n", "exists", null), write("w", "m", "$a.output.x")],
      state: { n: 1 },
      errors: "FC3105",
    },
    "of a tool that nobody declares, which gives it": {
      actions: [call("a", "t"), write("w", "m", "$a.output.x.y")],
      state: {},
      gives: { x: { y: 1 } },
      errors: "",
    },
  },
  "a part of what a declared tool gives": {
    "that is always there": {
      actions: [call("a", "t.find"), write("w", "m", "$a.output.id")],
      declared: true,
      state: {},
      errors: "",
    },
    "that is optional": {
      actions: [call("a", "t.find"), write("w", "m", "$a.output.note")],
      declared: true,
      state: {},
      errors: "FC3105",
    },
    "that it does not have": {
      actions: [call("a", "t.find"), write("w", "m", "$a.output.nobody")],
      declared: true,
      state: {},
      errors: "FC3105",
    },
    "of something that may be null": {
      actions: [call("a", "t.find"), write("w", "m", "$a.output.owner.name")],
      declared: true,
      state: {},
      errors: "FC3105",
    },
    "of a list that may be short": {
      actions: [call("a", "t.find"), write("w", "m", "$a.output.tags.0")],
      declared: true,
      state: {},
      errors: "FC3105",
    },
    "of a text": {
      actions: [call("a", "t.find"), write("w", "m", "$a.output.id.length")],
      declared: true,
      state: {},
      errors: "FC3105",
    },
    "of nothing": {
      actions: [call("a", "t.mark"), write("w", "m", "$a.output.id")],
      declared: true,
      state: {},
      errors: "FC3105",
    },
    "nothing itself": {
      actions: [call("a", "t.mark"), write("w", "m", "$a.output")],
      declared: true,
      state: {},
      errors: "",
    },
  },
  "a read of what a skipped call may have set": {
    "that was there before": {
      actions: [call("a", "bad", { ...skip, expected_effects: { x: 1 } }), read("w", "x")],
      state: { x: 0 },
      errors: "FC3103",
    },
    "to the same value": {
      actions: [call("a", "bad", { ...skip, expected_effects: { x: 0 } }), read("w", "x")],
      state: { x: 0 },
      errors: "FC3103",
    },
    "and somebody has written since": {
      actions: [call("a", "t", { ...skip, expected_effects: { x: 1 } }), write("b", "x", 2), read("w", "x")],
      state: { x: 0 },
      errors: "",
    },
    "by two calls": {
      actions: [
        call("a", "t", { ...skip, expected_effects: { x: 1 } }),
        call("b", "u", { ...skip, expected_effects: { x: 1 } }),
        read("w", "x"),
      ],
      state: { x: 0 },
      errors: "FC3103",
    },
    "in an earlier run": {
      actions: [read("w", "x")],
      state: { x: 0, "unknown x": { why: "a call failed", may: [1] } },
      errors: "FC3103",
    },
    "of a declared tool": {
      actions: [call("a", "t.put", { ...skip, parameters: { at: "a", n: 1 } }), read("w", "t.level[a]")],
      declared: true,
      state: { "t.level[a]": 0 },
      errors: "FC3103",
    },
    "where a condition holds whichever way it went": {
      actions: [
        call("a", "t", { ...skip, expected_effects: { x: 1 } }),
        write("w", "y", 1, { preconditions: [pre("x", "gte", 0)] }),
      ],
      state: { x: 0 },
      errors: "",
    },
    "so often that nobody keeps count, and only asks for it to be there": {
      actions: [
        ...Array.from({ length: 9 }, (_, i) =>
          call(`a${i}`, `t${i}`, { ...skip, expected_effects: { x: i } }),
        ),
        write("w", "y", 1, { state_dependencies: ["x"] }),
      ],
      state: { x: 0 },
      errors: "FC3103",
    },
    "where a whole fluent is in doubt, also after a call has set it": {
      actions: [
        call("a", "t.put", { parameters: { at: "a", n: 1 } }),
        write("w", "y", 1, { preconditions: [pre("t.level[a]", "eq", 1)] }),
      ],
      declared: true,
      state: { "unknown t.level": "somebody said so" },
      errors: "FC3102",
    },
    "as a mark itself": {
      actions: [
        call("a", "t", { ...skip, expected_effects: { x: 1 } }),
        write("w", "y", 1, { preconditions: [pre("unknown x", "not_exists")], dependencies: ["a"] }),
      ],
      state: { x: 0 },
      errors: "FC3102",
    },
  },
  "what a tool can receive": {
    "a text for an integer": {
      actions: [call("a", "t.find"), call("w", "t.take", { parameters: { n: "$a.output.id" } })],
      declared: true,
      state: {},
      errors: "FC3201",
    },
    "a number for an integer": {
      actions: [call("a", "t.find"), call("w", "t.take", { parameters: { n: "$a.output.x" } })],
      declared: true,
      state: {},
      errors: "FC3201",
    },
    "an integer for an integer": {
      actions: [call("a", "t.find"), call("w", "t.take", { parameters: { n: "$a.output.n" } })],
      declared: true,
      state: {},
      errors: "",
    },
    "something that may be null for an optional text": {
      actions: [
        call("a", "t.find"),
        call("w", "t.say", { parameters: { text: "$a.output.id", more: "$a.output.owner" } }),
      ],
      declared: true,
      state: {},
      errors: "FC3201",
    },
    "what was read, of another type": {
      actions: [read("r", "n"), call("w", "t.take", { parameters: { n: "$r.output" } })],
      declared: true,
      state: { n: 0.5 },
      errors: "FC3201",
    },
    "what was read, of its type": {
      actions: [read("r", "n"), call("w", "t.take", { parameters: { n: "$r.output" } })],
      declared: true,
      state: { n: 5 },
      errors: "",
    },
    "an object with a part of another type": {
      actions: [
        call("a", "t.find"),
        call("w", "t.send", { parameters: { to: { name: "$a.output.id", n: "one" } } }),
      ],
      declared: true,
      state: {},
      errors: "FC3201",
    },
    "an object without a part": {
      actions: [call("a", "t.find"), call("w", "t.send", { parameters: { to: { name: "$a.output.id" } } })],
      declared: true,
      state: {},
      errors: "FC3201",
    },
    "an object that fits": {
      actions: [
        call("a", "t.find"),
        call("w", "t.send", { parameters: { to: { name: "$a.output.id", n: "$a.output.n" } } }),
      ],
      declared: true,
      state: {},
      errors: "",
    },
    "an integer that is too big": {
      actions: [call("w", "t.take", { parameters: { n: "<9007199254740993>" } })],
      declared: true,
      state: {},
      errors: "FC3201",
    },
    "a number that no JavaScript number equals": {
      actions: [call("w", "t", { parameters: { n: ["<0.1000000000000000000001>"] } })],
      state: {},
      errors: "FC3201",
    },
    "such a number that was read": {
      actions: [
        write("a", "n", "<0.1000000000000000000001>"),
        read("r", "n"),
        call("w", "t", { parameters: { n: "$r.output" } }),
      ],
      state: {},
      errors: "FC3201",
    },
    "a big integer, for a tool that takes a bigint": {
      actions: [call("w", "t", { parameters: { n: "<9007199254740993>" } })],
      state: {},
      errors: "",
    },
  },
  "what a tool sets": {
    "a third": {
      actions: [call("w", "t.third", { parameters: { at: "a" } })],
      declared: true,
      state: { "t.level[a]": 1 },
      errors: "FC3206",
    },
    "a third of three": {
      actions: [call("w", "t.third", { parameters: { at: "a" } })],
      declared: true,
      state: { "t.level[a]": 3 },
      errors: "",
    },
    "a sum with what is no number": {
      actions: [call("w", "t.inc", { parameters: { at: "a", n: 1 } })],
      declared: true,
      state: { "t.level[a]": "much" },
      errors: "FC3206",
    },
    "a sum with what is not known": {
      actions: [call("w", "t.inc", { parameters: { at: "a", n: 1 } })],
      declared: true,
      errors: "FC3206",
    },
    "a sum with an output": {
      actions: [call("a", "t.find"), call("w", "t.inc", { parameters: { at: "a", n: "$a.output.x" } })],
      declared: true,
      state: {},
      errors: "",
    },
  },
  "an assertion of an output": {
    "that differs": {
      actions: [read("r", "n"), assert("w", "m", "neq", "$r.output")],
      state: { n: 1, m: 1 },
      errors: "FC3104",
    },
    "that is the same": {
      actions: [read("r", "n"), assert("w", "m", "eq", "$r.output")],
      state: { n: 1, m: 1 },
      errors: "",
    },
    "of a part that is less": {
      actions: [read("r", "n"), assert("w", "m", "lt", "$r.output.most")],
      state: { n: { most: 5 }, m: 5 },
      errors: "FC3104",
    },
    "of a part that is more": {
      actions: [read("r", "n"), assert("w", "m", "lt", "$r.output.most")],
      state: { n: { most: 5 }, m: 4 },
      errors: "",
    },
    "in a list": {
      actions: [read("r", "n"), assert("w", "m", "eq", ["$r.output", 2])],
      state: { n: 1, m: [1, 2] },
      errors: "",
    },
    "that contains it": {
      actions: [read("r", "n"), assert("w", "m", "contains", "$r.output")],
      state: { n: "x", m: ["$r.output"] },
      errors: "FC3104",
    },
    "by its other name": {
      actions: [
        read("r", "n"),
        { id: "w", type: "assertion", parameters: { key: "m", operator: "neq", expected: "$r.output" } },
      ],
      state: { n: 1, m: 1 },
      errors: "FC3104",
    },
    "that only a run tells": {
      actions: [call("a", "t"), assert("w", "m", "neq", "$a.output")],
      state: { m: 1 },
      errors: "FC3104",
    },
    "of a part that is not there": {
      actions: [read("r", "n"), assert("w", "m", "exists", "$r.output.x")],
      state: { n: 1, m: 1 },
      errors: "FC3105",
    },
    "as its key": {
      actions: [read("r", "n"), assert("w", "$r.output", "exists", null)],
      state: { n: "m", "$r.output": 1, m: 1 },
      errors: "FC3004",
    },
  },
  "what no kernel keeps": {
    "negative zero": { actions: [write("w", "m", "<-0>")], state: {}, errors: "FC3111" },
    "a number of 400 digits": { actions: [write("w", "m", "<1e400>")], state: {}, errors: "FC3111" },
    "half of a surrogate pair": { actions: [write("w", "m", "\ud800")], state: {}, errors: "FC3111" },
    "half of one as the name of a field": {
      actions: [write("w", "m", [{ "\udc00": 1 }])],
      state: {},
      errors: "FC3111",
    },
    "half of one in the key of an assertion": {
      actions: [assert("w", "\ud800", "not_exists", null)],
      state: {},
      errors: "FC3111",
    },
    "a key of Unicode text that is read": { actions: [read("w", "😀")], state: { "😀": 1 }, errors: "" },
    "an empty key": { actions: [write("w", "", 1)], state: {}, errors: "FC3111" },
    "a key that is too long": { actions: [write("w", "k".repeat(513), 1)], state: {}, errors: "FC3111" },
    "a key that is not too long": { actions: [write("w", "k".repeat(512), 1)], state: {}, errors: "" },
    "an effect": {
      actions: [write("w", "m", 1, { expected_effects: { o: "<-0>" } })],
      state: {},
      errors: "FC3111",
    },
    "an effect of a read": {
      actions: [read("w", "n", { expected_effects: { "": 1 } })],
      state: { n: 1 },
      errors: "FC3111",
    },
    "with skip": { actions: [write("w", "m", "<1e400>", skip)], state: {}, errors: "FC3111" },
    "beside an output": {
      actions: [read("r", "n"), write("w", "m", ["$r.output", "<-0>"])],
      state: { n: 1 },
      errors: "FC3111",
    },
    "what a call hands over": {
      actions: [call("w", "t", { parameters: { p: "<-0>" } })],
      state: {},
      errors: "FC3111",
    },
    "what makes up for a call": {
      actions: [call("w", "t", { compensation: { type: "tool", tool: "u", parameters: { p: "\ud800" } } })],
      state: {},
      errors: "FC3111",
    },
    "the name of a tool": { actions: [call("w", "t".repeat(600))], state: {}, errors: "FC3111" },
  },
  "a call that is tried again": {
    "and adds": {
      actions: [
        call("a", "t.inc", { failure_behavior: "retry", parameters: { at: "a", n: 5 } }),
        write("w", "m", 1, { preconditions: [pre("t.level[a]", "eq", 5)] }),
      ],
      declared: true,
      state: {},
      errors: "FC3102",
    },
    "and adds, and somebody reads": {
      actions: [
        call("a", "t.inc", { failure_behavior: "retry", max_retries: 1, parameters: { at: "a", n: 5 } }),
        read("w", "t.level[a]"),
      ],
      declared: true,
      state: {},
      errors: "FC3103",
    },
    "and adds, where any sum will do": {
      actions: [
        call("a", "t.inc", { failure_behavior: "retry", max_retries: 1, parameters: { at: "a", n: 5 } }),
        write("w", "m", 1, { preconditions: [pre("t.level[a]", "lte", 10)] }),
      ],
      declared: true,
      state: {},
      errors: "",
    },
    "and sets": {
      actions: [
        call("a", "t.put", { failure_behavior: "retry", parameters: { at: "a", n: 5 } }),
        read("b", "t.level[a]"),
        write("w", "m", 1, { preconditions: [pre("t.level[a]", "eq", 5)] }),
      ],
      declared: true,
      state: {},
      errors: "",
    },
    "and does no harm": {
      actions: [
        call("a", "t.safe", { failure_behavior: "retry", parameters: { at: "a", n: 5 } }),
        write("w", "m", 1, { preconditions: [pre("t.level[a]", "eq", 5)] }),
      ],
      declared: true,
      state: {},
      errors: "",
    },
    "without what it requires": {
      actions: [
        call("w", "t.spend", { failure_behavior: "retry", max_retries: 1, parameters: { at: "a", n: 5 } }),
      ],
      declared: true,
      state: { "t.level[a]": 9 },
      errors: "FC3202",
    },
    "with what it requires": {
      actions: [
        call("w", "t.spend", { failure_behavior: "retry", max_retries: 1, parameters: { at: "a", n: 5 } }),
      ],
      declared: true,
      state: { "t.level[a]": 10 },
      errors: "",
    },
    "and another call works nothing out from it": {
      actions: [
        call("a", "t.put", { ...skip, parameters: { at: "a", n: 1 } }),
        call("b", "t.clear", { parameters: { at: "a" } }),
        write("w", "x", 0, { state_dependencies: ["t.level[a]"] }),
      ],
      declared: true,
      state: { "t.level[a]": 0 },
      errors: "FC3103",
    },
    "and another call works nothing out from it for another cell": {
      actions: [
        call("a", "t.put", { ...skip, parameters: { at: "a", n: 1 } }),
        call("b", "t.twin", { parameters: { at: "a", to: "b" } }),
        write("w", "x", 0, { preconditions: [pre("t.level[b]", "exists")] }),
      ],
      declared: true,
      state: { "t.level[a]": 1 },
      errors: "FC3102",
    },
    "and a call that sets it whatever it holds makes it known": {
      actions: [
        call("a", "t.put", { ...skip, parameters: { at: "a", n: 1 } }),
        call("b", "t.put", { parameters: { at: "a", n: 2 } }),
        call("c", "t.clear", { parameters: { at: "a" } }),
        write("w", "x", 0, { preconditions: [pre("t.level[a]", "eq", 0)] }),
      ],
      declared: true,
      state: { "t.level[a]": 0 },
      errors: "",
    },
    "and what it is claimed to set is what the reference stands for": {
      actions: [
        write("s", "x", 1),
        call("a", "t.pay", { expected_effects: { x: "$s.output" } }),
        assert("w", "x", "neq", "$s.output"),
      ],
      declared: true,
      state: {},
      errors: "FC3104",
    },
    "and a claim that refers to what the tool sets says nothing else": {
      actions: [
        write("s", "n", 1),
        read("r", "n"),
        call("w", "t.put", {
          parameters: { at: "a", n: 1 },
          expected_effects: { "t.level[a]": "$r.output" },
        }),
      ],
      declared: true,
      state: {},
      errors: "",
    },
    "by an output, and each time more": {
      actions: [
        call("f", "t.find"),
        call("a", "t.inc", { failure_behavior: "retry", parameters: { at: "a", n: "$f.output.n" } }),
        read("w", "t.level[a]"),
      ],
      declared: true,
      state: {},
      errors: "FC3103",
    },
    "to an output, which stays the same": {
      actions: [
        call("f", "t.find"),
        call("a", "t.put", { failure_behavior: "retry", parameters: { at: "a", n: "$f.output.n" } }),
        read("w", "t.level[a]"),
      ],
      declared: true,
      state: {},
      errors: "",
    },
    "and nothing is left of retries": {
      actions: [
        call("a", "t.inc", { failure_behavior: "retry", max_retries: 0, parameters: { at: "a", n: 5 } }),
        read("w", "t.level[a]"),
      ],
      declared: true,
      state: {},
      errors: "",
    },
  },
};

const [longest, tooLong] = ["k".repeat(504), "k".repeat(505)];

/** `"<-0>"` is the number, which JSON of JavaScript cannot write. */
function planFrom(actions: readonly ActionData[]) {
  const read = readPlan(JSON.stringify({ actions }).replaceAll(/"<([^"]*)>"/g, "$1"));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.plan;
}

function withPayment({ actions, declared }: Case) {
  const pay = call("pay", declared === true ? "t.pay" : "pay");
  const last = actions.at(-1)?.id;
  return {
    behind: planFrom([...actions, { ...pay, dependencies: [last] }]),
    before: planFrom([...actions, pay]),
  };
}

/** Results of the declared tools. */
const results: Readonly<Record<string, unknown>> = {
  "t.find": { id: "i", n: 1, x: 0.5, tags: [], owner: null },
};

describe.each(Object.entries(cases))("%s", (_, some) => {
  describe.each(Object.entries(some))("%s", (_name, one) => {
    const { state, errors, declared, gives } = one;
    const { behind, before } = withPayment(one);
    const given = { ...(declared && { book }), ...(state && { state: stateOf(state) }) };

    test("is valid, or what is wrong is found", () => {
      const { valid, findings } = verify(behind, given);
      const found = findings.filter(({ severity }) => severity === "error").map(({ code }) => code);
      expect(found.join(" ")).toBe(errors);
      expect(valid).toBe(errors === "");
    });

    test("is blocked in a simulation, or not", () => {
      const found = simulate(behind, given);
      const blocked = found.kind === "broken" ? 1 : found.simulation.blocked.length;
      expect(blocked > 0).toBe(errors !== "");
    });

    test("no payment is let out from behind what may end the plan", () => {
      if (errors === "") return;
      const options = declared ? { book } : {};
      expect(equivalent(behind, before, options).kind).not.toBe("equivalent");
      const better = optimize(behind, given);
      expect(["invalid", "broken"]).toContain(better.kind);
    });

    test("the run of a valid plan finds nothing unmet, and of another does not begin", async () => {
      // A run knows its state.
      if (state === undefined) return;
      // A document has shorter names.
      if (behind.actions.some(({ tool = "" }) => tool.length > 256)) return;
      const tools = Object.fromEntries(
        behind.actions.flatMap(({ tool }) =>
          tool === undefined
            ? []
            : [[tool, () => (tool in results ? results[tool] : declared ? undefined : (gives ?? null))]],
        ),
      );
      const kernel = await kernelWith({ state });
      const declarations = declared ? compiled.value : declarationsFor(behind, toolsFor(behind, tools));
      const result = await tryPlan(behind, { kernel, tools, declarations });
      // What a plan claims of a call counts for nothing in a run.
      const said = ToolBook.from(declarations);
      if (!said.ok) throw new Error(JSON.stringify(said.problems));
      const { valid } = verify(behind, { state: stateOf(state), book: said.value });
      if (declared) expect(valid).toBe(errors === "");
      // A proof assumes the initial values of fluents.
      if (!result.ok && codes(result).includes("FC4502")) return;
      expect(result.ok).toBe(valid);
      if (result.ok) expect([result.value.kind, codes(result.value)]).toEqual(["done", ""]);
    });
  });
});

describe("a result without what actions refer to", () => {
  test.each<[string, unknown, string]>([
    ["a part that is not there", { other: 1 }, "no `id`"],
    ["null", null, "no `id`"],
  ])("ends the plan at its call: %s", async (_, gives, why) => {
    let paid = 0;
    const undone: unknown[] = [];
    const plan = planFrom([
      call("a", "t"),
      write("w", "m", "$a.output.id"),
      call("pay", "pay", { dependencies: ["w"] }),
    ]);
    const better = optimize(plan, { state: new Map() });
    if (better.kind !== "optimized" && better.kind !== "unchanged") throw new Error(better.kind);
    for (const one of [plan, better.plan]) {
      const run = await ranPlan(one, {
        tools: { t: { run: () => gives, undo: () => void undone.push(1) }, pay: () => void paid++ },
      });
      expect([run.kind, codes(run), paid]).toEqual(["stopped", "FC1505", 0]);
      expect(run.endedBy?.message).toContain(why);
      expect([statuses(run), stateAfter(run)]).toEqual(["a rolled back, w not reached, pay not reached", {}]);
    }
    // It happened, so it is compensated.
    expect(undone).toHaveLength(2);
  });

  test("of which a number is too big for another tool", async () => {
    const plan = planFrom([call("a", "t.find"), call("b", "t.take", { parameters: { n: "$a.output.n" } })]);
    const big = { id: "i", n: 2n ** 60n, x: 0.5, tags: [], owner: null };
    const run = await ranPlan(plan, { tools: { "t.find": () => big }, declarations: compiled.value });
    expect([run.kind, codes(run), statuses(run)]).toEqual([
      "stopped",
      "FC1507 FC4511",
      "a done, b not reached",
    ]);
  });
});

describe("a call that may have happened twice", () => {
  const twice = (tool: string, more: ActionData = {}) =>
    planFrom([
      call("a", tool, { failure_behavior: "retry", max_retries: 2, parameters: { at: "a", n: 5 }, ...more }),
    ]);
  const failing = (times: number, thrown: () => Error) => {
    let left = times;
    return () => {
      if (left-- > 0) throw thrown();
    };
  };
  const notDone = () => Object.assign(new Error("no network"), { name: "NotDone" });

  test.each<[string, string, number, () => Error, Record<string, unknown>]>([
    ["once", "t.inc", 0, () => new Error("x"), { "t.level[a]": 5 }],
    [
      "twice",
      "t.inc",
      1,
      () => new Error("x"),
      {
        "unknown t.level[a]": { reason: "set from the unknown", args: { tool: "t.inc" } },
      },
    ],
    [
      "up to three times",
      "t.inc",
      2,
      () => new Error("x"),
      {
        "unknown t.level[a]": { reason: "set from the unknown", args: { tool: "t.inc" } },
      },
    ],
    ["once for sure", "t.put", 1, notDone, { "t.level[a]": 5 }],
    ["to the same value", "t.put", 1, () => new Error("x"), { "t.level[a]": 5 }],
    [
      "and does no harm",
      "t.safe",
      1,
      () => new Error("x"),
      { "unknown t.level[a]": { reason: "set from the unknown", args: { tool: "t.safe" } } },
    ],
  ])("%s", async (_, tool, times, thrown, left) => {
    const tools = { [tool]: failing(times, thrown) };
    const run = await ranPlan(twice(tool), { tools, declarations: compiled.value });
    expect([run.kind, stateAfter(run)]).toEqual(["done", left]);
  });

  test("and fails at last leaves every value possible", async () => {
    const plan = twice("t.inc", { max_retries: 1 });
    const run = await ranPlan(plan, {
      tools: { "t.inc": failing(9, () => new Error("x")) },
      declarations: compiled.value,
    });
    expect(stateAfter(run)).toEqual({
      "unknown t.level[a]": { reason: "set from the unknown", args: { tool: "t.inc" } },
    });
  });

  test("and is taken back once leaves it unknown", async () => {
    const plan = planFrom([
      call("a", "t.inc", { failure_behavior: "retry", parameters: { at: "a", n: 5 } }),
      call("b", "t.mark", { dependencies: ["a"] }),
    ]);
    const run = await ranPlan(plan, {
      tools: {
        "t.inc": { run: failing(1, () => new Error("x")), undo: () => {} },
        "t.mark": failing(9, notDone),
      },
      declarations: compiled.value,
    });
    expect([run.kind, codes(run)]).toEqual(["stopped", "FC1504"]);
    expect(Object.keys(stateAfter(run))).toEqual(["unknown t.level[a]"]);
  });
});

test("a mark of its own keeps no stopped run from putting the state back", async () => {
  const bad = () => {
    throw new Error("no");
  };
  const sets = (to: number) => ({ parameters: { sets: "x", to } });
  const plan = planFrom([
    call("a", "bad", { ...skip, ...sets(1) }),
    write("w", "y", 2),
    call("b", "worse", { ...sets(3), dependencies: ["w", "a"] }),
  ]);
  const run = await ranPlan(plan, { state: { "s[x]": 0, y: 0 }, tools: { bad, worse: bad } });
  expect([run.kind, codes(run), statuses(run)]).toEqual([
    "stopped",
    "FC1504",
    "a skipped, w rolled back, b failed",
  ]);
  // As it was, and both calls may have happened.
  expect(stateAfter(run)).toEqual({
    "s[x]": 0,
    y: 0,
    "unknown s[x]": { why: { reason: "call failed", args: { tool: "worse" } }, may: [1, 3] },
  });
});

describe("what a kernel refuses ends the plan only if all else is met", () => {
  const simulated = (actions: readonly ActionData[], state?: Record<string, unknown>) => {
    const found = simulate(planFrom(actions), state ? { state: stateOf(state) } : {});
    if (found.kind === "broken") throw new Error("broken");
    const { blocked, unreached } = found.simulation;
    return [
      ...blocked.map(
        ({ actionId, always, endsPlan }) =>
          `${actionId} ${always ? "always" : "maybe"}${endsPlan ? " ends" : ""}`,
      ),
      ...unreached.map((id) => `${id} unreached`),
    ].join(", ");
  };
  const refused = (more: ActionData) => write("s", "x", "<-0>", { ...skip, ...more });

  test.each<[string, ActionData, Record<string, unknown> | undefined, string]>([
    ["nothing else is asked", {}, {}, "s always ends, r unreached"],
    ["a precondition holds", { preconditions: [pre("y", "eq", 1)] }, { y: 1 }, "s always ends, r unreached"],
    ["a precondition fails", { preconditions: [pre("y", "eq", 1)] }, { y: 2 }, "s always, r always ends"],
    [
      "a precondition may fail",
      { preconditions: [pre("y", "eq", 1)] },
      undefined,
      "s maybe ends, r maybe ends",
    ],
    ["a dependency is missing", { state_dependencies: ["y"] }, {}, "s always, r always ends"],
  ])("%s", (_, more, state, expected) => {
    expect(simulated([refused(more), read("r", "x", { dependencies: ["s"] })], state)).toBe(expected);
  });

  test("a reference is missing", () => {
    const actions = [
      read("a", "y", skip),
      refused({ expected_effects: { z: "$a.output" } }),
      read("r", "x", { dependencies: ["s"] }),
    ];
    expect(simulated(actions, {})).toBe("a always, s always, r always ends");
  });
});

describe("marks in the state at the start", () => {
  const saidOf = (actions: readonly ActionData[], state: Record<string, unknown>) => {
    const given = { state: stateOf(state) };
    const found = simulate(planFrom(actions), given);
    if (found.kind === "broken") throw new Error("broken");
    const known = Object.fromEntries(found.simulation.state);
    expect(Object.fromEntries(verify(planFrom(actions), given).state)).toEqual(known);
    return [Object.keys(known).sort().join(" "), [...found.simulation.unknown].sort().join(" ")];
  };
  const other = [write("w", "y", 1)];

  test.each<[string, readonly ActionData[], Record<string, unknown>, string, string]>([
    ["of a key that is set", [write("w", "x", 0)], { "unknown x": "nobody knows" }, "x", ""],
    ["of a key that is not named", other, { x: 0, "unknown x": "nobody knows" }, "y", "x"],
    ["of a key that is absent", other, { "unknown x": "nobody knows" }, "y", "x"],
    ["that say what it may be", other, { x: 0, "unknown x": { why: "w", may: [1] } }, "y", "x"],
    ["of a whole fluent", other, { "f[a]": 1, g: 2, "unknown f": "nobody knows" }, "g y", "f f[a]"],
    ["of keys that policies keep", other, { "limit z": 1 }, "y", "limit z"],
  ])("%s", (_, actions, state, known, unknown) => {
    expect(saidOf(actions, state)).toEqual([known, unknown]);
  });
});

describe("a key that is too long to be marked", () => {
  const bad = () => {
    throw new Error("no");
  };
  const setting = (key: string) => planFrom([call("a", "bad", { ...skip, expected_effects: { [key]: 0 } })]);

  test("is set by no call", async () => {
    const plan = setting(tooLong);
    expect(codes({ problems: verify(plan).findings })).toBe("FC3111");
    // The run finds it by itself, too: it may have been begun before.
    const around = { cells: await kernelWith(), outputs: new Map(), book: undefined };
    const [action] = plan.actions;
    if (action === undefined) throw new Error("no action");
    expect(readied(action, around).kind).toBe("unmet");
  });

  test("is set by a `state_write`, and a shorter one by a call that fails", async () => {
    const run = await ranPlan(planFrom([write("w", tooLong, 0)]));
    expect([run.kind, Object.keys(stateAfter(run))]).toEqual(["done", [tooLong]]);
    const key = longest.slice("s[]".length);
    const sets = planFrom([call("a", "bad", { ...skip, parameters: { sets: key, to: 0 } })]);
    const failed = await ranPlan(sets, { tools: { bad } });
    expect([statuses(failed), Object.keys(stateAfter(failed))]).toEqual(["a skipped", [`unknown s[${key}]`]]);
  });
});

describe("an output that what undoes a call refers to", () => {
  const undoing = { compensation: { type: "tool", tool: "undo", parameters: { v: "$w.output" } } };
  const plan = (more: ActionData) =>
    planFrom([
      write("w", "x", 0),
      call("a", "p", { ...more, ...undoing }),
      call("b", "q", { dependencies: ["a"] }),
    ]);

  test("is there by then in both of two plans, or they are not equivalent", () => {
    const kind = equivalent(plan({ dependencies: ["w"] }), plan({})).kind;
    expect(kind).not.toBe("equivalent");
    expect(equivalent(plan({ dependencies: ["w"] }), plan({ dependencies: ["w"] })).kind).toBe("equivalent");
  });

  test("is waited for in a better plan too", () => {
    const better = optimize(plan({ dependencies: ["w"] }), { state: new Map() });
    expect(better.kind).toBe("unchanged");
  });

  test("also through another action", () => {
    const byAction = (more: ActionData) =>
      planFrom([
        write("w", "x", 0),
        write("u", "y", "$w.output"),
        call("a", "p", { ...more, compensation: { type: "action_ref", action_id: "u" } }),
      ]);
    expect(equivalent(byAction({ dependencies: ["w"] }), byAction({})).kind).not.toBe("equivalent");
  });
});
