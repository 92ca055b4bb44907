/** Differences that are not known, programs that stop early, and names that commands make up themselves. */
import { describe, expect, test } from "vitest";
import { fakeHost } from "../../../../tests/cli/fake-host.ts";
import { runs } from "../../../../tests/support/runs.ts";
import { runCli } from "../../run-cli.ts";

const bank = `import { contract, tool } from "foreclaim";
export const pay = tool({ run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {} });
export const small = tool({
  requires: ({ amount }) => amount <= 10,
  run: async ({ amount }: { amount: number }): Promise<void> => {},
});
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
export const only = contract((list: string[]) => pay.all((x) => list.includes(x.to)));
export const anything = contract(() => true);
`;
const program = (
  body: string,
  inputs = "",
  stated = "bank.anything()",
) => `import { program } from "foreclaim";
import * as bank from "./tools/bank";
export default program({ guarantees: [${stated}], async run(${inputs}) { ${body} } });
`;
const pay = (amount: number | string, to = '"a"') => `await bank.pay({ to: ${to}, amount: ${amount} });`;
const xs = "{ xs }: { xs: string[] }";

async function ask(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const host = fakeHost({ files: { "tools/bank.ts": bank, ...files } });
  const code = await runCli(args, host, "0.0.0");
  return { code, out: host.out().replace(/\s+/g, " "), err: host.err() };
}

describe("programs of which it is not known that they do the same", () => {
  const notKnown = "so a change is unknown";
  test.each<[string, string, string, string, number]>([
    [
      "twice the calls in a loop over any list",
      program(`for (const x of xs) { ${pay(1, "x")} }`, xs),
      program(`for (const x of xs) { ${pay(1, "x")} ${pay(1, "x")} }`, xs),
      notKnown,
      1,
    ],
    [
      "another sum that no bound is found for",
      program(pay("n"), "{ n }: { n: number }", "bank.maxSpend(5)"),
      program(pay("n * 2"), "{ n }: { n: number }", "bank.maxSpend(5)"),
      notKnown,
      1,
    ],
    [
      "one loop under another name",
      program(`for (const x of xs) { ${pay(1, "x")} }`, xs),
      program(`for (const y of xs) { ${pay(1, "y")} }`, xs),
      "no difference",
      0,
    ],
    [
      "a bound that one of them does not reach",
      program(`${pay(20)} ${pay(20)} ${pay(20)}`, "", "bank.maxSpend(100)"),
      program(`${pay(20)} ${pay(20)} ${pay(20)} ${pay(40)}`, "", "bank.maxSpend(100)"),
      "the most calls of `bank.pay` rose from 3 to 4",
      1,
    ],
    [
      "more on the way, and as much at the end",
      program(`${pay(-50)} ${pay(50)}`, "", "bank.maxSpend(50)"),
      program(`${pay(50)} ${pay(-50)}`, "", "bank.maxSpend(50)"),
      "may be rose from 0 to 50",
      1,
    ],
    [
      "one guarantee that only one of them keeps wherever it stops",
      program(`${pay(-50)} ${pay(50)}`, "", "bank.maxSpend(0)"),
      program(`${pay(50)} ${pay(-50)}`, "", "bank.maxSpend(0)"),
      "stops: `bank.maxSpend(0)` may be violated if a run of `b.ts` stops early",
      1,
    ],
    [
      "a call before the run stops for certain",
      program(`if (n <= 10) { ${pay(1)} await bank.small({ amount: n }); }`, "{ n }: { n: number }"),
      program(
        `if (n <= 10) { ${pay(1)} } if (n > 10) { ${pay(1, '"evil"')} } await bank.small({ amount: n });`,
        "{ n }: { n: number }",
      ),
      'now may also call `bank.pay` with `to` "evil"',
      1,
    ],
  ])("%s", async (_, first, second, expected, exit) => {
    const found = await ask({ "a.ts": first, "b.ts": second }, "compare", "a.ts", "b.ts");
    expect(found.err).toBe("");
    expect(found.out).toContain(expected);
    expect(found.code).toBe(exit);
  });

  const document = (formula: string) => `effect-ir 1
tool bank.pay(amount: int)
program () {
  call bank.pay(amount: 5)
}
guarantee bank.rule(5)${formula}
`;
  test("one name for two formulas is no agreement", async () => {
    const files = {
      "a.eir": document(": sum(p in bank.pay: p.amount) <= 5"),
      "b.eir": document(": sum(p in bank.pay: p.amount) <= 500"),
    };
    const host = fakeHost({ files });
    const code = await runCli(["compare", "a.eir", "b.eir"], host, "0.0.0");
    expect(host.err()).toBe("");
    expect(host.out()).toContain("weaker: `bank.rule(5)`");
    expect(code).toBe(1);
  });
});

/** Names that commands bind themselves, that formulas of contracts bind, and that objects of JavaScript have. */
const all = [
  ...[
    "x",
    "p",
    "any_v0",
    "__proto__",
    "call",
    "result",
    "y",
    "now",
    "index",
    "key",
    "value",
    "stop",
    "length",
  ],
  ...["any_", "any_v1", "any_which", "another_x", "c1", "limit", "list", "state", "final", "self", "row"],
  ...["constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "first"],
];
/** The first of them, and with more runs more of them. */
const names = all.slice(0, runs(2));

describe("an input of any name", () => {
  const rule = {
    name: "small",
    decision: "auto_approved",
    whenProven: ["bank.maxSpend(9)", "bank.only(['a'])"],
    limits: [{ name: "all", clause: "bank.maxSpend(?)", atMost: 9, per: "day" }],
    reason: "so",
  };
  const asking = (name: string, most: number, stated: string) =>
    program(
      pay(`Math.max(0, Math.min(${name}, ${most}))`),
      `{ ${name} }: { ${name}: number }`,
      `bank.maxSpend(${stated}), bank.only(["a"])`,
    );
  test.each(names)("%s", async (name) => {
    const files = {
      "a.ts": asking(name, 5, "5"),
      "b.ts": asking(name, 6, "6"),
      "c.ts": asking("another", 5, "5"),
      "policy.json": JSON.stringify({ version: 1, rules: [rule] }),
    };
    const expected: readonly (readonly [readonly string[], number, string])[] = [
      [["prove", "a.ts"], 0, "2 guarantees proved"],
      [["compare", "a.ts", "b.ts"], 1, "rose from 5 to 6"],
      [["compare", "a.ts", "c.ts"], 0, "no difference"],
      [["compare", "c.ts", "a.ts"], 0, "no difference"],
      [["policy", "check", "policy.json", "a.ts"], 0, "takes 5 of the limit"],
      [["lint", "a.ts"], 0, ""],
      [["certify", "a.ts"], 0, ""],
    ];
    for (const [args, code, out] of expected) {
      const found = await ask(files, ...args);
      expect([found.err, found.code], args.join(" ")).toEqual(["", code]);
      expect(found.out, args.join(" ")).toContain(out);
    }
  });

  test.each(names)("a parameter of a tool, and of a contract: %s", async (name) => {
    const module = `import { contract, tool } from "foreclaim";
export const send = tool({
  requires: ({ ${name} }) => ${name} >= 0,
  ensures: (found) => found >= 0,
  run: async ({ ${name} }: { ${name}: number }): Promise<number> => 0,
});
export const most = contract((${name}: number) => send.sum((s) => s.${name}) <= ${name});
`;
    const stated = `import { program } from "foreclaim";
import * as mail from "./tools/mail";
export default program({ guarantees: [mail.most(5)], async run() { await mail.send({ ${name}: 5 }); } });
`;
    const files = { "tools/mail.ts": module, "a.ts": stated };
    const proved = await ask(files, "prove", "a.ts");
    // The language may refuse a name, and says so; no command breaks on one.
    if (proved.code !== 0) expect(proved.err + proved.out).toMatch(/error FC2\d{3}/);
    for (const args of [
      ["compare", "a.ts", "a.ts"],
      ["compare", "mail.most(1)", "mail.most(2)"],
      ["lint", "tools"],
    ]) {
      const found = await ask(files, ...args);
      expect(found.err, args.join(" ")).toMatch(proved.code === 0 ? /^$/ : /^(?:|error FC2[\s\S]*)$/);
      expect([0, 1, 2], args.join(" ")).toContain(found.code);
    }
  });
});
