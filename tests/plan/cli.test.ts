/** `foreclaim plan` as its users meet it: what is printed, as what, and with which exit code. */
import { describe, expect, test } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { fakeHost } from "../cli/fake-host.ts";
import { call, pre, write } from "./plans.ts";

const good = {
  id: "good",
  actions: [write("w", "x", 1), call("r", "t", { preconditions: [pre("x", "eq", 1)] })],
};
const bad = { id: "bad", actions: [call("r", "t", { preconditions: [pre("x", "eq", 1)] })] };
const slow = {
  id: "slow",
  actions: [
    call("fetch", "t"),
    write("note", "noted", true, { dependencies: ["fetch"] }),
    call("send", "u", { dependencies: ["note"] }),
  ],
};
const files: Readonly<Record<string, string>> = {
  "slow.json": JSON.stringify(slow),
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
  const host = fakeHost({ files });
  const code = await runCli(["plan", ...args], host, "0.0.0");
  return { code, out: host.out(), err: host.err(), files: host.files };
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
  ["verify good.json --known-tools u,v", 1, /error FC3106: `r` calls `t`, which is not a known tool/],
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
  ["optimize good.json", 0, /"id": "good"[\s\S]*unchanged {2}2 levels\n$/],
  [
    "optimize bad.json",
    1,
    /"id": "bad"[\s\S]*error FC3401: the plan is not valid, so it is not optimized: the precondition/,
  ],
  ["optimize bad.json --state one.json", 0, /"id": "bad"[\s\S]*unchanged {2}1 level\n$/],
  ["optimize twice.json", 2, /error FC3003/],
  ["optimize slow.json", 0, /"id": "slow"[\s\S]*equivalent {2}3 levels, then 2\n/],
  ["optimize slow.json --max-actions 1", 2, /error FC3002/],
  ["equivalent slow.json slow.json --tools nowhere", 2, /error FC9002/],
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
    expect((await json("optimize slow.json")).answer).toEqual({
      proposal: {
        id: "slow",
        actions: [
          call("fetch", "t"),
          write("note", "noted", true, { dependencies: [] }),
          call("send", "u", { dependencies: ["fetch"] }),
        ],
      },
      proof: {
        equivalent: true,
        changed: true,
        steps: [
          {
            action_id: "note",
            kind: "removed",
            dependency: "fetch",
            reason:
              "`note` calls nothing, cannot end the plan, and uses no key with `fetch` that one of them writes",
          },
          { action_id: "note", kind: "moved", from: 1, to: 0, reason: "it waits for nothing" },
          {
            action_id: "send",
            kind: "removed",
            dependency: "note",
            reason:
              "`note` calls nothing, cannot end the plan, and uses no key with `send` that one of them writes",
          },
          {
            action_id: "send",
            kind: "added",
            dependency: "fetch",
            reason:
              "`send` waited for `fetch` by way of `note`, which does not wait for it any more or is not waited for",
          },
          {
            action_id: "send",
            kind: "moved",
            from: 2,
            to: 1,
            reason: "the last that it waits for is `fetch`",
          },
        ],
        critical_path: {
          before: { length: 3, actions: ["fetch", "note", "send"] },
          after: { length: 2, actions: ["fetch", "send"] },
        },
      },
    });
    expect((await json("optimize bad.json")).answer).toMatchObject({
      proposal: bad,
      proof: null,
      issues: [{ code: "FC3401", action_id: "r", key: "x" }],
    });
    expect((await json("graph good.json")).answer.svg).toMatch(/^<svg/);
    expect((await json("verify text.json")).answer).toMatchObject({
      ok: false,
      problems: [{ code: "FC1101" }],
    });
  });
});

test.each(["-o", "--output", "--out"])("a plan goes to a file with %s", async (option) => {
  const { files: now, out, err, code } = await foreclaim("optimize", "slow.json", option, "better.json");
  expect([code, out]).toEqual([0, ""]);
  expect(err).toContain("equivalent  3 levels, then 2");
  expect(JSON.parse(String(now.get("better.json")))).toMatchObject({ id: "slow" });
});

test("a picture goes to a file", async () => {
  const { files: now, out, code } = await foreclaim("graph", "good.json", "-o", "good.svg");
  expect([code, out]).toEqual([0, ""]);
  expect(now.get("good.svg")).toMatch(/^<svg/);
});
