import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { limitArgument } from "./limit-clause.ts";
import { policyLimits, readPolicy } from "./read-policy.ts";

const good = {
  name: "small",
  decision: "auto_approved",
  whenProven: ["bank.maxSpend(500)"],
  reason: "little money",
};
const limit = { name: "mail", clause: "email.atMost(?)", atMost: 10, per: "day" };
const read = (value: unknown) => readPolicy(typeof value === "string" ? value : JSON.stringify(value));
const withRule = (rule: object) => read({ version: 1, rules: [rule] });
const problems = (found: ReturnType<typeof readPolicy>) =>
  found.ok ? [] : found.problems.map(({ code, message }) => `${code} ${message}`);

test("a policy", () => {
  const found = read({
    version: 1,
    rules: [good, { ...good, name: "b", whenProven: undefined, unlessProven: ["a.b()", "c.d(1)"] }],
  });
  expect(found.ok && found.value.policy).toEqual({
    version: 1,
    rules: [
      {
        name: "small",
        decision: "auto_approved",
        when: "whenProven",
        clauses: good.whenProven,
        limits: [],
        reason: good.reason,
      },
      {
        name: "b",
        decision: "auto_approved",
        when: "unlessProven",
        clauses: ["a.b()", "c.d(1)"],
        limits: [],
        reason: good.reason,
      },
    ],
  });
  const limited = withRule({ ...good, limits: [limit] });
  expect(limited.ok && limited.value.policy.rules[0]?.limits).toEqual([limit]);
  const named = withRule({ ...good, tools: ["bank.pay"] });
  expect(named.ok && named.value.policy.rules[0]?.tools).toEqual(["bank.pay"]);
  expect(read({ version: 1, rules: [] }).ok).toBe(true);
  for (const change of [{}, { whenProven: undefined, unlessProven: ["a.b()"] }]) {
    const whole = withRule({ ...good, ...change, stops: "allowed" });
    expect(whole.ok && whole.value.policy.rules[0]?.stops).toBe("allowed");
  }
  const rejecting = { decision: "auto_rejected", whenProven: undefined, unlessProven: ["a.b()"] };
  expect(withRule({ ...good, ...rejecting, stops: "allowed" }).ok).toBe(true);
});

/** The schema covers the shape only; the reader also checks clause texts and rule names. */
test("the schema takes what the reader takes, and refuses the same shapes", () => {
  const schema: object = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../schema/policy-1.schema.json"), "utf8"),
  );
  const isValid = new Ajv2020({ strict: false }).compile(schema);
  const rejecting = { ...good, decision: "auto_rejected" };
  const { whenProven, ...bare } = rejecting;
  const rules: readonly object[] = [
    good,
    { ...good, stops: "allowed", limits: [limit], tools: [] },
    rejecting,
    { ...bare, unlessProven: whenProven, stops: "allowed" },
    { ...good, stops: "forbidden" },
    { ...good, stops: true },
    { ...good, stops: null },
    { ...good, stop: "allowed" },
    { ...rejecting, stops: "allowed" },
    { ...rejecting, tools: [] },
    { ...rejecting, limits: [limit] },
    bare,
    { ...good, unlessProven: whenProven },
    { ...good, whenProven: [] },
    { ...good, reason: " " },
    { ...good, limits: [{ ...limit, clause: "a.b([?])" }] },
    { ...good, limits: [{ ...limit, clause: "a.b('?', 5)" }] },
    { ...good, limits: [{ ...limit, atMost: -1 }] },
    { ...good, limits: [{ ...limit, per: "year" }] },
  ];
  const taken = rules.map((rule) => withRule(rule).ok);
  expect(rules.map((rule) => isValid({ version: 1, rules: [rule] }))).toEqual(taken);
  expect(taken.filter((one) => one)).toHaveLength(4);
});

describe("the `?` of a limit", () => {
  test.each([
    ["email.atMost(?)", 0],
    ["email.atMost( ? )", 0],
    ["bank.maxTo('ann', ?)", 1],
    ['bank.maxTo("it\'s, \\"ann", ?, [1, 2])', 1],
    ["bank.maxTo([1, [2, 3]], { a: 1, b: 2 }, ?)", 2],
  ])("%s is argument %d", (clause, at) => {
    expect(limitArgument(clause)).toBe(at);
    expect(withRule({ ...good, limits: [{ ...limit, clause }] }).ok).toBe(true);
  });
  test.each([
    "bank.maxTo('?', 5)",
    'bank.maxTo("?", 5)',
    "bank.maxTo('a, ?, b', 5)",
    "bank.maxTo('it\\', ?, ', 5)",
    "bank.maxTo('?', ?)",
    "bank.only([?])",
    "bank.only({ a: ? })",
    "bank.maxSpend(-?)",
    "bank.maxSpend(1?)",
    "bank.maxSpend(? + 1)",
    "bank.maxSpend?(1)",
    "bank.maxSpend(1)?",
    "?",
    "(?",
  ])("is not one of the arguments of %s", (clause) => {
    expect(limitArgument(clause)).toBeUndefined();
    expect(problems(withRule({ ...good, limits: [{ ...limit, clause }] })).join()).toContain("FC1102");
  });
});

describe("what is refused", () => {
  const { name: _name, ...nameless } = good;
  const { reason: _reason, ...unreasoned } = good;
  const { whenProven: _clauses, ...unconditional } = good;
  test.each<[string, unknown, string]>([
    ["no JSON", "{", "FC1101"],
    ["no object", [], "FC1102 a policy is an object"],
    ["no version", { rules: [] }, "FC1103 a policy needs `version`"],
    ["another version", { version: 2, rules: [] }, "FC1006 the version of a policy is 1"],
    ["a version as text", { version: "1", rules: [] }, "FC1006"],
    ["no rules", { version: 1 }, "FC1103 a policy needs `rules`"],
    ["rules that are no list", { version: 1, rules: {} }, "FC1102"],
    ["another field", { version: 1, rules: [], rule: [] }, "FC1104 a policy has no field `rule`"],
    ["a rule that is no object", { version: 1, rules: ["all"] }, "FC1102 a rule is an object"],
    ["a rule without a name", { version: 1, rules: [nameless] }, "FC1103 a rule needs `name`"],
    ["a rule without a reason", { version: 1, rules: [unreasoned] }, "FC1103 a rule needs `reason`"],
    [
      "a rule without a condition",
      { version: 1, rules: [unconditional] },
      "FC1103 a rule needs `whenProven`",
    ],
    ["a misspelt condition", { version: 1, rules: [{ ...unconditional, whenProved: ["a.b()"] }] }, "FC1104"],
    ["both conditions", { version: 1, rules: [{ ...good, unlessProven: ["a.b()"] }] }, "FC1104"],
    ["no clauses", { version: 1, rules: [{ ...good, whenProven: [] }] }, "FC1102"],
    ["a clause that is no text", { version: 1, rules: [{ ...good, whenProven: [true] }] }, "FC1102"],
    ["an empty clause", { version: 1, rules: [{ ...good, whenProven: [" "] }] }, "FC1102"],
    ["a decision of a person", { version: 1, rules: [{ ...good, decision: "approved_once" }] }, "FC1105"],
    ["a decision that is no text", { version: 1, rules: [{ ...good, decision: true }] }, "FC1102"],
    ["two rules of one name", { version: 1, rules: [good, good] }, "FC1202 there is a rule"],
    ["tools that are no list", { version: 1, rules: [{ ...good, tools: "bank.pay" }] }, "FC1102"],
    ["a tool that is no text", { version: 1, rules: [{ ...good, tools: [1] }] }, "FC1102"],
    [
      "tools of a rule that rejects",
      { version: 1, rules: [{ ...good, decision: "auto_rejected", tools: [] }] },
      "FC1104 a rule that rejects has no `tools`",
    ],
    [
      "stops that are forbidden",
      { version: 1, rules: [{ ...good, stops: "forbidden" }] },
      "FC1105 `stops` cannot",
    ],
    ["stops in capitals", { version: 1, rules: [{ ...good, stops: "Allowed" }] }, "FC1105"],
    ["stops that are no text", { version: 1, rules: [{ ...good, stops: true }] }, "FC1102 `stops` is a text"],
    ["stops that are null", { version: 1, rules: [{ ...good, stops: null }] }, "FC1102"],
    ["a misspelt `stops`", { version: 1, rules: [{ ...good, stop: "allowed" }] }, "FC1104"],
    [
      "stops of a rule that rejects what is proved",
      { version: 1, rules: [{ ...good, decision: "auto_rejected", stops: "allowed" }] },
      "FC1104 a rule that rejects `whenProven` has no `stops`",
    ],
    ["limits that are no list", { version: 1, rules: [{ ...good, limits: limit }] }, "FC1102"],
    [
      "limits of a rule that rejects",
      { version: 1, rules: [{ ...good, decision: "auto_rejected", limits: [limit] }] },
      "FC1104 a rule that rejects has no `limits`",
    ],
    ...(
      [
        ["another field", { most: 10 }, "FC1104 a limit has no field `most`"],
        ["no clause", { clause: undefined }, "FC1103 a limit needs `clause`"],
        ["a clause without `?`", { clause: "email.atMost(1)" }, "FC1102 the clause of a limit has one `?`"],
        ["a clause with two", { clause: "email.atMost(?, ?)" }, "FC1102 the clause of a limit has one `?`"],
        ["another time", { per: "year" }, "FC1105 a limit cannot be per `year`"],
        ["no number", { atMost: undefined }, "FC1103 `atMost` is a whole number"],
        ["a number as text", { atMost: "10" }, "FC1102 `atMost` is a whole number"],
        ["part of a number", { atMost: 1.5 }, "FC1102 `atMost` is a whole number"],
        ["less than nothing", { atMost: -1 }, "FC1102 `atMost` is a whole number"],
        ["too much", { atMost: policyLimits.most + 1 }, "FC1102 `atMost` is a whole number"],
      ] as const
    ).map(([what, change, expected]): [string, unknown, string] => [
      `a limit with ${what}`,
      { version: 1, rules: [{ ...good, limits: [{ ...limit, ...change }] }] },
      expected,
    ]),
    [
      "a name that is too long",
      { version: 1, rules: [{ ...good, name: "x".repeat(policyLimits.text + 1) }] },
      "FC1404",
    ],
  ])("%s", (_, value, expected) => {
    expect(problems(read(value)).join("\n")).toContain(expected);
  });
});

test("limits, at and beyond", () => {
  const rules = (n: number) => Array.from({ length: n }, (_, i) => ({ ...good, name: `r${i}` }));
  expect(read({ version: 1, rules: rules(policyLimits.rules) }).ok).toBe(true);
  expect(problems(read({ version: 1, rules: rules(policyLimits.rules + 1) }))[0]).toContain("FC1405");
  const clauses = (n: number) => ({ ...good, whenProven: Array.from({ length: n }, (_, i) => `a.b(${i})`) });
  expect(withRule(clauses(policyLimits.clauses)).ok).toBe(true);
  expect(problems(withRule(clauses(policyLimits.clauses + 1)))[0]).toContain("FC1405");
  expect(withRule({ ...good, reason: "x".repeat(policyLimits.text) }).ok).toBe(true);
  const limits = (n: number) => ({ ...good, limits: Array.from({ length: n }, () => limit) });
  expect(withRule(limits(policyLimits.limits)).ok).toBe(true);
  expect(problems(withRule(limits(policyLimits.limits + 1)))[0]).toContain("FC1405");
  const tools = (n: number) => ({ ...good, tools: Array.from({ length: n }, () => "bank.pay") });
  expect(withRule(tools(policyLimits.tools)).ok).toBe(true);
  expect(problems(withRule(tools(policyLimits.tools + 1)))[0]).toContain("FC1405");
  expect(withRule({ ...good, limits: [{ ...limit, atMost: policyLimits.most }] }).ok).toBe(true);
});

test("the number of people who must approve", () => {
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../schema/policy-1.schema.json"), "utf8"),
  );
  const fits = new Ajv2020({ strict: false }).compile(schema);
  const of = (reviewers: unknown) => ({ version: 1, rules: [], reviewers });
  for (const n of [1, 2, policyLimits.reviewers]) {
    const found = read(of(n));
    expect([found.ok && found.value.policy.reviewers, fits(of(n))]).toEqual([n, true]);
  }
  for (const wrong of [0, -1, 1.5, policyLimits.reviewers + 1, "2", null, [2]])
    expect([wrong, problems(read(of(wrong))), fits(of(wrong))]).toEqual([
      wrong,
      ["FC1102 `reviewers` is a whole number from 1 to 10"],
      false,
    ]);
});
