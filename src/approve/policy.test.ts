import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atLeast, runs } from "../../tests/support/runs.ts";
import { type ClauseVerdict, decide, type FoundClause, type Policy, type PolicyRule } from "./policy.ts";

const rule = (
  decision: PolicyRule["decision"],
  when: PolicyRule["when"],
  ...clauses: string[]
): PolicyRule => ({
  name: `${decision} ${when} ${clauses.join()}`,
  decision,
  when,
  clauses,
  limits: [],
  reason: "because",
});
const policy = (...rules: PolicyRule[]): Policy => ({ version: 1, rules });
/** A proved clause holds wherever the run may stop, unless it is `open`. */
type Known = ClauseVerdict | "open";
const foundAs = (known: Known): FoundClause => ({
  verdict: known === "open" ? "proved" : known,
  interruption:
    known === "proved"
      ? { safe: true, text: null }
      : known === "open"
        ? { safe: false, text: "there" }
        : null,
});
const found = (...known: Known[]) => new Map(known.map((one, i) => [`c${i}`, foundAs(one)]));
const decided = (
  made: Policy,
  verdict: ClauseVerdict,
  calls: readonly string[],
  clauses: ReadonlyMap<string, FoundClause>,
  required: readonly Known[] = [],
) =>
  decide(made, {
    verdict,
    calls,
    clauses,
    required: required.map((one, i) => ({ clause: `r${i}`, ...foundAs(one) })),
  });

describe("a rule with limits", () => {
  const limits = [{ name: "mail", clause: "mail.atMost(?)", atMost: 3, per: "day" }] as const;
  const limited = policy({ ...rule("auto_approved", "whenProven", "c0"), limits });
  test.each([
    ["proved", "auto_approved"],
    ["open", "ask"],
    ["unknown", "ask"],
    ["refuted", "ask"],
  ] as const)("approves only what is within the whole of them: %s", (verdict, expected) => {
    const verdicts = new Map([...found("proved"), ["mail.atMost(3)", foundAs(verdict)] as const]);
    expect(decided(limited, "proved", [], verdicts).decision).toBe(expected);
  });
  test("of which nothing is known it approves nothing", () => {
    expect(decided(limited, "proved", [], found("proved")).decision).toBe("ask");
  });
});

describe("a rule that names tools", () => {
  const only = policy({ ...rule("auto_approved", "whenProven", "c0"), tools: ["mail.read", "mail.send"] });
  test.each<[string[], string, string[]]>([
    [[], "auto_approved", []],
    [["mail.send"], "auto_approved", []],
    [["mail.read", "mail.send"], "auto_approved", []],
    [["mail.send", "bank.pay"], "ask", ["bank.pay"]],
    [["mail.sendAll"], "ask", ["mail.sendAll"]],
  ])("calls %j: %s", (calls, expected, others) => {
    const one = decided(only, "proved", calls, found("proved"));
    expect(one.decision).toBe(expected);
    expect(one.rules[0]?.others).toEqual(others);
  });
  test("allows none with an empty list", () => {
    const none = policy({ ...rule("auto_approved", "whenProven", "c0"), tools: [] });
    expect(decided(none, "proved", ["mail.read"], found("proved")).decision).toBe("ask");
  });
});

describe("one rule", () => {
  test.each([
    ["auto_approved", "whenProven", ["proved"], "auto_approved"],
    ["auto_approved", "whenProven", ["unknown"], "ask"],
    ["auto_approved", "whenProven", ["refuted"], "ask"],
    ["auto_approved", "whenProven", ["proved", "proved"], "auto_approved"],
    ["auto_approved", "whenProven", ["proved", "unknown"], "ask"],
    ["auto_approved", "unlessProven", ["refuted"], "auto_approved"],
    ["auto_approved", "unlessProven", ["unknown"], "ask"],
    ["auto_approved", "unlessProven", ["proved"], "ask"],
    ["auto_approved", "unlessProven", ["refuted", "proved"], "ask"],
    ["auto_rejected", "whenProven", ["proved"], "auto_rejected"],
    ["auto_rejected", "whenProven", ["unknown"], "auto_rejected"],
    ["auto_rejected", "whenProven", ["refuted"], "ask"],
    ["auto_rejected", "whenProven", ["proved", "unknown"], "auto_rejected"],
    ["auto_rejected", "whenProven", ["unknown", "refuted"], "ask"],
    ["auto_rejected", "unlessProven", ["proved"], "ask"],
    ["auto_rejected", "unlessProven", ["unknown"], "auto_rejected"],
    ["auto_rejected", "unlessProven", ["refuted"], "auto_rejected"],
    ["auto_rejected", "unlessProven", ["proved", "unknown"], "auto_rejected"],
  ] as const)("%s %s %j: %s", (decision, when, verdicts, expected) => {
    const one = rule(decision, when, ...verdicts.map((_, i) => `c${i}`));
    expect(decided(policy(one), "proved", [], found(...verdicts)).decision).toBe(expected);
  });
});

test("no rule: a person is asked", () => {
  expect(decided(policy(), "proved", [], found())).toEqual({ decision: "ask", rules: [] });
});

test("rules that reject come first, wherever they stand", () => {
  const allow = rule("auto_approved", "whenProven", "c0");
  const deny = rule("auto_rejected", "whenProven", "c1");
  const {
    decision,
    rule: by,
    rules,
  } = decided(policy(allow, deny), "proved", [], found("proved", "unknown"));
  expect(decision).toBe("auto_rejected");
  expect(by).toBe(deny);
  expect(rules.map((one) => one.rule)).toEqual([deny, allow]);
});

test.each(["refuted", "unknown"] as const)("a program that is %s itself is not approved", (verdict) => {
  const allow = rule("auto_approved", "whenProven", "c0");
  expect(decided(policy(allow), verdict, [], found("proved")).decision).toBe("ask");
});

test("a clause of which nothing is known is not decided", () => {
  expect(decided(policy(rule("auto_approved", "whenProven", "c7")), "proved", [], found()).decision).toBe(
    "ask",
  );
  expect(decided(policy(rule("auto_rejected", "whenProven", "c7")), "proved", [], found()).decision).toBe(
    "auto_rejected",
  );
});

test("to know more never takes back an approval, and never adds a rejection", () => {
  const names = ["c0", "c1", "c2"];
  const anyRule = fc.record({
    decision: fc.constantFrom("auto_approved", "auto_rejected"),
    when: fc.constantFrom("whenProven", "unlessProven"),
    clauses: fc.subarray(names, { minLength: 1 }),
  });
  const anyVerdict = fc.constantFrom<ClauseVerdict>("proved", "refuted", "unknown", "unknown");
  const known = fc.constantFrom<ClauseVerdict>("proved", "refuted");
  const seen = { auto_approved: 0, auto_rejected: 0, ask: 0 };
  fc.assert(
    fc.property(
      fc.array(anyRule, { maxLength: 4 }),
      fc.tuple(anyVerdict, anyVerdict, anyVerdict),
      fc.tuple(known, known, known),
      (rules, verdicts, later) => {
        const made = policy(...rules.map((one) => rule(one.decision, one.when, ...one.clauses)));
        const before = decided(made, "proved", [], found(...verdicts)).decision;
        const learnt = verdicts.map(
          (verdict, i) => (verdict === "unknown" ? later[i] : verdict) ?? "unknown",
        );
        const after = decided(made, "proved", [], found(...learnt)).decision;
        seen[before]++;
        if (before === "auto_approved") expect(after).toBe("auto_approved");
        if (before !== "auto_rejected") expect(after).not.toBe("auto_rejected");
      },
    ),
    { numRuns: runs(2_000) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(atLeast(40));
});

describe("a clause that may not hold where a run stops", () => {
  const allowing = (one: PolicyRule): PolicyRule => ({ ...one, stops: "allowed" });
  test.each<[PolicyRule["decision"], PolicyRule["when"], Known[], string, string]>([
    ["auto_approved", "whenProven", ["open"], "ask", "auto_approved"],
    ["auto_approved", "whenProven", ["proved", "open"], "ask", "auto_approved"],
    ["auto_approved", "whenProven", ["open", "unknown"], "ask", "ask"],
    ["auto_approved", "unlessProven", ["open"], "ask", "ask"],
    ["auto_rejected", "unlessProven", ["open"], "auto_rejected", "ask"],
    ["auto_rejected", "unlessProven", ["proved", "open"], "auto_rejected", "ask"],
    ["auto_rejected", "unlessProven", ["proved"], "ask", "ask"],
    ["auto_rejected", "whenProven", ["open"], "auto_rejected", "auto_rejected"],
  ])("%s %s %j: %s, and %s if stops are allowed", (decision, when, clauses, expected, allowed) => {
    const one = rule(decision, when, ...clauses.map((_, i) => `c${i}`));
    expect(decided(policy(one), "proved", [], found(...clauses)).decision).toBe(expected);
    expect(decided(policy(allowing(one)), "proved", [], found(...clauses)).decision).toBe(allowed);
  });

  test.each<[Known, string, string]>([
    ["proved", "auto_approved", "auto_approved"],
    ["open", "ask", "auto_approved"],
    ["unknown", "ask", "ask"],
    ["refuted", "ask", "ask"],
  ])("coverage requires one that is %s: %s, and %s if stops are allowed", (required, expected, allowed) => {
    const one = rule("auto_approved", "whenProven", "c0");
    const strict = decided(policy(one), "proved", [], found("proved"), [required]);
    expect(strict.decision).toBe(expected);
    expect(strict.rules[0]?.required).toHaveLength(expected === "ask" ? 1 : 0);
    expect(decided(policy(allowing(one)), "proved", [], found("proved"), [required]).decision).toBe(allowed);
  });

  test("whose stopping points were not looked at does not count", () => {
    const unseen = new Map([["c0", { verdict: "proved", interruption: null } as const]]);
    const made = policy(rule("auto_approved", "whenProven", "c0"));
    expect(decided(made, "proved", [], unseen).decision).toBe("ask");
  });
});
