/** Programs that keep a clause at the end of a run, and break it where the run may stop early. */
import { describe, expect, test } from "vitest";
import { fakeHost } from "../../../../tests/cli/fake-host.ts";
import { runCli } from "../../run-cli.ts";

const bank = `import { contract, fluent, tool } from "foreclaim";
export const pay = tool({ run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {} });
export const refund = tool({
  requires: ({ amount }) => amount >= 0,
  run: async ({ amount }: { amount: number }): Promise<void> => {},
});
export const open = fluent<string, boolean>({ initial: false });
export const unlock = tool({
  effects: ({ door }) => [open.set(door, true)],
  run: async ({ door }: { door: string }): Promise<void> => {},
});
export const lock = tool({
  effects: ({ door }) => [open.set(door, false)],
  run: async ({ door }: { door: string }): Promise<void> => {},
});
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
export const maxNet = contract((limit: number) => pay.sum((p) => p.amount) - refund.sum((r) => r.amount) <= limit);
export const refunds = contract((n: number) => refund.count() >= n);
export const only = contract((list: string[]) => pay.all((p) => list.includes(p.to)));
export const shut = contract((door: string) => !open.final.get(door));
export const leftOpen = contract((n: number) => open.final.count((d) => d.value) <= n);
export const atMost = contract((n: number) => pay.count() <= n);
export const anything = contract(() => true);
`;
/** A module that requires that doors are shut; nothing else is asked of it. */
const vault = `import { contract, coverage, fluent, tool } from "foreclaim";
export const open = fluent<string, boolean>({ initial: false });
export const enter = tool({
  effects: ({ door }) => [open.set(door, true)],
  run: async ({ door }: { door: string }): Promise<void> => {},
});
export const leave = tool({
  effects: ({ door }) => [open.set(door, false)],
  run: async ({ door }: { door: string }): Promise<void> => {},
});
export const shut = contract(() => open.final.none((d) => d.value));
export const atMost = contract((n: number) => enter.count() <= n);
export const policy = coverage({ whenUsed: [enter], required: [shut] });
`;

const program = (body: string, inputs = "", module = "bank", stated = "bank.anything()") =>
  `import { program } from "foreclaim";
import * as ${module} from "./tools/${module}";
export default program({
  guarantees: [${stated}],
  async run(${inputs}) {
    ${body}
  },
});
`;

interface Rule {
  readonly decision?: string;
  readonly whenProven?: readonly string[];
  readonly unlessProven?: readonly string[];
  readonly limits?: readonly object[];
}
const approving = (...whenProven: string[]): Rule => ({ whenProven });
const perDay = (clause: string, atMost: number) => [{ name: "all", clause, atMost, per: "day" }];

async function decided(text: string, rules: readonly Rule[], stops?: "allowed") {
  const all = rules.map((rule, i) => ({
    name: `rule ${i}`,
    decision: "auto_approved",
    ...rule,
    ...(stops && { stops }),
    reason: "so",
  }));
  const files = {
    "tools/bank.ts": bank,
    "tools/vault.ts": vault,
    "p.ts": text,
    "policy.json": JSON.stringify({ version: 1, rules: all }),
  };
  const host = fakeHost({ files });
  await runCli(["policy", "check", "policy.json", "p.ts"], host, "0");
  // A line of a terminal may end anywhere.
  const out = host.out().replace(/\s+/g, " ");
  const [, taken] = / takes (\d+) of the limit/.exec(out) ?? [];
  return { err: host.err(), out, taken: taken === undefined ? undefined : Number(taken) };
}

const firstWords = {
  auto_approved: /^p\.ts: approved by the rule/,
  auto_rejected: /^p\.ts: rejected by the rule/,
  ask: /^p\.ts: a person decides/,
} as const;

const pays = (...amounts: (number | string)[]) =>
  amounts.map((amount) => `await bank.pay({ to: "me", amount: ${amount} });`).join("\n    ");
const spend = approving("bank.maxSpend(900)");
const stop = "if the run stops";

/** Returns the decision about the program, and the one with rules about runs that complete. */
interface Case {
  readonly what: string;
  readonly text: string;
  readonly rules?: readonly Rule[];
  readonly expected: "auto_approved" | "auto_rejected" | "ask";
  readonly allowed: "auto_approved" | "auto_rejected" | "ask";
  /** Taken of the limit, then with stops allowed. */
  readonly takes?: readonly [number | undefined, number];
}

const cases: readonly Case[] = [
  {
    what: "a payment, and a call that fails and would make it small",
    text: program(pays(100_000, -100_000)),
    expected: "ask",
    allowed: "auto_approved",
  },
  {
    what: "small payments",
    text: program(pays(400, 500)),
    expected: "auto_approved",
    allowed: "auto_approved",
  },
  {
    what: "the negative amount first",
    text: program(pays(-100_000, 100_000)),
    expected: "auto_approved",
    allowed: "auto_approved",
  },
  {
    what: "any amount, and the same back",
    text: program(pays("x", "-x"), "{ x }: { x: number }"),
    expected: "ask",
    allowed: "auto_approved",
  },
  {
    what: "a refund after the payment, with a tool of its own",
    text: program(`${pays(100_000)}\n    await bank.refund({ amount: 100_000 });`),
    rules: [approving("bank.maxNet(900)")],
    expected: "ask",
    allowed: "auto_approved",
  },
  {
    what: "a refund before the payment",
    text: program(`await bank.refund({ amount: 100_000 });\n    ${pays(100_000)}`),
    rules: [approving("bank.maxNet(900)")],
    expected: "auto_approved",
    allowed: "auto_approved",
  },
  {
    what: "a payment that may be caught, and then taken back",
    text: program(`try { ${pays(100_000)} } catch { }\n    ${pays(-100_000)}`),
    expected: "ask",
    allowed: "auto_approved",
  },
  {
    what: "a payment that is taken back in `try`, which may fail",
    text: program(`${pays(100_000)}\n    try { ${pays(-100_000)} } catch { }`),
    expected: "ask",
    allowed: "ask",
  },
  {
    what: "a loop whose every round is balanced",
    text: program(`for (const x of [1, 2, 3]) {\n      ${pays("x * 1000", "-x * 1000")}\n    }`),
    expected: "ask",
    allowed: "auto_approved",
  },
  {
    what: "a loop that is balanced by its last round",
    text: program(`for (const x of [600, 600, -1200]) {\n      ${pays("x")}\n    }`),
    expected: "ask",
    allowed: "auto_approved",
  },
  {
    what: "a loop over any list, balanced in every round",
    text: program(
      `for (const x of xs) {\n      ${pays(100_000, -100_000)}\n    }`,
      "{ xs }: { xs: number[] }",
    ),
    expected: "ask",
    allowed: "auto_approved",
  },
  {
    what: "a loop that only adds",
    text: program(`for (const x of [100, 200, 300]) {\n      ${pays("x")}\n    }`),
    expected: "auto_approved",
    allowed: "auto_approved",
  },
  {
    what: "a return in the middle",
    text: program(`${pays(100_000)}\n    if (b) return;\n    ${pays(-100_000)}`, "{ b }: { b: boolean }"),
    expected: "ask",
    allowed: "ask",
  },
  {
    what: "a fluent that is restored at the end",
    text: program('await bank.unlock({ door: "front" });\n    await bank.lock({ door: "front" });'),
    rules: [approving("bank.shut('front')")],
    expected: "ask",
    allowed: "auto_approved",
  },
  {
    what: "a fluent that nobody changes",
    text: program('await bank.unlock({ door: "back" });'),
    rules: [approving("bank.shut('front')")],
    expected: "auto_approved",
    allowed: "auto_approved",
  },
  {
    what: "a rule that rejects, beside one that asks for something else",
    text: program(pays(100_000, -100_000)),
    rules: [
      { decision: "auto_rejected", unlessProven: ["bank.maxSpend(5000)"] },
      approving("bank.only(['me'])"),
    ],
    expected: "auto_rejected",
    allowed: "auto_approved",
  },
  {
    what: "one clause of two that may not hold",
    text: program(pays(100_000, -100_000)),
    rules: [approving("bank.only(['me'])", "bank.maxSpend(900)")],
    expected: "ask",
    allowed: "auto_approved",
  },
  {
    what: "only the clause of a limit that may not hold",
    text: program(pays(100_000, -100_000)),
    rules: [{ ...approving("bank.only(['me'])"), limits: perDay("bank.maxSpend(?)", 1000) }],
    expected: "ask",
    allowed: "auto_approved",
    takes: [undefined, 0],
  },
  {
    what: "more on the way than at the end",
    text: program(pays(500, -200)),
    rules: [{ ...spend, limits: perDay("bank.maxSpend(?)", 1000) }],
    expected: "auto_approved",
    allowed: "auto_approved",
    takes: [500, 300],
  },
  {
    what: "doors that are open on the way",
    text: program(
      'await bank.unlock({ door: "a" });\n    await bank.unlock({ door: "b" });\n    await bank.lock({ door: "a" });\n    await bank.lock({ door: "b" });',
    ),
    rules: [{ ...approving("bank.anything()"), limits: perDay("bank.leftOpen(?)", 10) }],
    expected: "auto_approved",
    allowed: "auto_approved",
    takes: [2, 0],
  },
  {
    what: "money that comes back, and nothing goes out",
    text: program(pays(-500)),
    rules: [{ ...spend, limits: perDay("bank.maxSpend(?)", 1000) }],
    expected: "auto_approved",
    allowed: "auto_approved",
    takes: [0, 0],
  },
  {
    what: "a contract that coverage requires and that no rule names",
    text: program(
      'await vault.enter({ door: "a" });\n    await vault.leave({ door: "a" });',
      "",
      "vault",
      "vault.atMost(1)",
    ),
    rules: [approving("vault.atMost(1)")],
    expected: "ask",
    allowed: "auto_approved",
  },
  {
    what: "a contract that coverage requires and the program states",
    text: program(
      'await vault.enter({ door: "a" });\n    await vault.leave({ door: "a" });',
      "",
      "vault",
      "vault.shut()",
    ),
    rules: [approving("vault.atMost(1)")],
    expected: "ask",
    allowed: "auto_approved",
  },
];

describe("what is decided", () => {
  test.each(cases)("$what: $expected, and $allowed of runs that end", async (one) => {
    const { text, rules = [spend], expected, allowed, takes } = one;
    const strict = await decided(text, rules);
    expect(strict.out, strict.err).toMatch(firstWords[expected]);
    const whole = await decided(text, rules, "allowed");
    expect(whole.out, whole.err).toMatch(firstWords[allowed]);
    expect([strict.taken, whole.taken]).toEqual(takes ?? [undefined, undefined]);
    // Wherever the two differ, both say where the run may stop.
    if (expected === allowed) return;
    expect(strict.out).toContain(stop);
    expect(strict.out).toContain("it does not count");
    expect(whole.out).toContain(stop);
    expect(whole.out).toContain("the rule allows that");
  });
});

describe("a limit whose number is no upper bound is refused", () => {
  test.each([
    ["bank.refunds(?)", "with a larger number the contract guarantees more"],
    ["more.exactly(?)", "it is not proved that the contract guarantees less"],
    ["more.unless(?)", "it is not proved that the contract guarantees less"],
    ["more.even(?)", "it is not proved that the contract guarantees less"],
    ["more.both(?)", "it is not proved that the contract guarantees less"],
    ["more.trivial(?)", "it is not proved that the contract guarantees less"],
    ["more.between(?, 5)", "with a larger number the contract guarantees more"],
    ["more.unused(?)", "the contract guarantees the same with every number"],
    ["more.reversed(?)", "with a larger number the contract guarantees more"],
  ])("%s", async (clause, why) => {
    const found = await withMore(clause);
    expect(found).toMatchObject({ code: 2, out: "" });
    expect(found.err).toMatch(/error FC9001: the `\?` of `[^`]*` is no upper bound/);
    expect(found.err).toContain(why);
  });

  test.each([
    "more.between(0, ?)",
    "more.atMost(?)",
    "more.each(?)",
    "more.perName(?)",
    "more.few(?)",
    "more.scaled(?)",
  ])("%s is one", async (clause) => {
    const found = await withMore(clause);
    expect(found.err).toBe("");
    expect(found.code).toBe(0);
  });

  const more = `import { contract, tool } from "foreclaim";
export const send = tool({ run: async ({ to, size }: { to: string; size: number }): Promise<void> => {} });
export const exactly = contract((n: number) => send.count() === n);
export const unless = contract((n: number) => send.count() <= n || n < 3);
export const even = contract((n: number) => send.count() <= n && n !== 4);
export const both = contract((n: number) => send.count() <= n && send.count() >= n);
export const trivial = contract((n: number) => send.count() <= n || n >= 0);
export const between = contract((low: number, high: number) => send.count() >= low && send.count() <= high);
export const unused = contract((n: number) => send.all((s) => s.size <= 5));
export const reversed = contract((n: number) => send.count() <= 100 - n);
export const atMost = contract((n: number) => !(send.count() > n));
export const each = contract((n: number) => send.all((s) => s.size <= n));
export const perName = contract((n: number) => send.perKey((s) => s.to).count() <= n);
export const few = contract((n: number) => send.none((s) => s.size > n + 1));
export const scaled = contract((n: number) => send.sum((s) => s.size) <= 10 * n);
`;
  async function withMore(clause: string) {
    const rule = { name: "a", decision: "auto_approved", whenProven: ["more.between(0, 9)"], reason: "so" };
    const files = {
      "tools/bank.ts": bank,
      "tools/more.ts": more,
      "p.ts": program('await more.send({ to: "a", size: 1 });', "", "more", "more.atMost(1)"),
      "policy.json": JSON.stringify({ version: 1, rules: [{ ...rule, limits: perDay(clause, 3) }] }),
    };
    const host = fakeHost({ files });
    const code = await runCli(["policy", "check", "policy.json", "p.ts"], host, "0");
    return { code, out: host.out(), err: host.err() };
  }
});
