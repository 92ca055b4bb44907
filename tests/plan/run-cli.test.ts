/** `foreclaim plan run` as its users meet it, without tools: what is printed, as what, and with which exit code. */
import { expect, test } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { fakeTerminal } from "../cli/fake-terminal.ts";
import { type ActionData, pre, write } from "./plans.ts";

const json = (...actions: readonly ActionData[]) => JSON.stringify({ actions });
const files: Readonly<Record<string, string>> = {
  "good.json": json(write("w", "x", 1), write("v", "y", 2, { dependencies: ["w"] })),
  "empty.json": json(),
  "big.json":
    '{"actions": [{"id": "w", "type": "state_write", "parameters": {"key": "n", "value": 12345678901234567890.5}}]}',
  "needs.json": json(write("w", "y", 1, { preconditions: [pre("x", "eq", 1)] })),
  "twice.json": json(write("a", "x", 1), write("a", "y", 1)),
  "tool.json": json({ id: "a", type: "tool_call", tool: "t.x" }),
  "slow.json": json({ ...write("a", "x", 1), timeout_ms: 0 }),
  "text.json": "no",
  "one.json": '{"x": 1}',
  "two.json": '{"x": 2}',
  "list.json": "[]",
};

async function foreclaim(line: string, more: object = {}) {
  const terminal = fakeTerminal({ files, ...more });
  const code = await runCli(["plan", ...line.split(" ")], terminal, "0.0.0");
  return { code, out: terminal.out(), err: terminal.err() };
}

/** Each: the arguments, the exit code, and a part of what is printed. */
test.each<[string, number, RegExp]>([
  ["run good.json", 0, /^done {9}w\ndone {9}v\n\ndone {2}2 actions\nx = 1\ny = 2\n$/],
  ["run empty.json", 0, /^\ndone {2}0 actions\n$/],
  ["run big.json", 0, /n = 12345678901234567890\.5/],
  ["run needs.json --state one.json", 0, /done {2}1 action\n/],
  ["run needs.json --state two.json", 1, /error FC3101: .*\n[\s\S]*not valid[\s\S]*nothing was run\n$/],
  ["run needs.json", 1, /FC3101: .* fails: it is absent at the start/],
  ["run twice.json", 1, /error FC3003/],
  ["run slow.json", 2, /error FC3306: the time of `a` is 0 ms, and a run takes 1 to 86400000/],
  ["run text.json", 2, /error FC1101/],
  ["run nowhere.json", 2, /error FC9002/],
  ["run good.json --state list.json", 2, /error FC1102: a state is an object/],
  ["run good.json --state nowhere.json", 2, /error FC9002/],
  ["run good.json --concurrency 0", 2, /error FC9001: `--concurrency` is a whole number from 1 to 1000/],
  ["run good.json --concurrency 1", 0, /done {2}2 actions/],
  ["run good.json --concurrency 1000", 0, /done {2}2 actions/],
  ["run good.json --concurrency 1001", 2, /error FC9001/],
  ["run good.json --concurrency many", 2, /error FC9001/],
  ["run good.json --timeout 0", 2, /error FC9001: `--timeout` is a number of seconds from 0.001 to 86400/],
  ["run good.json --timeout 86400", 0, /done {2}2 actions/],
  ["run good.json --timeout 86401", 2, /error FC9001/],
  ["run good.json --run a/b", 2, /error FC3301: the id of a run is up to 64 letters/],
  ["run good.json --ledger memory:", 2, /error FC9006: a ledger in memory would be gone/],
  ["run good.json --ledger nowhere.db", 2, /error FC9006: there is no ledger at `nowhere.db`/],
  ["run good.json --ledger x.db --state one.json", 2, /error FC9001/],
  ["run tool.json --tools nowhere", 2, /error FC9002: cannot read the folder `nowhere`/],
  ["run", 2, /error FC9001/],
])("plan %s", async (line, code, said) => {
  const done = await foreclaim(line);
  expect(`${done.out}${done.err}`).toMatch(said);
  expect(done.code).toBe(code);
});

test("with --json there is one object, and nothing else", async () => {
  const { out, err, code } = await foreclaim("run good.json --run r1 --json");
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toEqual({
    outcome: "done",
    run: "r1",
    plan: expect.stringMatching(/^[0-9a-f]{64}$/),
    actions: [
      { action_id: "w", status: "done", attempts: 1, before: false, output: null },
      { action_id: "v", status: "done", attempts: 1, before: false, output: null },
    ],
    ended_by: null,
    problems: [],
    in_doubt: [],
    still_done: [],
    state: { x: 1, y: 2 },
  });
  expect((await foreclaim("run big.json --json")).out).toContain('"n": 12345678901234567890.5');
  expect(JSON.parse((await foreclaim("run needs.json --json")).out)).toMatchObject({
    outcome: "refused",
    valid: false,
    issues: [{ code: "FC3101", action_id: "w" }],
  });
  expect(JSON.parse((await foreclaim("run slow.json --json")).out)).toMatchObject({
    ok: false,
    problems: [{ code: "FC3306", line: 1 }],
  });
});

test("a plan may come from standard input", async () => {
  const { code, out } = await foreclaim("run -", { stdin: files["good.json"] });
  expect([code, out]).toEqual([0, expect.stringContaining("done  2 actions")]);
});
