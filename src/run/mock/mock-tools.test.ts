import { describe, expect, it } from "vitest";
import {
  type Checked,
  type Run,
  readDocument,
  readJson,
  record,
  recordedRunToJson,
  run,
  type TraceEntry,
} from "../../ir/index.ts";
import { MockTools } from "./mock-tools.ts";
import { readMocks } from "./mocks-file.ts";

const text = `effect-ir 1
tool a() -> int
  ensures result > 2 and result < 100
tool b(x: int) -> int
tool c(x: int)
program () {
  let first = call a()
  for i in [1, 2, 3] max 3 {
    let x = call b(x: first + i)
    call c(x: x) catch failed
  }
  call a()
}`;

function checkedOf(source: string): Checked {
  const read = readDocument(source);
  if (!read.ok) throw new Error(read.problems[0]!.message);
  return read.value.checked;
}

async function runWith(
  checked: Checked,
  mocksText: string,
  seed = 1,
  recorded: readonly TraceEntry[] = [],
): Promise<Run & { readonly unanswered: string | undefined }> {
  const json = readJson(mocksText);
  const mocks = json.ok ? readMocks(checked, json.value.value) : undefined;
  if (!mocks?.ok) throw new Error("unreadable mocks");
  const tools = new MockTools(checked, { mocks: mocks.value, seed, recorded });
  const ended = await run(checked, {
    inputs: record([]),
    tools: tools.handlers,
    hook: { before: (call) => tools.before(call) },
    recorded,
  });
  return { ...ended, unanswered: tools.unanswered };
}

const outcomes = ({ trace }: Run) =>
  trace.map(({ outcome }) => (outcome.kind === "returned" ? outcome.result : outcome.reason));

describe("mock tools", () => {
  it("answer what the mocks say, call by call", async () => {
    const mocks = `{"a": {"returns": 7}, "b": [{"returns": 1}, {"returns": 2}, {"returns": 3}],
      "c": [{"returns": null}, {"fails": "no"}]}`;
    const ended = await runWith(checkedOf(text), mocks);
    expect(ended.outcome).toEqual({ kind: "completed" });
    expect(outcomes(ended)).toEqual([
      7n,
      1n,
      undefined,
      2n,
      "no",
      3n,
      "its mock has 2 answers, and this is its call 3",
      7n,
    ]);
  });

  it("pass numbers on exactly", async () => {
    const checked = checkedOf(`effect-ir 1
tool t() -> record{tenth: real, big: int}
program () { let r = call t() require r.tenth * 10 == 1 and r.big == 123456789012345678901234567890: "exact" }`);
    const mocks = '{"t": {"returns": {"tenth": 0.1, "big": 123456789012345678901234567890}}}';
    expect((await runWith(checked, mocks)).outcome).toEqual({ kind: "completed" });
  });

  it("make up what no mock says, in the same way for the same seed", async () => {
    const checked = checkedOf(text);
    const [one, again, other] = [
      await runWith(checked, "{}", 1),
      await runWith(checked, "{}", 1),
      await runWith(checked, "{}", 2),
    ];
    expect(one.outcome).toEqual({ kind: "completed" });
    expect(outcomes(again)).toEqual(outcomes(one));
    expect(outcomes(other)).not.toEqual(outcomes(one));
  });

  it("do not let one call disturb the chance of another", async () => {
    const longer = text.replace("for i in [1, 2, 3]", "for i in [1]");
    const [all, fewer] = [await runWith(checkedOf(text), "{}"), await runWith(checkedOf(longer), "{}")];
    expect(outcomes(fewer).at(-1)).toEqual(outcomes(all).at(-1));
  });

  it("stop the run where nothing can be made up, also when failures are caught", async () => {
    const checked = checkedOf(`effect-ir 1
tool t() -> int
  ensures result > result
program () { let x = call t() catch failed }`);
    const ended = await runWith(checked, "{}");
    expect(ended.outcome).toMatchObject({ kind: "stopped", problem: { code: "FC1509" } });
    expect(ended.trace).toEqual([]);
    expect(ended.unanswered).toBe("t");
  });

  it.each(["{}", '{"b": [{"returns": 1}, {"returns": 2}, {"returns": 3}], "c": [{"fails": "x"}]}'])(
    "make a resumed run the same as one in a single go: %s",
    async (mocks) => {
      const checked = checkedOf(text);
      const whole = await runWith(checked, mocks);
      const json = (trace: readonly TraceEntry[]) =>
        recordedRunToJson(checked, { inputs: record([]), trace });
      for (let made = 0; made <= whole.trace.length; made++) {
        const resumed = await runWith(checked, mocks, 1, whole.trace.slice(0, made));
        expect(resumed.outcome).toEqual(whole.outcome);
        expect(json(resumed.trace)).toEqual(json(whole.trace));
      }
    },
  );
});
