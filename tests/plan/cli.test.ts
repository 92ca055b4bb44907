/** `foreclaim plan` as its users meet it: what is printed, as what, and with which exit code. */
import { describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { fakeTerminal } from "../cli/fake-terminal.ts";
import { call, pre, write } from "./plans.ts";

const good = {
  id: "good",
  actions: [write("w", "x", 1), call("r", "t", { preconditions: [pre("x", "eq", 1)] })],
};
const bad = { id: "bad", actions: [call("r", "t", { preconditions: [pre("x", "eq", 1)] })] };
const files: Readonly<Record<string, string>> = {
  "good.json": JSON.stringify(good),
  "bad.json": JSON.stringify(bad),
  "twice.json": JSON.stringify({ actions: [call("a", "t"), call("a", "t")] }),
  "words.json": '{"actions": [{"id": "a", "type": "call"}]}',
  "text.json": "no",
  "big.json":
    '{"actions": [{"id": "w", "type": "state_write", "parameters": {"key": "n", "value": 12345678901234567890.5}}]}',
  "one.json": '{"x": 1}',
  "two.json": '{"x": 2}',
  "list.json": "[]",
};

async function foreclaim(...args: readonly string[]) {
  const terminal = fakeTerminal({ files });
  const code = await runProgram(["plan", ...args], terminal, "0.0.0");
  return { code, out: terminal.out(), err: terminal.err(), files: terminal.files };
}

/** Each: the arguments, the exit code, and a part of what is printed. */
test.each<[string, number, RegExp]>([
  ["verify good.json", 0, /^valid {2}2 actions in 2 levels\n$/],
  [
    "verify bad.json",
    1,
    /error FC3102: the precondition `x eq 1` of `r` may fail: it may be absent at the start/,
  ],
  ["verify bad.json --state one.json", 0, /^valid/],
  ["verify bad.json --state two.json", 1, /error FC3101: .* fails: it is `2` at the start/],
  ["verify bad.json --state list.json", 2, /error FC1102: a state is an object/],
  ["verify good.json --known-tools u,v", 1, /error FC3106: `r` calls `t`, which is no known tool/],
  ["verify good.json --known-tools t", 0, /^valid/],
  ["verify good.json --max-actions 1", 1, /error FC3002: the plan has 2 actions, more than 1/],
  ["verify good.json --max-actions many", 2, /error FC9001/],
  ["verify twice.json", 1, /error FC3003: the id `a` is used twice/],
  ["verify words.json", 2, /error FC1105: `call` is not one of the words/],
  ["verify text.json", 2, /error FC1101/],
  ["verify nowhere.json", 2, /error FC9002/],
  ["verify good.json --compat other", 2, /error FC9001/],
  ["verify bad.json --compat car", 1, /error FC3101: precondition will fail: state key 'x' does not exist/],
  ["simulate good.json", 0, /^x = 1\n$/],
  ["simulate bad.json", 0, /x is not known\nr may not run, which ends the plan: it asks for x eq 1\n/],
  ["simulate twice.json", 2, /error FC3003/],
  ["simulate big.json", 0, /^n = 12345678901234567890.5\n$/],
  ["equivalent good.json bad.json", 1, /^not equivalent\n {2}from /],
  ["equivalent good.json good.json", 0, /^equivalent\n$/],
  ["equivalent good.json twice.json", 2, /error FC3003/],
  ["equivalent good.json bad.json --compat car", 1, /^not equivalent\n$/],
  ["equivalent good.json good.json --compat car", 0, /^equivalent/],
  ["optimize good.json", 2, /no strict answer yet/],
  ["optimize good.json --compat car", 0, /"id": "good"/],
  ["graph good.json", 0, /^<svg [\s\S]*<\/svg>\n$/],
  ["graph twice.json", 2, /error FC3003/],
])("plan %s", async (line, code, said) => {
  const done = await foreclaim(...line.split(" "));
  expect(`${done.out}${done.err}`).toMatch(said);
  expect(done.code).toBe(code);
});

describe("with --json", () => {
  const json = async (line: string) => {
    const { out, code } = await foreclaim(...line.split(" "), "--json");
    return { code, answer: JSON.parse(out), out };
  };

  test("verify", async () => {
    const { answer, code } = await json("verify bad.json");
    expect(code).toBe(1);
    expect(answer).toEqual({
      valid: false,
      issues: [
        {
          action_id: "r",
          severity: "error",
          message: "the precondition `x eq 1` of `r` may fail: it may be absent at the start",
          code: "FC3102",
          tier: "decided",
          key: "x",
          witness: { state: {}, schedule: ["r"], failed: [], written: [] },
          help: "nothing is known of the state at the start; give it with `--state`",
        },
      ],
      simulated_state: {},
      execution_levels: [["r"]],
      conflicts: [],
      tier: "decided",
      claims: [],
    });
  });

  test("verify, compatible", async () => {
    const { answer } = await json("verify bad.json --compat car");
    expect(Object.keys(answer)).toEqual([
      "valid",
      "issues",
      "simulated_state",
      "execution_levels",
      "conflicts",
    ]);
    expect(answer.issues).toMatchObject([
      { action_id: "r", severity: "error", code: "FC3101", tier: "decided" },
    ]);
  });

  test("numbers of the state stay exact", async () => {
    expect((await json("simulate big.json")).out).toContain('"n": 12345678901234567890.5');
    expect((await json("verify big.json")).out).toContain('"n": 12345678901234567890.5');
  });

  test("simulate, equivalent, optimize, graph", async () => {
    expect((await json("simulate good.json")).answer).toEqual({
      state: { x: 1 },
      unknown: [],
      blocked: [],
      unreached: [],
    });
    expect((await json("simulate good.json --compat car")).answer).toEqual({ state: { x: 1 }, unknown: [] });
    expect((await json("equivalent good.json good.json --compat car")).answer).toEqual({ equivalent: true });
    expect((await json("equivalent good.json bad.json --compat car")).answer).toEqual({
      equivalent: false,
      difference: { state: {}, first: { x: 1 }, second: {} },
    });
    expect((await json("optimize good.json --compat car")).answer).toMatchObject({
      proposal: good,
      proof: null,
      dropped: [],
    });
    expect((await json("graph good.json")).answer.svg).toMatch(/^<svg/);
    expect((await json("verify text.json")).answer).toMatchObject({
      ok: false,
      problems: [{ code: "FC1101" }],
    });
  });
});

test("a picture goes to a file", async () => {
  const { files: now, out, code } = await foreclaim("graph", "good.json", "-o", "good.svg");
  expect([code, out]).toEqual([0, ""]);
  expect(now.get("good.svg")).toMatch(/^<svg/);
});
