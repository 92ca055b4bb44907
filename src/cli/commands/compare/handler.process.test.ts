/** The output and the exit codes of `compare` and `lint`. */
import { describe, expect, test } from "vitest";
import { fakeHost } from "../../../../tests/cli/fake-host.ts";
import { runCli } from "../../run-cli.ts";

const bank = `import { contract, fluent, tool } from "foreclaim";
export const frozen = fluent<string, boolean>({ initial: false });
export const pay = tool({
  requires: ({ amount }) => amount >= 0,
  run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {},
});
export const tell = tool({ run: async ({ to }: { to: string }): Promise<void> => {} });
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
export const only = contract((list: string[]) => pay.all((p) => list.includes(p.to)));
export const none = contract(() => pay.none());
export const some = contract(() => pay.some());
`;
const other = bank.replace("amount >= 0", "amount > 0");
const program = (guarantees: string, body: string, inputs = "") => `import { program } from "foreclaim";
import * as bank from "./tools/bank";
export default program({ guarantees: [${guarantees}], async run(${inputs}) { ${body} } });
`;
const files = {
  "tools/bank.ts": bank,
  "apart/tools/bank.ts": other,
  "apart/pay.ts": program("bank.maxSpend(5)", 'await bank.pay({ to: "a", amount: 5 });'),
  "pay.ts": program("bank.maxSpend(100)", 'await bank.pay({ to: "a", amount: 100 });'),
  "same.ts": program("bank.maxSpend(100)", 'const to = "a"; await bank.pay({ to, amount: 60 + 40 });'),
  "more.ts": program(
    "bank.maxSpend(150)",
    'await bank.tell({ to: "a" }); await bank.pay({ to: "a", amount: 150 });',
  ),
  "any.ts": program(
    "bank.maxSpend(100)",
    "await bank.pay({ to: who, amount: 100 });",
    "{ who }: { who: string }",
  ),
  "false.ts": program("bank.maxSpend(9)", 'await bank.pay({ to: "a", amount: 100 });'),
  "loop.ts": program(
    'bank.only(["a"])',
    'for (const n of list) await bank.pay({ to: "a", amount: n < 0 ? 0 : n });',
    "{ list }: { list: number[] }",
  ),
  "to.ts": program('bank.only(["a"])', 'await bank.pay({ to: "a", amount: 1 });'),
  "to-other.ts": program('bank.only(["b"])', 'await bank.pay({ to: "b", amount: 1 });'),
  "dead.ts": program(
    "bank.maxSpend(100)",
    'if (1 > 2) await bank.tell({ to: "a" }); await bank.pay({ to: "a", amount: 100 });',
  ),
  "whom.ts": program(
    "bank.maxSpend(100)",
    'await bank.pay({ to: vip ? "b" : "a", amount: 100 });',
    "{ vip }: { vip: boolean }",
  ),
  "hidden.ts": program(
    "bank.maxSpend(100)",
    'const to = n > 3 && n < 2 ? "b" : "a"; await bank.pay({ to, amount: 100 });',
    "{ n }: { n: number }",
  ),
  "broken.ts": "export default 1;",
  "twice.ts": program("bank.maxSpend(100), bank.maxSpend(200)", 'await bank.pay({ to: "a", amount: 1 });'),
  "policy.json": JSON.stringify({
    version: 1,
    rules: [
      { name: "idle", decision: "auto_approved", whenProven: ["bank.none()", "bank.some()"], reason: "none" },
    ],
  }),
};

async function ask(...args: readonly string[]) {
  const host = fakeHost({ files });
  const code = await runCli(args, host, "0.0.0");
  return { code, out: host.out(), err: host.err() };
}

describe("guarantees", () => {
  test.each([
    ["bank.maxSpend(1)", "bank.maxSpend(2)", "stronger", 1],
    ["bank.maxSpend(2)", "bank.maxSpend(1)", "weaker", 1],
    ["bank.only(['a','b'])", 'bank.only(["b","a"])', "equivalent", 0],
    ["bank.none()", "bank.some()", "contradictory", 1],
    ["bank.only(['a'])", "bank.maxSpend(1)", "different", 1],
    ["pay.ts", "bank.maxSpend(100)", "equivalent", 0],
    ["bank.maxSpend(99)", "pay.ts", "stronger", 1],
  ])("%s and %s: %s", async (first, second, relation, expected) => {
    const { code, out } = await ask("compare", first, second, "--json");
    const said = JSON.parse(out);
    expect([said.relation, code]).toEqual([relation, expected]);
    const shown = await ask("compare", first, second);
    expect(shown.out.startsWith(`${relation}: `)).toBe(true);
    expect(shown.code).toBe(expected);
  });

  test("a no has its trace", async () => {
    const { out } = await ask("compare", "bank.maxSpend(2)", "bank.maxSpend(1)", "--json");
    const { forward, backward } = JSON.parse(out);
    expect(backward).toEqual({ answer: "yes", by: "calls" });
    expect(forward.answer).toBe("no");
    expect(forward.trace).toEqual([{ tool: "bank.pay", args: expect.anything() }]);
  });
});

describe("programs", () => {
  test("the same, written otherwise", async () => {
    const { code, out } = await ask("compare", "pay.ts", "same.ts");
    expect(out).toContain("no difference");
    expect(code).toBe(0);
  });

  test("tools, bounds and guarantees that differ", async () => {
    const { code, out } = await ask("compare", "pay.ts", "more.ts");
    expect(out).toContain("now may also call `bank.tell`");
    const said = out.replace(/\s+/g, " ");
    expect(said).toContain(
      "the most that the sum of `amount` over all calls of `bank.pay` may be rose from 100 to 150",
    );
    expect(said).toContain("weaker: `bank.maxSpend(100)` became `bank.maxSpend(150)`");
    expect(said).toContain("the second program may violate `bank.maxSpend(100)`");
    expect(code).toBe(1);
    const back = await ask("compare", "more.ts", "pay.ts");
    expect(back.out).toContain("no longer calls `bank.tell`");
    expect(back.out).toContain("stronger: `bank.maxSpend(150)` became `bank.maxSpend(100)`");
  });

  // The guarantees are the same in all of these; the arguments of the calls differ.
  test.each([
    ["pay.ts", "whom.ts", ['now may also call `bank.pay` with `to` "b"'], 1],
    ["whom.ts", "pay.ts", ['no longer calls `bank.pay` with `to` "b"'], 1],
    ["pay.ts", "any.ts", ['now may also call `bank.pay` with `to` other than "a", as in `bank.pay(to: '], 1],
    ["any.ts", "pay.ts", ['no longer calls `bank.pay` with `to` other than "a"'], 1],
    ["pay.ts", "more.ts", ['now may also call `bank.tell`, as in `bank.tell(to: "a")`'], 1],
    ["dead.ts", "more.ts", ['now may also call `bank.tell`, as in `bank.tell(to: "a")`'], 1],
    ["pay.ts", "dead.ts", ["no difference"], 0],
    ["pay.ts", "hidden.ts", ["no difference"], 0],
  ])("calls that only one of %s and %s may make", async (first, second, expected, exit) => {
    const { code, out } = await ask("compare", first, second);
    for (const one of expected) expect(out.replace(/\s+/g, " ")).toContain(one);
    expect(code).toBe(exit);
  });

  test("calls that only one may make, as data", async () => {
    const { mayCall } = JSON.parse((await ask("compare", "pay.ts", "whom.ts", "--json")).out);
    const call = 'bank.pay(to: "b", amount: 100)';
    expect(mayCall).toEqual([
      { change: "added", tool: "bank.pay", argument: "to", values: ['"b"'], not: null, call },
    ]);
  });

  test("a contract that each states of something else is said from the first to the second", async () => {
    const { out } = await ask("compare", "to.ts", "to-other.ts");
    const said = out.replace(/\s+/g, " ");
    expect(said.match(/changed: `bank.only\(\["a"\]\)` became `bank.only\(\["b"\]\)`/g)).toHaveLength(2);
    expect(said).not.toContain('`bank.only(["b"])` became');
    expect(said).toContain('the second program may violate `bank.only(["a"])`');
    expect(said).toContain('the first program may violate `bank.only(["b"])`');
    const { guarantees } = JSON.parse((await ask("compare", "to.ts", "to-other.ts", "--json")).out);
    expect(guarantees.map((one: { readonly side: string }) => one.side)).toEqual(["first", "second"]);
  });

  test("inputs, loops, and a promise that does not hold", async () => {
    const loop = JSON.parse((await ask("compare", "any.ts", "loop.ts", "--json")).out);
    expect(loop.calls).toEqual({ added: [], removed: [] });
    expect(loop.bounds.map(({ after }: { readonly after: string | null }) => after)).toContain(null);
    expect(
      loop.guarantees.map((one: { readonly change: string; readonly there: string }) => [
        one.change,
        one.there,
      ]),
    ).toEqual([
      ["gone", "refuted"],
      ["new", "refuted"],
    ]);
    const { out, code } = await ask("compare", "pay.ts", "false.ts");
    expect(out).toContain("not proved: `bank.maxSpend(9)`, which `false.ts` states");
    expect(code).toBe(1);
  });
});

describe("bad input", () => {
  test.each([
    [["compare", "none.ts", "pay.ts"], "cannot read `none.ts`"],
    [["compare", "broken.ts", "pay.ts"], "FC"],
    [["compare", "bank.maxSpent(1)", "bank.none()"], "did you mean `bank.maxSpend`?"],
    [["compare", "bank.maxSpend(x)", "bank.none()"], "are not constants"],
    [["compare", "bank.maxSpend('x')", "bank.none()"], "must be `number`"],
    [["compare", "-", "-"], "only once"],
    [["compare", "pay.ts", "apart/pay.ts"], "two different things are called `bank.pay`"],
    [["lint", "none.ts"], "cannot read"],
    [["lint", "broken.ts"], "FC"],
    [["lint", "pay.eir"], "not what can be linted"],
  ])("%s", async (args, message) => {
    const { code, err, out } = await ask(...args);
    expect(err).toContain(message);
    expect([code, out]).toEqual([2, ""]);
    const json = await ask(...args, "--json");
    expect(json.code).toBe(2);
    expect(JSON.parse(json.out).ok).toBe(false);
  });
});

describe("lint", () => {
  test.each([
    ["tools", [], 0],
    ["tools/bank.ts", [], 0],
    [".", [], 0],
    ["pay.ts", [], 0],
    ["twice.ts", ["FC5241"], 1],
    ["policy.json", ["FC5231"], 1],
  ])("%s: %s", async (path, codes, expected) => {
    const { code, out, err } = await ask("lint", path, "--json");
    expect(err).toBe("");
    expect(JSON.parse(out).findings.map((one: { readonly code: string }) => one.code)).toEqual(codes);
    expect(code).toBe(expected);
  });
});
