import { describe, expect, test } from "vitest";
import { policyLimits, readPolicy } from "./read-policy.ts";

const good = {
  name: "small",
  decision: "auto_approved",
  whenProven: ["bank.maxSpend(500)"],
  reason: "little money",
};
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
        reason: good.reason,
      },
      {
        name: "b",
        decision: "auto_approved",
        when: "unlessProven",
        clauses: ["a.b()", "c.d(1)"],
        reason: good.reason,
      },
    ],
  });
  expect(read({ version: 1, rules: [] }).ok).toBe(true);
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
});
