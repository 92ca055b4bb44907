/** `foreclaim plan run` as its users meet it, without tools: what is printed, as what, and with which exit code. */
import { expect, test } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { fakeHost } from "../cli/fake-host.ts";
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
  const host = fakeHost({ files, ...more });
  const code = await runCli(["plan", ...line.split(" ")], host, "0.0.0");
  return { code, out: host.out(), err: host.err() };
}

/** Each: the arguments, the exit code, and a part of what is printed. */
test.each<[string, number, RegExp]>([
  ["run good.json --yes", 0, /it may call[\s\S]*done {9}plan\.write:w \(w\)\n[\s\S]*done {2}2 calls\n$/],
  ["run good.json --dry-run", 0, /it may call[\s\S]*key: "x"[\s\S]*nothing was run\n$/],
  // Nobody can be asked here.
  ["run good.json", 3, /nothing was run\n$/],
  ["run empty.json --yes", 0, /done {2}0 calls\n$/],
  ["run needs.json --state one.json --yes", 0, /done {2}1 call\n/],
  ["run needs.json --state two.json --yes", 1, /error FC3101: .*\n[\s\S]*not valid[\s\S]*nothing was run\n$/],
  ["run needs.json --yes", 1, /FC3101: .* fails: it is absent at the start/],
  ["run twice.json --yes", 1, /error FC3003/],
  ["run slow.json --yes", 1, /error FC3306: the time of `a` is 0 ms, and a run takes 1 to 86400000/],
  ["run text.json --yes", 2, /error FC1101/],
  ["run nowhere.json --yes", 2, /error FC9002/],
  ["run good.json --yes --state list.json", 2, /error FC1102: a state is an object/],
  ["run good.json --yes --state nowhere.json", 2, /error FC9002/],
  ["run good.json --yes --concurrency 0", 2, /error FC9001: .*expected a whole number from 1 to 1000/],
  ["run good.json --yes --concurrency 1", 0, /done {2}2 calls/],
  ["run good.json --yes --concurrency 1000", 0, /done {2}2 calls/],
  ["run good.json --yes --concurrency 1001", 2, /error FC9001/],
  ["run good.json --yes --concurrency many", 2, /error FC9001/],
  ["run good.json --yes --guarantee x.y(1)", 2, /error FC9002: there is no tools folder/],
  ["run good.json --yes --run r1", 2, /error FC9001/],
  ["run good.json --resume r1", 2, /`--resume` needs the ledger of the run/],
  ["run good.json --yes --ledger memory:", 2, /error FC9006: a ledger in memory would be gone/],
  ["run good.json --yes --ledger nowhere.db", 2, /error FC9006: there is no ledger at `nowhere.db`/],
  ["run good.json --yes --ledger x.db --state one.json", 2, /error FC9001/],
  ["run tool.json --yes --tools nowhere", 2, /error FC9002: cannot read the folder `nowhere`/],
  ["run", 2, /error FC9001/],
])("plan %s", async (line, code, said) => {
  const done = await foreclaim(line);
  expect(`${done.out}${done.err}`).toMatch(said);
  expect(done.code).toBe(code);
});

test("with --json there is one object, and nothing else", async () => {
  const { out, err, code } = await foreclaim("run good.json --yes --json");
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({
    outcome: "done",
    run: expect.stringMatching(/^[0-9a-f]{12}$/),
    plan: expect.stringMatching(/^[0-9a-f]{64}$/),
    program: expect.stringMatching(/^eir1-/),
    decision: "approved_once",
    calls: [
      { call: "w", tool: "plan.write:w", status: "done" },
      { call: "v", tool: "plan.write:v", status: "done" },
    ],
    actions: [
      { action_id: "w", status: "done", attempts: 1, before: false },
      { action_id: "v", status: "done", attempts: 1, before: false },
    ],
    problems: [],
    in_doubt: [],
    not_undone: [],
  });
  expect(JSON.parse((await foreclaim("run needs.json --yes --json")).out)).toMatchObject({
    outcome: "refused",
    valid: false,
    issues: [{ code: "FC3101", action_id: "w" }],
  });
  expect(JSON.parse((await foreclaim("run slow.json --yes --json")).out)).toMatchObject({
    outcome: "not proved",
    problems: [{ code: "FC3306", line: 1 }],
  });
});

test("a plan may come from standard input", async () => {
  const { code, out } = await foreclaim("run - --yes", { stdin: files["good.json"] });
  expect([code, out]).toEqual([0, expect.stringContaining("done  2 calls")]);
});

test("`run` of a plan is the same", async () => {
  const host = fakeHost({ files });
  const code = await runCli(["run", "good.json", "--yes"], host, "0.0.0");
  expect([code, host.out()]).toEqual([0, (await foreclaim("run good.json --yes")).out]);
});
