/** Sentences about stated guarantees, obligations, stopping points and calls. */
import { describe, expect, test } from "vitest";
import {
  describeCall,
  describeGuarantee,
  describeObligation,
  describeStop,
} from "../../src/explain/index.ts";
import { mostCharacters } from "../../src/explain/text.ts";
import {
  list,
  none,
  type Path,
  ratio,
  readDocument,
  record,
  some,
  type TraceEntry,
} from "../../src/ir/index.ts";
import { walk } from "../../src/prove/symbolic/symbolic-executor.ts";
import { Terms } from "../../src/prove/terms/factory.ts";

const read = readDocument(`effect-ir 1

fluent stock.level[string]: int = 5

tool bank.withdraw(account: string, amount: real)
  requires amount >= 0
  requires account != ""
tool stock.take(item: string, count: int, note?: string)
  requires count <= now stock.level[item]
  requires count > 0 and (item == "a" or count < 3)
  requires not isSome(note) or length(value(note)) <= 10
  sets stock.level[item] = now stock.level[item] - count

program (owed: real) {
  let most = owed + 1
  require owed >= 0: "trust me, all is well"
  require most > owed and owed < 10: "x"
  call bank.withdraw(account: "card", amount: owed)
  for item in ["a", "b"] max 3 {
    call stock.take(item: item, count: 1)
  }
}

guarantee bank.maxSpend(500): sum(w in bank.withdraw: w.amount) <= 500
guarantee bank.other("a\\u202eb", [1, 2])
`);
if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join("\n"));
const { checked } = read.value;

describe("guarantees", () => {
  const [spend, other] = checked.document.guarantees;

  test("have what was stated, and what it means", () => {
    expect(describeGuarantee(spend!, checked)).toEqual({
      stated: "`bank.maxSpend(500)`",
      sentence: "the sum of `amount` over all calls of `bank.withdraw` is at most 500",
    });
  });

  test("say so if their formula is not here", () => {
    expect(describeGuarantee(other!, checked)).toEqual({
      stated: '`bank.other("a\\u202eb", [1, 2])`',
      sentence: "what the trusted contract of that name says; its formula is not here",
    });
  });
});

test("obligations, without the reasons that a program gives for them", () => {
  const said = walk(checked, new Terms()).obligations.map((one) => describeObligation(one, checked));
  expect([...new Set(said)]).toEqual([
    "where the program requires it, the input `owed` is at least 0",
    "where the program requires it, both of these hold: (1) `most` is above the input `owed`; (2) the input `owed` is below 10",
    "`bank.withdraw` is only called with `amount` at least 0",
    '`bank.withdraw` is only called with `account` other than ""',
    "the list that the loop over `item` goes through has at most 3 elements",
    "`stock.take` is only called with `count` at most the `stock.level` of its `item` just before the call",
    '`stock.take` is only called with both `count` above 0 and [`item` equal to "a" or `count` below 3 (or both)]',
    "`stock.take` is only called with `note` absent or of length at most 10",
  ]);
});

describe("stopping points", () => {
  const { facts } = walk(checked, new Terms());
  const line = (path: Path) => `line ${path.length}`;

  test.each([
    [undefined, false, "if the run stops before its first call, this may not hold"],
    [facts[0], false, "if the run stops right after `bank.withdraw` at line 3, this may not hold"],
    [
      facts[0],
      true,
      "if the run stops right after `bank.withdraw` at line 3, there are runs in which this does not hold",
    ],
    [
      facts[2],
      false,
      "if the run stops right after `stock.take` at line 5 in round 2 of its loop, this may not hold",
    ],
    [
      // What stands for any iteration of a loop has an index below zero.
      facts[2] && { ...facts[2], indices: [-1] },
      false,
      "if the run stops right after `stock.take` at line 5 in some round of its loop, this may not hold",
    ],
  ])("%#", (after, certain, said) => {
    expect(describeStop({ after, certain }, line)).toBe(said);
  });

  test("without places", () => {
    const said = "if the run stops right after `bank.withdraw`, this may not hold";
    expect(describeStop({ after: facts[0], certain: false })).toBe(said);
  });
});

describe("calls", () => {
  const args = record([
    ["account", "card"],
    ["amount", ratio(1n, 3n)],
  ]);
  const outcomes: readonly (readonly [TraceEntry["outcome"], string])[] = [
    [{ kind: "returned" }, ""],
    [{ kind: "returned", result: 600n }, ", and returns 600"],
    [{ kind: "returned", result: true }, ", and returns true"],
    [
      { kind: "returned", result: list(["a", some(1n), none, null]) },
      ', and returns `["a", some(1), none, null]`',
    ],
    [
      { kind: "failed", reason: "no\nanswer" },
      ', and fails with the reason "no\\nanswer"; it may or may not have had its effect',
    ],
    [
      { kind: "broken", code: "FC1504", reason: "below zero" },
      ', and answers what it must not, with the reason "below zero"; it may or may not have had its effect',
    ],
  ];

  test.each(outcomes)("%#", (outcome, end) => {
    const start = '`bank.withdraw` is called with `account` "card" and `amount` 1/3';
    expect(describeCall({ tool: "bank.withdraw", args, outcome })).toBe(`${start}${end}`);
  });

  test("without arguments", () => {
    const call = { tool: "mail.fetch", args: record([]), outcome: { kind: "returned" } } as const;
    expect(describeCall(call)).toBe("`mail.fetch` is called");
  });

  test("with arguments that are too long to show, unless all is asked for", () => {
    const fields = Array.from({ length: 100 }, (_, i) => [`f${i}`, "x".repeat(100)] as const);
    const call = { tool: "t", args: record(fields), outcome: { kind: "returned" } } as const;
    expect(describeCall(call).length).toBeLessThanOrEqual(mostCharacters);
    expect(describeCall(call)).toMatch(
      /… \(cut here: \d+ more characters must be read before this is approved\)$/,
    );
    expect(describeCall(call, { full: true })).toContain("x".repeat(100));
  });
});
