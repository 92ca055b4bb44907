/** Proved, unproved and refused plans. */
import { afterAll, describe, expect, test } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { check } from "../../src/ir/check/index.ts";
import type { Document } from "../../src/ir/document.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
import { checkLowered, defaultPlanLimits, lower, provePlan } from "../../src/plan/index.ts";
import { structureOf } from "../../src/plan/strict/structure.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { fakeHost } from "../cli/fake-host.ts";
import { book, declarations, guaranteesFrom } from "./lab.ts";
import { type ActionData, call, planOf, pre, write } from "./plans.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const send = (id: string, n: unknown, more: ActionData = {}) =>
  call(id, "lab.send", { parameters: { to: "a", n }, ...more });
const at = (id: string, tool: string, more: ActionData = {}) =>
  call(id, `lab.${tool}`, { parameters: { at: "a" }, ...more });
const skip = { failure_behavior: "skip" };
const retry = (times: number) => ({ failure_behavior: "retry", max_retries: times });
const after = (...dependencies: readonly string[]) => ({ dependencies });
const asked = { preconditions: [pre("x", "eq", 1)] };

const claiming = at("u", "unlock", { expected_effects: { x: 1 } });

function lowered(actions: readonly ActionData[], stated: readonly string[], maxCalls?: number) {
  const plan = planOf(...actions);
  const structure = structureOf(plan, { book });
  if (structure.kind === "broken") throw new Error(JSON.stringify(structure.findings));
  const guarantees = guaranteesFrom(stated);
  return lower(plan, structure, {
    book,
    declarations,
    guarantees,
    ...(maxCalls !== undefined && { maxCalls }),
  });
}

async function proofOf(actions: readonly ActionData[], stated: readonly string[]) {
  const made = lowered(actions, stated);
  if (made.kind === "refused") throw new Error(JSON.stringify(made.findings));
  const checked = checkLowered(made);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return provePlan(made, checked.value.checked, {
    solver: async () => solver,
    limits: { timeoutMs: 10_000, resources: 1_000_000 },
  });
}

/** Each: what it is about, the actions, the promise, and what is found; `safe` or `open` if it is proved. */
test.each<[string, readonly ActionData[], string, string]>([
  ["a sum", [send("a", 2), send("b", 3)], "maxSum(5)", "safe"],
  ["a sum that is too large", [send("a", 2), send("b", 3)], "maxSum(4)", "refuted"],
  ["each try counts", [send("a", 2, retry(2))], "maxSum(6)", "safe"],
  ["and not one less", [send("a", 2, retry(2))], "maxSum(5)", "refuted"],
  ["without retry there is one try", [send("a", 2, { max_retries: 9 })], "atMost(1)", "safe"],
  ["at least once, if it goes to its end", [send("a", 2)], "atLeast(1)", "open"],
  ["at least once, with retries", [send("a", 2, retry(2))], "atLeast(1)", "open"],
  ["not at least once, if it may be skipped", [send("a", 2, skip)], "atLeast(1)", "refuted"],
  ["nor if it may not be reached", [send("a", 2, { ...skip, ...asked })], "atLeast(1)", "unknown"],
  ["a precondition that ends the plan", [send("a", 2, asked)], "atLeast(1)", "open"],
  ["and that nobody knows of", [send("a", 2, asked)], "maxSum(1)", "unknown"],
  ["and that is met", [write("w", "x", 1), send("a", 2, asked)], "maxSum(1)", "refuted"],
  ["and that is met as far as is claimed", [claiming, send("a", 2, asked)], "maxSum(1)", "unknown"],
  ["and that never is", [write("w", "x", 2), send("b", 1), send("a", 2, asked)], "maxSum(2)", "unknown"],
  ["an output, with what is ensured of it", [at("l", "look"), send("a", "$l.output")], "maxSum(3)", "safe"],
  ["not less than that", [at("l", "look"), send("a", "$l.output")], "maxSum(2)", "refuted"],
  ["an output of a retry", [at("l", "look", retry(1)), send("a", "$l.output")], "noneLarge(4)", "safe"],
  ["an output that may be missing", [at("l", "look", skip), send("a", "$l.output")], "maxSum(3)", "safe"],
  ["an output that is not of the type", [write("w", "x", 1), send("a", "$w.output")], "maxSum(3)", "unknown"],
  ["a compensation", [send("a", 2, { compensation: undoneWith(1) })], "maxSum(2)", "open"],
  ["with it", [send("a", 2, { compensation: undoneWith(1) })], "maxSum(3)", "safe"],
  [
    "a compensation that is another action",
    [send("a", 2, { compensation: { type: "action_ref", action_id: "b" } }), send("b", 1)],
    "maxSum(3)",
    "open",
  ],
  ["the end", [at("u", "unlock"), at("l", "lock")], "allLocked()", "open"],
  ["the end, where the last may fail", [at("u", "unlock"), at("l", "lock", skip)], "allLocked()", "refuted"],
  [
    "the end, where the last is tried again",
    [at("u", "unlock"), at("l", "lock", retry(3))],
    "allLocked()",
    "open",
  ],
  ["a tool that requires what is so", [at("u", "unlock"), at("e", "enter")], "enters(1)", "safe"],
  ["what a skipped tool would require is not so", [at("e", "enter", skip)], 'openAtEnd("a")', "unknown"],
  ["calls in order", [at("l", "look"), send("a", 1, after("l"))], "looksFirst()", "safe"],
  ["single calls, which start in the order written", [at("l", "look"), send("a", 1)], "looksFirst()", "open"],
  [
    "calls in no order",
    [send("b", 1), at("u", "unlock", after("b")), at("l", "look"), send("a", 1, after("l"))],
    "looksFirst()",
    "refuted",
  ],
  ["calls in the wrong order", [send("a", 1), at("l", "look", after("a"))], "looksFirst()", "refuted"],
  [
    "calls that are in order by something that calls nothing",
    [at("l", "look"), write("w", "x", 1, after("l")), send("a", 1, after("w"))],
    "looksFirst()",
    "safe",
  ],
  ["states on the way", [at("u", "unlock"), at("l", "lock")], "neverOpen()", "refuted"],
  ["states on the way, one order", [at("l", "lock")], "neverOpen()", "open"],
  ["states on the way, in the row", [at("l", "lock"), send("a", 1)], "neverOpen()", "open"],
])("%s", async (_, actions, stated, expected) => {
  const [found] = (await proofOf(actions, [stated])).guarantees;
  const kind = found?.verdict.kind === "proved" ? found.interruption?.kind : found?.verdict.kind;
  expect(
    kind,
    JSON.stringify(found?.verdict, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
  ).toBe(expected);
});

function undoneWith(n: number) {
  return { type: "tool", tool: "lab.send", parameters: { to: "a", n } };
}

test("where it may not hold if the run stops", async () => {
  const [found] = (await proofOf([send("a", 1), send("b", 1)], ["atLeast(1)"])).guarantees;
  if (found?.interruption?.kind !== "open") throw new Error("it is not open");
  expect(found.interruption.at.map(({ after: call, certain }) => [call?.id ?? "", certain])).toEqual([
    ["", true],
    ["a", true],
    ["b", true],
  ]);
});

test("what tools require is an obligation", async () => {
  const kinds = async (...actions: readonly ActionData[]) =>
    (await proofOf(actions, ["atMost(9)"])).obligations.map(({ verdict }) => verdict.kind);
  expect(await kinds(at("u", "unlock"), at("e", "enter"))).toEqual(["proved"]);
  expect(await kinds(at("u", "unlock", skip), at("e", "enter"))).toEqual(["unknown"]);
  expect(await kinds(at("e", "enter"), at("u", "unlock"))).toEqual(["refuted"]);
  expect(await kinds(at("e", "enter", skip), at("u", "unlock"))).toEqual(["refuted"]);
});

test("the document says what may happen", () => {
  const made = lowered(
    [at("l", "look", retry(1)), send("a", "$l.output", { ...skip, compensation: undoneWith(1) })],
    ["maxSum(9)"],
  );
  if (made.kind === "refused") throw new Error("refused");
  const programOf = (document: Document | undefined) =>
    document && printDocument(document).replace(/^[\s\S]*(?=program)|\n\nguarantee[\s\S]*$/g, "");
  expect(programOf(made.document)).toMatchInlineSnapshot(`
    "program () {
      let plan = "c0457e2a8dfdf02702b19bf2b029ea9379d6677aea6b48e9d9a93573a6d92f81"
      let \`output of l\` = call @l lab.look(at: "a") catch \`l failed\`
      let \`output of l, try 2\` = call @\`l, try 2\` lab.look(at: "a") when \`l failed\`
      let \`output of l at last\` = if isSome(\`output of l\`) then \`output of l\` else \`output of l, try 2\`
      call @a lab.send(to: "a", n: value(\`output of l at last\`)) catch \`a failed\`
    }"
  `);
  expect(programOf(made.stopped)).toMatchInlineSnapshot(`
    "program (\`l is reached\`: bool, \`try 2 of l is made\`: bool, \`a is reached\`: bool, \`compensation of a is made\`: bool) {
      let \`output of l\` = call @l lab.look(at: "a") when \`l is reached\` catch \`l failed\`
      let \`output of l, try 2\` = call @\`l, try 2\` lab.look(at: "a") when \`l failed\` and \`try 2 of l is made\` catch \`l failed at try 2\`
      let \`output of l at last\` = if isSome(\`output of l\`) then \`output of l\` else \`output of l, try 2\`
      call @a lab.send(to: "a", n: value(\`output of l at last\`)) when isSome(\`output of l at last\`) and \`a is reached\` catch \`a failed\`
      call @\`compensation of a\` lab.send(to: "a", n: 1) when \`compensation of a is made\` catch \`compensation of a failed\`
    }"
  `);
});

test("names of actions cannot be mistaken for names of inputs", () => {
  const ids = ["a", "a, try 2", "a is reached", "output of a", "a failed", "compensation of a"];
  const made = lowered(
    ids.map((id) => at(id, "look", { ...retry(2), compensation: undoneWith(1) })),
    ["maxSum(9)"],
  );
  if (made.kind === "refused") throw new Error("refused");
  expect(checkLowered(made).ok).toBe(true);
  expect(made.stopped && check(made.stopped).ok).toBe(true);
});

describe("refused", () => {
  const code = (...actions: readonly ActionData[]) => {
    const made = lowered(actions, ["maxSum(9)"]);
    return made.kind === "refused" ? made.findings.map((one) => one.code).join(" ") : "";
  };

  test.each<[string, ActionData, string]>([
    ["a write of another key", write("w", "x", 1), ""],
    ["a write of a key that only looks like a cell", write("w", "lab[a]", 1), ""],
    ["a write of a cell", write("w", "lab.open[a]", true), "FC3411"],
    ["an effect on a cell", write("w", "x", 1, { expected_effects: { "lab.level[z]": 1 } }), "FC3411"],
    ["a write set with a cell", write("w", "x", 1, { write_set: ["lab.level[z]"] }), "FC3411"],
    ["a claim that the tool makes", at("u", "unlock", { expected_effects: { "lab.open[a]": true } }), ""],
    [
      "a claim that it does not make",
      at("u", "unlock", { expected_effects: { "lab.open[b]": true } }),
      "FC3411",
    ],
    [
      "a compensation with a tool of nobody",
      send("a", 1, { compensation: { type: "tool", tool: "lab.sned", parameters: {} } }),
      "FC3412",
    ],
    [
      "a compensation that does not fit",
      send("a", 1, { compensation: { type: "tool", tool: "lab.send", parameters: { to: 1, n: 1 } } }),
      "FC3412",
    ],
    [
      "a compensation of a cell that the run decides",
      at("a", "look", { compensation: { type: "tool", tool: "lab.lock", parameters: { at: "$a.output" } } }),
      "FC3412",
    ],
  ])("%s", (_, action, expected) => {
    expect(code(action)).toBe(expected);
  });

  test("as many calls as are followed, and one more", () => {
    const kind = (times: number, most?: number) =>
      lowered([send("a", 1, retry(times))], ["maxSum(9)"], most).kind;
    expect([kind(9, 10), kind(10, 10)]).toEqual(["lowered", "refused"]);
    expect(kind(2 ** 32 - 1)).toBe("refused");
    expect(kind(defaultPlanLimits.calls)).toBe("refused");
  });
});

describe("on the command line", () => {
  const bank = `
import { contract, tool } from "foreclaim";
export const withdraw = tool({ run: async ({ amount }: { amount: number }): Promise<void> => {} });
export const maxSpend = contract((limit: number) => withdraw.sum((w) => w.amount) <= limit);
export const only = contract((amounts: number[]) => withdraw.all((w) => amounts.includes(w.amount)));
`;
  const pay = call("pay", "bank.withdraw", { parameters: { amount: 300 } });
  const files = {
    "tools/bank.ts": bank,
    "plan.json": JSON.stringify({ actions: [pay, { ...pay, id: "again" }] }),
    "owned.json": JSON.stringify({ actions: [{ ...pay, compensation: undoneWith(1) }] }),
    "twice.json": JSON.stringify({ actions: [pay, pay] }),
    "words.json": '{"actions": [{"id": "a", "type": "call"}]}',
    "one.eir": "effect-ir 1\nprogram () {\n}\n",
  };
  const prove = async (...args: readonly string[]) => {
    const host = fakeHost({ files });
    const code = await runCli(["prove", ...args], host, "0");
    return { code, said: host.out() + host.err() };
  };

  test.each<[readonly string[], number, RegExp]>([
    [["plan.json", "--guarantee", "bank.maxSpend(600)"], 0, /proved {3}bank\.maxSpend\(600\)/],
    [["plan.json", "--guarantee", "bank.maxSpend(600)", "bank.only([300, 1.5])"], 0, /2 guarantees proved/],
    [["plan.json", "--guarantee", "bank.maxSpend(599)"], 1, /refuted {2}bank\.maxSpend\(599\)/],
    [["plan.json", "--guarantee", "bank.maxSpend(600)", "--tools", "tools"], 0, /proved/],
    [["plan.json", "--guarantee", "bank.maxSpent(600)"], 2, /there is no contract `bank\.maxSpent`/],
    [["plan.json", "--guarantee", "bank.maxSpend"], 2, /is no contract with its arguments/],
    [
      ["plan.json", "--guarantee", "bank.maxSpend(x)"],
      2,
      /the arguments of `bank\.maxSpend\(x\)` are not constants/,
    ],
    [
      ["plan.json", "--guarantee", "bank.maxSpend(1)], async run() {}, x: [(1)"],
      2,
      /the arguments of `.*` are not constants/,
    ],
    [["plan.json", "--guarantee", 'bank.maxSpend("x")'], 1, /FC2105/],
    [["plan.json", "--guarantee", "bank.maxSpend(1)", "--tools", "nowhere"], 2, /FC9002/],
    [["plan.json"], 0, /proved/],
    [["owned.json", "--guarantee", "bank.maxSpend(1)"], 1, /error FC3412[\s\S]*owned\.json:1/],
    [["twice.json", "--guarantee", "bank.maxSpend(1)"], 1, /error FC3003/],
    [["words.json", "--guarantee", "bank.maxSpend(1)"], 2, /error FC1105/],
    [["one.eir", "--guarantee", "bank.maxSpend(1)"], 2, /`one\.eir` is not a plan/],
  ])("prove %j", async (args, code, said) => {
    const done = await prove(...args);
    expect(done.said).toMatch(said);
    expect(done.code).toBe(code);
  });

  test("with --json, the same shape as for programs, with places in the plan", async () => {
    const { said } = await prove("plan.json", "--guarantee", "bank.maxSpend(599)", "--json");
    expect(JSON.parse(said)).toMatchObject({
      file: "plan.json",
      verdict: "refuted",
      guarantees: [
        {
          name: "bank.maxSpend",
          text: "the sum of `amount` over all calls of `bank.withdraw` is at most 599",
          verdict: "refuted",
          counterexample: { calls: [{ call: "pay", line: 1 }, { call: "again" }] },
        },
      ],
      obligations: [],
      errors: [],
      hash: expect.stringMatching(/^eir1-/),
      relativeTo: expect.stringMatching(/^the tool modules fcm1-/),
    });
  });
});
