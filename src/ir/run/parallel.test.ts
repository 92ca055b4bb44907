/** Runs with branches, worked out by hand: the test decides when each call ends. */
import { describe, expect, test } from "vitest";
import { checkedOf, Desk } from "../../../tests/support/parallel/desk.ts";
import { judge } from "../eval/formula.ts";
import { cutOff, eventsOf, isOrderly } from "../eval/trace.ts";
import { readJson } from "../json/reader.ts";
import { defaultLimits } from "../limits.ts";
import { record } from "../value.ts";
import { run } from "./interpret.ts";
import type { RunOptions } from "./options.ts";
import { recordedRunFromJson, recordedRunToJson } from "./recorded.ts";

const tools = `effect-ir 1
fluent f[string]: int = 0
tool ask(n: int) -> int
tool put(n: int)
  sets f["x"] = n
tool twice()
  sets f["x"] = now f["x"] * 2
tool need(n: int)
  requires now f["x"] == n
tool see(a: int, b: int)
`;

const twoBranches = `${tools}program () {
  parallel {
    branch {
      let a = call @a1 ask(n: 1)
      call @a2 put(n: a)
    }
    branch {
      let b = call @b1 ask(n: 2)
      call @b2 put(n: b)
    }
  }
  call @last see(a: a, b: b)
}`;

describe("branches", () => {
  test("are under way at the same time, and what follows reads the names of all", async () => {
    const desk = new Desk(twoBranches);
    expect(await desk.quiet()).toEqual(["a1", "b1"]);
    expect(await desk.end("b1", 20)).toEqual(["a1", "b2"]);
    expect(await desk.end("b2")).toEqual(["a1"]);
    expect(await desk.end("a1", 10)).toEqual(["a2"]);
    expect(await desk.end("a2")).toEqual(["last"]);
    expect(desk.open.get("last")?.args).toEqual({ a: 10, b: 20 });
    await desk.end("last");
    const { outcome, trace } = await desk.run();
    expect(outcome).toEqual({ kind: "completed" });
    expect(trace.map(({ id, position, ended }) => [id, position, ended])).toEqual([
      ["a1", 0, 5],
      ["b1", 1, undefined],
      ["b2", 2, undefined],
      ["a2", 3, undefined],
      ["last", 4, undefined],
    ]);
  });

  test("one after the other, where one call may be under way", async () => {
    const desk = new Desk(twoBranches, {}, { concurrency: 1 });
    for (const [name, value] of [["a1", 1], ["a2"], ["b1", 2], ["b2"], ["last"]] as const) {
      expect(await desk.quiet()).toEqual([name]);
      await desk.end(name, value);
    }
    const { outcome, trace } = await desk.run();
    expect(outcome).toEqual({ kind: "completed" });
    expect(trace.every(({ ended }) => ended === undefined)).toBe(true);
  });

  test("run to their end whatever fails, and the first problem in written order is that of the run", async () => {
    const desk = new Desk(twoBranches);
    await desk.quiet();
    expect(await desk.fail("b1")).toEqual(["a1"]);
    expect(await desk.end("a1", 1)).toEqual(["a2"]);
    await desk.fail("a2");
    const { outcome, trace } = await desk.run();
    expect(outcome).toMatchObject({
      kind: "stopped",
      problem: { code: "FC1504", path: ["program", "body", 0, "branches", 0, 1] },
    });
    expect(trace.map(({ id }) => id)).toEqual(["a1", "b1", "a2"]);
  });

  test("a refusal ends its branch alone", async () => {
    const hook: RunOptions["hook"] = {
      before: ({ id }) => (id === "a2" ? { kind: "refuse", reason: "no" } : { kind: "proceed" }),
    };
    const desk = new Desk(twoBranches, {}, { hook });
    await desk.quiet();
    await desk.end("a1", 1);
    expect(await desk.end("b1", 2)).toEqual(["b2"]);
    await desk.end("b2");
    expect((await desk.run()).outcome).toMatchObject({ kind: "stopped", problem: { code: "FC1509" } });
  });

  test.each([
    [
      "before",
      {
        before: ({ id }: { id: string }) =>
          id === "a2" ? Promise.reject("lost") : { kind: "proceed" as const },
      },
    ],
    [
      "after",
      { after: ({ id }: { id: string }) => (id === "a1" ? Promise.reject("lost") : Promise.resolve()) },
    ],
  ])("a hook that fails %s a call ends the run: nothing new is started", async (_, hook) => {
    const desk = new Desk(twoBranches, {}, { hook });
    await desk.quiet();
    expect(await desk.end("a1", 1)).toEqual(["b1"]);
    expect(desk.done).toBe(undefined);
    expect(await desk.end("b1", 2)).toEqual([]);
    const { outcome, trace } = await desk.run();
    expect(outcome).toMatchObject({ kind: "stopped", problem: { code: "FC1509" } });
    expect(trace.map(({ id, outcome: { kind } }) => [id, kind])).toEqual([
      ["a1", "returned"],
      ["b1", "returned"],
    ]);
  });

  test("a cancelled run leaves all calls, and none is started", async () => {
    const controller = new AbortController();
    const desk = new Desk(twoBranches, {}, { signal: controller.signal });
    await desk.quiet();
    controller.abort();
    const { outcome, trace } = await desk.run();
    expect(outcome).toMatchObject({ kind: "stopped", problem: { code: "FC1508" } });
    expect(trace.map(({ id, outcome: { kind } }) => [id, kind])).toEqual([
      ["a1", "failed"],
      ["b1", "failed"],
    ]);
  });

  test("a limit of the interpreter ends the run", async () => {
    const text = `${tools}program () {
  parallel {
    branch {
      call @a1 put(n: 1)
      let xs = range(100)
      call @a2 put(n: 1)
    }
    branch {
      call @b1 put(n: 2)
      call @b2 put(n: 2)
    }
  }
}`;
    const desk = new Desk(text, {}, { limits: { ...defaultLimits, listLength: 10 } });
    await desk.quiet();
    expect(await desk.end("a1")).toEqual(["b1"]);
    expect(await desk.end("b1")).toEqual([]);
    expect((await desk.run()).outcome).toMatchObject({
      kind: "stopped",
      problem: { code: "FC1405", path: ["program", "body", 0, "branches", 0, 1] },
    });
  });

  test("what follows a command in a branch does not go on when the run is over", async () => {
    const text = `${tools}program () {
  parallel {
    branch {
      call @a1 put(n: 1)
      let xs = range(100)
    }
    branch {
      for x in [1, 2, 3] parallel carry s: int = 0 {
        let r = call @b1 ask(n: x)
        next s = s + r
      }
      call @b2 put(n: s)
    }
  }
}`;
    const options = { limits: { ...defaultLimits, listLength: 10 }, concurrency: 2 };
    const desk = new Desk(text, {}, options);
    expect(await desk.quiet()).toEqual(["a1", "b1@0"]);
    // The place of the call that ended is taken before the limit is reached.
    expect(await desk.end("a1")).toEqual(["b1@0", "b1@1"]);
    expect(await desk.end("b1@0", 1)).toEqual(["b1@1"]);
    expect(await desk.end("b1@1", 1)).toEqual([]);
    expect((await desk.run()).outcome).toMatchObject({ kind: "stopped", problem: { code: "FC1405" } });
  });
});

describe("state", () => {
  test("is what had ended when a call started, also for what it sets", async () => {
    const text = `${tools}program () {
  parallel {
    branch { call @a put(n: 5) }
    branch { call @b twice() }
  }
  call @c need(n: 0)
}`;
    const desk = new Desk(text);
    await desk.quiet();
    await desk.end("a");
    expect(await desk.end("b")).toEqual(["c"]);
    await desk.end("c");
    expect((await desk.run()).outcome).toEqual({ kind: "completed" });
  });

  test("of two single calls the second is judged before the first one's sets", async () => {
    const text = `${tools}program () {
  parallel {
    branch { call @a put(n: 5) }
    branch { call @b need(n: 5) }
  }
}`;
    const desk = new Desk(text);
    expect(await desk.quiet()).toEqual(["a"]);
    await desk.end("a");
    expect((await desk.run()).outcome).toMatchObject({ problem: { code: "FC1502" } });
    const serial = new Desk(text, {}, { concurrency: 1 });
    await serial.quiet();
    expect(await serial.end("a")).toEqual(["b"]);
    await serial.end("b");
    expect((await serial.run()).outcome).toEqual({ kind: "completed" });
  });

  test("a call that has not ended has set nothing", async () => {
    const desk = new Desk(twoBranches);
    await desk.quiet();
    await desk.end("a1", 1);
    await desk.end("b1", 2);
    await desk.end("b2");
    expect(await desk.end("a2")).toEqual(["last"]);
    await desk.end("last");
    const { trace, state } = await desk.run();
    expect(state.read("f", "x")).toBe(1n);
    const formula = (text: string) => {
      const checked = checkedOf(`${twoBranches}\nguarantee g(): ${text}`);
      const [guarantee] = checked.document.guarantees;
      if (guarantee?.formula === undefined) throw new Error("no formula");
      return judge(checked, guarantee.formula, { inputs: record([]), trace }).kind;
    };
    expect(formula('final f["x"] == 1')).toBe("holds");
    expect(formula('always(now f["x"] != 3)')).toBe("holds");
    expect(formula('always(now f["x"] != 2)')).toBe("violated");
  });
});

describe("loops whose iterations run at the same time", () => {
  const loop = (rest = "") => `${tools}program (xs: list<int>) {
  for x, i in xs parallel carry s: int = 100 {
    let r = call @q ask(n: x)
    let t = r + i${rest}
    next s = s * 2 + t
  }
  call @last see(a: s, b: 0)
}`;

  test("carry in the order of the list, whatever ends first", async () => {
    const desk = new Desk(loop(), { xs: [1, 2, 3] });
    expect(await desk.quiet()).toEqual(["q@0", "q@1", "q@2"]);
    await desk.end("q@2", 3);
    await desk.end("q@0", 1);
    expect(await desk.end("q@1", 2)).toEqual(["last"]);
    expect(desk.open.get("last")?.args).toEqual({ a: 815, b: 0 });
  });

  test("start in the order of the list, with no more under way than may be", async () => {
    const desk = new Desk(loop(), { xs: Array.from({ length: 40 }, (_, i) => i) }, { concurrency: 3 });
    expect(await desk.quiet()).toEqual(["q@0", "q@1", "q@2"]);
    expect(await desk.end("q@1", 0)).toEqual(["q@0", "q@2", "q@3"]);
    while (desk.open.size > 0) {
      expect(desk.open.size).toBeLessThanOrEqual(3);
      const [one = ""] = [...desk.open.keys()].slice(-1);
      await desk.end(one, 0);
    }
    expect(desk.made.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, i) => `q@${i}`));
    expect((await desk.run()).outcome).toEqual({ kind: "completed" });
  });

  test("all run, and what stops an earlier one stops the run", async () => {
    const desk = new Desk(loop('\n    require r > 0: "positive"'), { xs: [1, 2, 3] });
    await desk.quiet();
    await desk.fail("q@2");
    await desk.end("q@1", -1);
    await desk.end("q@0", 1);
    expect((await desk.run()).outcome).toMatchObject({ problem: { code: "FC1503" } });
  });

  test("over nothing leave what they carry as it was", async () => {
    const desk = new Desk(loop(), { xs: [] });
    await desk.quiet();
    expect(desk.open.get("last")?.args).toEqual({ a: 100, b: 0 });
  });

  test("in loops, and branches in those", async () => {
    const text = `${tools}program (rows: list<list<int>>) {
  for row in rows parallel {
    for x in row {
      parallel {
        branch { let a = call @a ask(n: x) }
        branch { let b = call @b ask(n: x) }
      }
      call @c see(a: a, b: b)
    }
  }
}`;
    const desk = new Desk(text, { rows: [[1, 2], [3]] });
    expect(await desk.quiet()).toEqual(["a@0,0", "b@0,0", "a@1,0", "b@1,0"]);
    await desk.end("b@1,0", 31);
    await desk.end("a@1,0", 30);
    await desk.end("a@0,0", 10);
    await desk.end("c@1,0");
    expect(await desk.end("b@0,0", 11)).toEqual(["c@0,0"]);
    expect(desk.open.get("c@0,0")?.args).toEqual({ a: 10, b: 11 });
    expect(await desk.end("c@0,0")).toEqual(["a@0,1", "b@0,1"]);
    await desk.end("a@0,1", 20);
    expect(await desk.end("b@0,1", 21)).toEqual(["c@0,1"]);
    await desk.end("c@0,1");
    expect((await desk.run()).outcome).toEqual({ kind: "completed" });
  });
});

describe("a recorded run", () => {
  async function overlapping() {
    const desk = new Desk(twoBranches);
    await desk.quiet();
    await desk.end("b1", 2);
    await desk.end("a1", 1);
    await desk.end("a2");
    await desk.end("b2");
    await desk.end("last");
    return { desk, done: await desk.run() };
  }

  const replay = (desk: Desk, recorded: RunOptions["recorded"], concurrency = 16) => {
    const nobody = { run: () => Promise.reject(new Error("not made")) };
    const handlers = new Map(desk.checked.document.tools.map(({ name }) => [name, nobody]));
    return run(desk.checked, {
      inputs: record([]),
      tools: handlers,
      concurrency,
      ...(recorded !== undefined && { recorded }),
    });
  };

  test("is made again as it was, through its JSON", async () => {
    const { desk, done } = await overlapping();
    const json = recordedRunToJson(desk.checked, { inputs: record([]), trace: done.trace });
    const read = readJson(JSON.stringify(json), { ...defaultLimits });
    if (!read.ok) throw new Error("not JSON");
    const back = recordedRunFromJson(desk.checked, read.value.value);
    if (!back.ok) throw new Error(back.problems[0]?.message);
    const again = await replay(desk, back.value.trace);
    expect(again.outcome).toEqual({ kind: "completed" });
    expect(again.trace).toEqual(done.trace);
    expect(again.state.read("f", "x")).toEqual(done.state.read("f", "x"));
  });

  test("that cannot have been is refused, also as JSON", async () => {
    const { desk, done } = await overlapping();
    const wrong = done.trace.map((entry) => (entry.id === "a1" ? { ...entry, ended: 0 } : entry));
    expect(isOrderly(wrong)).toBe(false);
    expect((await replay(desk, wrong)).outcome).toMatchObject({ problem: { code: "FC1510" } });
    const json = recordedRunToJson(desk.checked, { inputs: record([]), trace: wrong });
    const read = readJson(JSON.stringify(json), { ...defaultLimits });
    if (!read.ok) throw new Error("not JSON");
    expect(recordedRunFromJson(desk.checked, read.value.value)).toMatchObject({
      ok: false,
      problems: [{ code: "FC1510", path: ["trace"] }],
    });
  });

  test("with a branch that starts before the one before it is refused", async () => {
    const { desk, done } = await overlapping();
    const [a1, b1, ...rest] = done.trace;
    if (a1 === undefined || b1 === undefined) throw new Error("no calls");
    const { ended: _, ...first } = b1;
    const { ended: __, ...second } = a1;
    const swapped = [{ ...first, position: 0 }, { ...second, position: 1 }, ...rest];
    expect((await replay(desk, swapped)).outcome).toMatchObject({ problem: { code: "FC1510" } });
  });

  test("with calls at the same time is none of a run that makes one at a time", async () => {
    const { desk, done } = await overlapping();
    expect((await replay(desk, done.trace, 1)).outcome).toMatchObject({ problem: { code: "FC1510" } });
  });

  test("goes on for real where it ends", async () => {
    const { done } = await overlapping();
    const recorded = done.trace
      .slice(0, 2)
      .map((entry) => (entry.id === "a1" ? { ...entry, ended: 3 } : entry));
    const desk = new Desk(twoBranches, {}, { recorded });
    expect(await desk.quiet()).toEqual(["b2", "a2"]);
    await desk.end("a2");
    expect(await desk.end("b2")).toEqual(["last"]);
    await desk.end("last");
    expect((await desk.run()).outcome).toEqual({ kind: "completed" });
  });

  test("that has more calls, or others, is refused", async () => {
    const { desk, done } = await overlapping();
    const more = [...done.trace, { ...done.trace[4], position: 5 }] as typeof done.trace;
    expect((await replay(desk, more)).outcome).toMatchObject({ problem: { code: "FC1510" } });
    const other = done.trace.map((entry) => (entry.id === "b2" ? { ...entry, id: "b3" } : entry));
    expect((await replay(desk, other)).outcome).toMatchObject({ problem: { code: "FC1510" } });
  });

  test("cut off has calls of which nobody knows whether they had their effect", async () => {
    const { done } = await overlapping();
    const events = eventsOf(done.trace).map(({ kind, entry }) => `${kind} ${entry.id}`);
    expect(events.slice(0, 4)).toEqual(["start a1", "start b1", "end b1", "start b2"]);
    const cut = cutOff(done.trace, 4);
    expect(cut.map(({ id, outcome }) => [id, outcome.kind])).toEqual([
      ["a1", "failed"],
      ["b1", "returned"],
      ["b2", "failed"],
    ]);
    expect(isOrderly(cut)).toBe(true);
    expect(cutOff(done.trace, 100)).toEqual(done.trace);
    expect(cutOff(done.trace, 0)).toEqual([]);
  });
});

test("a schedule decides what happens among calls at the same time", async () => {
  const { checked } = new Desk(twoBranches);
  const nobody = { run: () => 7 };
  const seen: string[] = [];
  const done = await run(checked, {
    inputs: record([]),
    tools: new Map(checked.document.tools.map(({ name }) => [name, nobody])),
    schedule: (choices) => {
      seen.push(choices.map(({ kind, id }) => `${kind} ${id}`).join());
      return choices.length - 1;
    },
  });
  expect(done.outcome).toEqual({ kind: "completed" });
  expect(seen).toEqual([
    "start a1",
    "start b1,end a1",
    "start b1,start a2",
    "start b1,end a2",
    "start b1",
    "end b1",
    "start b2",
    "end b2",
    "start last",
    "end last",
  ]);
  expect(done.trace.map(({ id, ended }) => [id, ended])).toEqual([
    ["a1", undefined],
    ["a2", undefined],
    ["b1", undefined],
    ["b2", undefined],
    ["last", undefined],
  ]);
});

test("twenty calls take the time of one", async () => {
  let [most, underWay] = [0, 0];
  const checked = checkedOf(`${tools}program () {
  for x in range(20) parallel { call @q put(n: x) }
}`);
  const handler = {
    run: async () => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 5));
      underWay--;
    },
  };
  const handlers = new Map(checked.document.tools.map(({ name }) => [name, handler]));
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on("warning", note);
  await run(checked, {
    inputs: record([]),
    tools: handlers,
    concurrency: 20,
    signal: new AbortController().signal,
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("warning", note);
  expect(most).toBe(20);
  expect(warnings).toEqual([]);
});
