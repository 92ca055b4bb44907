/** A document's declarations of tools, fluents and contracts are optional, and must be true. */
import { describe, expect, it } from "vitest";
import { compileTools } from "../../src/frontend/index.ts";
import { hashDocument, parseDocument, printDocument } from "../../src/ir/index.ts";
import { linkDocument, TrustedLayer } from "../../src/link/index.ts";

const files: Readonly<Record<string, string>> = {
  "/w/tools/bank.ts": `import { contract, coverage, fluent, type Int, labelled, tool } from "foreclaim";
export const frozen = fluent<string, boolean>({ initial: false });
export const balance = tool({
  reads: true,
  source: "untrusted",
  ensures: (result) => result >= 0,
  run: async ({ account }: { account: string }): Promise<number> => 0,
});
export const withdraw = tool({
  labels: ["outgoing"],
  requires: ({ account, amount }) => amount >= 0 && !frozen.get(account),
  cost: ({ amount }) => amount,
  run: async ({ account, amount }: { account: string; amount: number }): Promise<void> => {},
  undo: async () => {},
});
export const freeze = tool({
  idempotent: true,
  effects: ({ account }) => [frozen.set(account, true)],
  run: async ({ account }: { account: string }): Promise<void> => {},
});
export const maxSpend = contract((limit: number) => withdraw.sum((w) => w.amount) <= limit);
export const atMost = contract((n: Int) => withdraw.count() <= n);
export const oneOf = contract((accounts: string[]) => withdraw.all((w) => accounts.includes(w.account)));
export const limits = contract((list: { account: string; limit?: number }[]) =>
  list.every((one) => withdraw.where((w) => w.account === one.account).sum((w) => w.amount) <= (one.limit ?? 0)));
export const perhaps = contract((account?: string) => withdraw.all((w) => account === undefined || w.account === account));
export const ofKind = contract((kind: "card" | "savings") => withdraw.all((w) => w.account === kind));
export const outgoingAtMost = contract((n: number) => labelled("outgoing").count() <= n);
export const nothing = contract(() => true);
export const policy = coverage({ whenUsed: [withdraw], required: [outgoingAtMost(3)], recommended: [maxSpend], label: "bank" });
`,
};

const readFile = (path: string) => files[path];
const compiled = compileTools(["/w/tools/bank.ts"], { readFile, tools: ["/w/tools"] });
if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
const layer = new TrustedLayer([compiled.value]);

function link(text: string) {
  const read = parseDocument(text);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const { document, locate } = read.value;
  const result = linkDocument(document, layer, { readFile, tools: ["/w/tools"] });
  return { result, locate, text };
}

/** `FC2602 requires amount >= 0`: the code, and what it is about in the text. */
function problems(text: string): readonly string[] {
  const { result, locate } = link(text);
  if (result.kind === "linked") return [];
  if (result.kind === "modules") throw new Error(result.problems[0]?.message);
  return result.problems.map(({ code, path }) => {
    const span = locate(path);
    return `${code} ${span === undefined ? "" : text.slice(span.start, span.end).split("\n")[0]}`.trim();
  });
}

function linked(text: string) {
  const { result } = link(text);
  if (result.kind !== "linked") throw new Error(result.problems.map(({ message }) => message).join("\n"));
  return result.linked;
}

const body = `program () {
  let owed = call bank.balance(account: "card")
  call bank.withdraw(account: "card", amount: min(owed, 500))
}
`;
const short = `effect-ir 1
${body}
guarantee bank.maxSpend(500)
`;
/** All that can be said, as the modules say it. */
const whole = printDocument(linked(short).checked.document);

describe("what is left out is taken from the tool modules", () => {
  it("is the same document as one that says it all", () => {
    expect(whole).toContain("  requires amount >= 0\n  requires not now bank.frozen[account]\n");
    expect(whole).toContain("guarantee bank.outgoingAtMost(3):");
    expect(hashDocument(linked(whole).checked.document)).toBe(hashDocument(linked(short).checked.document));
  });

  it("adds what a policy requires, and says where", () => {
    const { compiled: found } = linked(short);
    expect(found.document.guarantees.map(({ name }) => name)).toEqual([
      "bank.maxSpend",
      "bank.outgoingAtMost",
    ]);
    expect(found.used[0]?.contracts[0]).toMatchObject({ contract: "bank.outgoingAtMost", added: 1 });
    expect(linked(whole).compiled.used[0]?.contracts[0]).toMatchObject({ stated: 1 });
  });

  it("takes what nobody calls, if the modules declare it", () => {
    const found = linked(`effect-ir 1
tool bank.freeze(account: string)
  idempotent
  sets bank.frozen[account] = true
program () {}
guarantee bank.nothing()`);
    expect(found.checked.document.tools.map(({ name }) => name)).toEqual(["bank.freeze"]);
    expect(found.checked.document.fluents.map(({ name }) => name)).toEqual(["bank.frozen"]);
  });
});

describe("what is said and is not so is invalid, at its place", () => {
  it.each<[name: string, from: string | RegExp, to: string, problem: readonly string[]]>([
    [
      "a false ensures",
      "ensures result >= 0",
      "ensures result >= 0 and result <= 500",
      ["FC2602 result >= 0 and result <= 500"],
    ],
    [
      "an ensures more",
      "ensures result >= 0",
      "ensures result >= 0\n  ensures result <= 500",
      ["FC2602 result <= 500"],
    ],
    ["no ensures", "  ensures result >= 0\n", "", ["FC2602 bank.balance"]],
    ["no requires", /( {2}requires .*\n)+/, "", ["FC2602 bank.withdraw"]],
    [
      "one requires less",
      "  requires not now bank.frozen[account]\n",
      "",
      ["FC2602 tool bank.withdraw(account: string, amount: real)"],
    ],
    [
      "a weaker requires",
      "requires not now bank.frozen[account]",
      "requires not now bank.frozen[account] or amount >= 0",
      ["FC2602 not now bank.frozen[account] or amount >= 0"],
    ],
    ["another type of a parameter", "amount: real)", "amount: int)", ["FC2602 int"]],
    ["another name of a parameter", "account: string, amount", "to: string, amount", ["FC2602 to"]],
    ["an optional parameter", "account: string, amount", "account?: string, amount", ["FC2602 ?"]],
    ["another result", "-> real", "-> int", ["FC2602 int"]],
    ["another label", 'labels "outgoing"', 'labels "incoming"', ['FC2602 "incoming"']],
    ["a label more", 'labels "outgoing"', 'labels "outgoing", "paid"', ['FC2602 "paid"']],
    ["no label", '  labels "outgoing"\n', "", ["FC2602 bank.withdraw"]],
    ["another cost", "cost amount", "cost 0", ["FC2602 0"]],
    ["no cost", "  cost amount\n", "", ["FC2602 bank.withdraw"]],
    ["no reads", "  reads\n", "", ["FC2602 bank.balance"]],
    ["trust", "  untrusted\n", "", ["FC2602 bank.balance"]],
    ["no undo", "  undoable\n", "", ["FC2602 bank.withdraw"]],
    ["more flags", "  undoable\n", "  undoable\n  idempotent\n", ["FC2602 idempotent"]],
    [
      "a state that is set",
      "  cost amount\n",
      "  sets bank.frozen[account] = false\n  cost amount\n",
      ["FC2602 sets bank.frozen[account] = false"],
    ],
    ["another initial value", "bool = false", "bool = true", ["FC2603 true"]],
    [
      "no initial value",
      "bool = false",
      "bool = unknown",
      ["FC2603 fluent bank.frozen[string]: bool = unknown"],
    ],
    ["another type of a fluent", "[string]: bool = false", '[string]: enum{"a"} = "a"', ['FC2603 enum{"a"}']],
    ["a tool of its own", "tool bank.balance", "tool bank.credit", ["FC2601 bank.credit"]],
    [
      "a tool twice",
      "program ()",
      "tool bank.freeze(account: string)\n  idempotent\n  sets bank.frozen[account] = true\ntool bank.freeze(account: string)\n  idempotent\n  sets bank.frozen[account] = true\nprogram ()",
      ["FC1206 bank.freeze"],
    ],
    [
      "other modules",
      /modules ".*"/,
      `modules "fcm1-${"0".repeat(64)}"`,
      [`FC2607 "fcm1-${"0".repeat(64)}"`],
    ],
    ["a weaker formula", "w.amount) <= 500", "w.amount) <= 5000", ["FC2606 5000"]],
    ["a formula that says nothing", /(maxSpend\(500\)): .*/, "$1: true", ["FC2606 true"]],
    ["other arguments than in the formula", "maxSpend(500)", "maxSpend(50)", ["FC2606 500"]],
    ["a required contract that says less", 'outgoing") <= 3', 'outgoing") <= 30', ["FC2606 30"]],
  ])("%s", (_, from, to, expected) => {
    const text = whole.replace(from, to);
    expect(text).not.toBe(whole);
    expect(problems(text)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['call bank.pay(account: "a")', ["FC2601 bank.pay"]],
    ['call bank.withdraw(account: "a")', ['FC1215 call bank.withdraw(account: "a")']],
    ["call bank.withdraw(account: 1, amount: 1)", ["FC1301 1"]],
    ["let x = y", ["FC1201 y"]],
  ])("%s", (command, expected) => {
    expect(problems(`effect-ir 1\nprogram () {\n  ${command}\n}\nguarantee bank.nothing()`)).toEqual(
      expected,
    );
  });

  it("states something", () => {
    expect(problems(`effect-ir 1\n${body}`)).toEqual(["FC2608 effect-ir 1"]);
  });
});

describe("a guarantee without a formula is the contract with these arguments", () => {
  it.each<[stated: string, expected: string]>([
    ["bank.maxSpend(500)", "sum(w in bank.withdraw: w.amount) <= 500"],
    ["bank.maxSpend(0.5)", "sum(w in bank.withdraw: w.amount) <= 0.5"],
    ["bank.maxSpend(ratio(1, 3))", "sum(w in bank.withdraw: w.amount) <= ratio(1, 3)"],
    ["bank.atMost(2)", "count(w in bank.withdraw) <= 2"],
    ['bank.oneOf(["a", "b"])', 'forall w in bank.withdraw: contains(["a", "b"], w.account)'],
    ["bank.oneOf([])", "forall w in bank.withdraw: contains([], w.account)"],
    ['bank.ofKind("card")', 'forall w in bank.withdraw: w.account == "card"'],
    ["bank.maxSpend(true)", "FC2605 true"],
    ['bank.maxSpend("500")', 'FC2605 "500"'],
    ["bank.maxSpend()", "FC2605 guarantee bank.maxSpend()"],
    ["bank.maxSpend(1, 2)", "FC2605 2"],
    ["bank.maxSpend(none)", "FC2605 none"],
    ["bank.maxSpend(some(1))", "FC2605 some(1)"],
    ["bank.maxSpend(1 + 1)", "FC2605 1 + 1"],
    ["bank.atMost(0.5)", "FC2605 0.5"],
    ['bank.oneOf("a")', 'FC2605 "a"'],
    ['bank.oneOf(["a", 1])', "FC2605 1"],
    ['bank.ofKind("bonds")', 'FC2605 "bonds"'],
    ["bank.limits([{ account: 1 }])", "FC2605 1"],
    ['bank.limits([{ name: "a" }])', "FC2605 name"],
    ["bank.maxSpent(500)", "FC2604 bank.maxSpent"],
    ["bank.withdraw(500)", "FC2604 bank.withdraw"],
  ])("%s", (stated, expected) => {
    const text = `effect-ir 1\n${body}guarantee ${stated}\n`;
    const { result } = link(text);
    const found =
      result.kind === "linked"
        ? printDocument(result.linked.checked.document)
            .split("guarantee ")[1]
            ?.replace(/^.*?\):\s*/, "")
            .trim()
        : problems(text)[0];
    expect(found).toBe(expected);
  });

  it("takes records, optional fields and optional arguments", () => {
    for (const stated of [
      'bank.limits([{ account: "card", limit: 5 }, { account: "savings" }])',
      'bank.limits([{ limit: 5, account: "card" }])',
      'bank.perhaps("card")',
      'bank.perhaps(some("card"))',
      "bank.perhaps(none)",
      "bank.perhaps()",
    ])
      expect(problems(`effect-ir 1\n${body}guarantee ${stated}\n`), stated).toEqual([]);
    const formula = (stated: string) =>
      linked(`effect-ir 1\n${body}guarantee ${stated}\n`).checked.document.guarantees[0]?.formula;
    expect(formula('bank.perhaps(some("card"))')).toEqual(formula('bank.perhaps("card")'));
    expect(formula("bank.perhaps(none)")).toEqual(formula("bank.perhaps()"));
    expect(formula("bank.perhaps(none)")).not.toEqual(formula('bank.perhaps("card")'));
  });
});

describe("statements of its own", () => {
  const own = (formula: string, name = "my.limit") => `effect-ir 1\n${body}guarantee ${name}(): ${formula}\n`;

  it("are marked, and no contract's", () => {
    const found = linked(own("sum(w in bank.withdraw: w.amount) <= 1000"));
    expect([...found.own]).toEqual([0]);
    expect(found.compiled.document.guarantees.map(({ name }) => name)).toEqual([
      "my.limit",
      "bank.outgoingAtMost",
    ]);
    expect(found.compiled.used[0]?.contracts.map(({ stated }) => stated)).toEqual([undefined, undefined]);
  });

  it("may speak of what nobody calls, as the modules declare it", () => {
    const found = linked(own('count(f in bank.freeze) == 0 and not final bank.frozen["card"]'));
    expect(found.checked.document.tools.map(({ name }) => name)).toContain("bank.freeze");
  });

  it.each<[string, string]>([
    ["count(f in bank.steal) == 0", "FC2601 bank.steal"],
    ['final bank.closed["card"]', "FC2603 bank.closed"],
    ["forall c in final bank.closed: c.value", "FC2603 bank.closed"],
    ['count(f in label "paid") == 0', 'FC1205 "paid"'],
    ["forall w in bank.withdraw: flows(w.account, tool bank.steal)", "FC2601 bank.steal"],
  ])("%s", (formula, expected) => {
    expect(problems(own(formula))).toEqual([expected]);
  });

  it("cannot have the name of a contract", () => {
    expect(problems(own("true", "bank.nothing"))).toEqual([]);
    expect(problems(own("1 == 1", "bank.nothing"))).toEqual(["FC2606 1 == 1"]);
  });
});
