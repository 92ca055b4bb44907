/** Single runs, worked out by hand: one for each way in which a run can end, and for each limit. */
import { describe, expect, test } from "vitest";
import type { Checked } from "../check/index.ts";
import { type Code, codes, type Path } from "../diagnostic.ts";
import { Unknown } from "../eval/partly.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { readDocument } from "../read.ts";
import { type RecordValue, record, valueKey } from "../value.ts";
import { readInputs, run } from "./interpret.ts";
import type { RunOptions, ToolHandler } from "./options.ts";

const example = `
effect-ir 1
fluent home.doorLocked[string]: bool = true
tool bank.balance(account: string) -> real
  ensures result >= 0
tool bank.withdraw(account: string, amount: real)
  requires amount >= 0
  cost amount
tool home.unlock(door: string)
  sets home.doorLocked[door] = false
tool home.lock(door: string)
  requires not now home.doorLocked[door]
  sets home.doorLocked[door] = true
tool pay.users() -> list<record{id: string, due: real}>
  ensures length(result) <= 100
tool pay.send(to: string, amount: real)
  labels "payment"
program (limit: real) {
  let owed = call bank.balance(account: "card")
  let over = owed > limit
  call bank.withdraw(account: "card", amount: limit) when over
  call bank.withdraw(account: "card", amount: owed) when not over
  let users = call pay.users()
  for u in users max 100 carry total: real = 0 {
    call pay.send(to: u.id, amount: u.due) when total + u.due <= 500
    next total = if total + u.due <= 500 then total + u.due else total
  }
  call home.unlock(door: "front")
  call home.lock(door: "front") catch stuck
}
`;

describe("the example", () => {
  const users = [
    { id: "ann", due: 300.5 },
    { id: "bob", due: 200 },
    { id: "eve", due: 199.5 },
  ];
  const answers = { "bank.balance": 70.25, "pay.users": users };

  test("makes these calls", async () => {
    const done = await runText(example, { inputs: { limit: 100 }, answers });
    expect(done.outcome).toEqual({ kind: "completed" });
    expect(done.calls).toEqual([
      'c1@ bank.balance {"account":"card"}',
      'c3@ bank.withdraw {"account":"card","amount":70.25}',
      "c4@ pay.users {}",
      'c5@0 pay.send {"to":"ann","amount":300.5}',
      // bob would go beyond 500, eve does not.
      'c5@2 pay.send {"to":"eve","amount":199.5}',
      'c6@ home.unlock {"door":"front"}',
      'c7@ home.lock {"door":"front"}',
    ]);
    expect(done.state.read("home.doorLocked", "front")).toBe(true);
    expect(done.state.read("home.doorLocked", "back")).toBe(true);
  });

  test("takes the other branch above the limit", async () => {
    const done = await runText(example, { inputs: { limit: 5 }, answers });
    expect(done.calls[1]).toBe('c2@ bank.withdraw {"account":"card","amount":5}');
  });

  test("does not know whether the door is locked when the lock failed", async () => {
    const done = await runText(example, { inputs: { limit: 100 }, answers, failing: ["home.lock"] });
    expect(done.outcome).toEqual({ kind: "completed" });
    expect(done.state.read("home.doorLocked", "front")).toBeInstanceOf(Unknown);
    expect(done.state.read("home.doorLocked", "back")).toBe(true);
  });
});

/** Each: what ends the run, the code, the document, what the tools answer, where, and how many calls were made. */
interface End {
  readonly what: string;
  readonly code: Code;
  readonly text: string;
  readonly given?: Given;
  readonly path: Path;
  readonly made: number;
}

const ends: readonly End[] = [
  {
    what: "a tool without a handler",
    code: "FC1501",
    text: "tool t()\ntool u()\nprogram () { call t() }",
    given: { without: ["u"] },
    path: ["program"],
    made: 0,
  },
  {
    what: "`requires` that does not hold",
    code: "FC1502",
    text: "tool t(a: int)\n  requires a > 0\nprogram () {\n call t(a: 1)\n call t(a: 0)\n}",
    path: ["program", "body", 1],
    made: 1,
  },
  {
    what: "`requires` of a state that does not hold",
    code: "FC1502",
    text: 'fluent f[string]: int = 0\ntool t()\n  requires now f["x"] < 2\n  sets f["x"] = now f["x"] + 1\nprogram (xs: list<int>) { for x in xs { call t() } }',
    given: { inputs: { xs: [1, 2, 3, 4] } },
    path: ["program", "body", 0, "body", 0],
    made: 2,
  },
  {
    what: "`require` that does not hold",
    code: "FC1503",
    text: 'tool t()\nprogram (a: int) {\n call t()\n require a > 1 when false: "never looked at"\n require a > 1: "why"\n call t()\n}',
    given: { inputs: { a: 1 } },
    path: ["program", "body", 2],
    made: 1,
  },
  {
    what: "a failure that is not caught",
    code: "FC1504",
    text: "tool t()\ntool u()\nprogram () {\n call t()\n call u()\n}",
    given: { failing: ["t"] },
    path: ["program", "body", 0],
    made: 1,
  },
  {
    what: "an answer of the wrong type",
    code: "FC1505",
    text: "tool t() -> int\nprogram () { let a = call t() catch f }",
    given: { answers: { t: "five" } },
    path: ["program", "body", 0],
    made: 1,
  },
  {
    what: "no answer where there must be one",
    code: "FC1505",
    text: "tool t() -> int\nprogram () { let a = call t() catch f }",
    path: ["program", "body", 0],
    made: 1,
  },
  {
    what: "an answer that is not exact",
    code: "FC1505",
    text: "tool t() -> int\nprogram () { let a = call t() catch f }",
    given: { answers: { t: 2 ** 53 } },
    path: ["program", "body", 0],
    made: 1,
  },
  {
    what: "an answer that breaks `ensures`",
    code: "FC1506",
    text: "tool t(a: int) -> int\n  ensures result > a\nprogram () { let a = call t(a: 5) catch f }",
    given: { answers: { t: 5 } },
    path: ["program", "body", 0],
    made: 1,
  },
  {
    what: "an argument that no number equals",
    code: "FC1507",
    text: "tool t(a: real)\nprogram () { call t(a: 1 / 3) catch f }",
    path: ["program", "body", 0],
    made: 0,
  },
  {
    what: "an argument that is too big to be exact",
    code: "FC1507",
    text: "tool t(a: int)\nprogram () { call t(a: 9007199254740993) }",
    path: ["program", "body", 0],
    made: 0,
  },
  {
    what: "an abort",
    code: "FC1508",
    text: "tool t()\nprogram () { call t() }",
    given: { options: { signal: AbortSignal.abort() } },
    path: ["program", "body", 0],
    made: 0,
  },
  {
    what: "a refusal",
    code: "FC1509",
    text: "tool t()\nprogram () { call t() catch f }",
    given: { options: { hook: { before: () => ({ kind: "refuse", reason: "no" }) } } },
    path: ["program", "body", 0],
    made: 0,
  },
  {
    what: "a record of something else",
    code: "FC1510",
    text: "tool t(a: int)\nprogram () { call t(a: 1) }",
    given: {
      options: {
        recorded: [
          {
            position: 0,
            id: "c1",
            indices: [],
            tool: "t",
            args: record([["a", 2n]]),
            outcome: { kind: "returned" },
          },
        ],
      },
    },
    path: ["program", "body", 0],
    made: 0,
  },
  {
    what: "a list longer than `max`",
    code: "FC1511",
    text: "tool t()\nprogram (xs: list<int>) {\n for x in xs max 3 { call t() }\n for y in xs max 2 { call t() }\n}",
    given: { inputs: { xs: [1, 2, 3] } },
    path: ["program", "body", 1],
    made: 3,
  },
  {
    what: "a loop that does not end",
    code: "FC1526",
    text: "tool t()\nprogram () {\n while n < 2 max 2 carry n: int = 0 { call t()\n next n = n + 1 }\n while true max 3 { call t() }\n}",
    path: ["program", "body", 1],
    made: 5,
  },
  {
    what: "a pause of more than an hour",
    code: "FC1527",
    text: "tool foreclaim.pause(ms: int)\n  reads\n  stores none\ntool t()\nprogram () {\n call t()\n call foreclaim.pause(ms: 3600001)\n call t()\n}",
    path: ["program", "body", 1],
    made: 1,
  },
  {
    what: "a state that is not known",
    code: "FC1512",
    text: 'fluent f[string]: int = unknown\ntool t()\n  requires now f["x"] < 2\nprogram () { call t() }',
    path: ["program", "body", 0],
    made: 0,
  },
  {
    what: "a state that is no longer known",
    code: "FC1512",
    text: 'fluent f[string]: int = 0\ntool t()\n  sets f["x"] = 1\ntool u()\n  requires now f["x"] < 2\nprogram () {\n call u()\n call t() catch failed\n call u()\n}',
    given: { failing: ["t"] },
    path: ["program", "body", 2],
    made: 2,
  },
  {
    what: "a negative cost",
    code: "FC1514",
    text: "tool t(a: int)\n  cost 5 - a\nprogram () {\n call t(a: 5)\n call t(a: 6)\n}",
    path: ["program", "body", 1],
    made: 1,
  },
  {
    what: "a text that is no date of the standard format",
    code: "FC1524",
    text: 'tool t()\nprogram (day: string) {\n let a = timeOfText("2024-03-01")\n let b = timeOfText("soon")\n call t()\n let c = timeOfText(day)\n call t()\n}',
    given: { inputs: { day: "Mar 3 2024" } },
    path: ["program", "body", 3],
    made: 1,
  },
  ...["numberOf(text)", "floatOf(text)", "integerOf(text, 10)", "parseJson(text)"].map((read) => ({
    what: `an infinite number from \`${read}\``,
    code: "FC1525" as const,
    text: `tool t()\nprogram (text: string) {\n call t() when isSome(${read})\n call t()\n}`,
    given: { inputs: { text: "9".repeat(400) } },
    path: ["program", "body", 0],
    made: 0,
  })),
  ...[
    ['mapGet(m, "a") == some(1) and mapGet(m, "b") == none', "mapGet(m, key) == none"],
    ['mapSize(mapSet(m, "constructor", 2)) == 2', 'mapSize(mapSet(m, "__proto__", 2)) == 1'],
  ].map(([fine, stops]) => ({
    what: `a name that every object inherits in \`${stops}\``,
    code: "FC1411" as const,
    text: `tool t()\nprogram (key: string) {\n let m = mapOf([{ key: "a", value: 1 }])\n call t() when ${fine}\n call t() when ${stops}\n}`,
    given: { inputs: { key: "constructor" } },
    path: ["program", "body", 2],
    made: 1,
  })),
];

describe("a run is stopped by", () => {
  test.each(ends)("$what", async ({ code, text, given, path, made }) => {
    const done = await runText(`effect-ir 1\n${text}`, given ?? {});
    expect(done.outcome).toMatchObject({ kind: "stopped", problem: { code, path } });
    expect(done.calls.length).toBe(made);
    expect(done.trace.length).toBe(made);
    if (done.outcome.kind === "stopped") expect(done.outcome.problem.message).toMatch(/^[a-z`].*[^.]$/s);
  });

  test("inputs of other types", async () => {
    const { checked } = documentOf("effect-ir 1\ntool t()\nprogram (a: int) { call t() }");
    for (const inputs of [
      record([]),
      record([["a", "1"]]),
      record([
        ["a", 1n],
        ["b", 1n],
      ]),
    ]) {
      const done = await run(checked, { inputs, tools: new Map([["t", { run: () => undefined }]]) });
      expect(done.outcome).toMatchObject({
        kind: "stopped",
        problem: { code: "FC1513", path: ["program", "inputs"] },
      });
    }
  });

  test("every code that there is for a run", () => {
    const seen = new Set<string>(["FC1513", ...ends.map(({ code }) => code)]);
    expect(Object.keys(codes).filter((code) => code.startsWith("FC15") && !seen.has(code))).toEqual([]);
  });
});

describe("what a call that was not made, or failed, leaves behind", () => {
  const text = (call: string) => `effect-ir 1
tool t() -> int
tool see(r: option<int>, f: bool)
program (go: bool) {
  let r = call t() ${call}
  ${call.includes("catch") ? "" : "let f = false"}
  call see(r: r, f: f)
}`;

  test.each<[string, boolean, string[], string]>([
    ["when go", true, [], '{"r":7,"f":false}'],
    ["when go", false, [], '{"r":null,"f":false}'],
    ["catch f", true, [], '{"r":7,"f":false}'],
    ["catch f", true, ["t"], '{"r":null,"f":true}'],
    ["when go catch f", false, ["t"], '{"r":null,"f":false}'],
    ["when go catch f", true, ["t"], '{"r":null,"f":true}'],
  ])("%s, go %s, failing %j", async (call, go, failing, seen) => {
    const done = await runText(text(call), { inputs: { go }, answers: { t: 7 }, failing });
    expect(done.calls.at(-1)).toContain(seen);
  });

  test("is fresh in each iteration", async () => {
    const done = await runText(
      `effect-ir 1
tool t(x: int) -> int
tool see(r: option<int>)
program (xs: list<int>) {
  for x in xs {
    let r = call t(x: x) when x > 1
    call see(r: r)
  }
}`,
      { inputs: { xs: [2, 1, 3] }, answers: { t: 7 } },
    );
    expect(done.calls.filter((call) => call.includes("see"))).toEqual([
      'c2@0 see {"r":7}',
      'c2@1 see {"r":null}',
      'c2@2 see {"r":7}',
    ]);
  });
});

describe("loops", () => {
  test("take all `next` at once, and carry out of the loop", async () => {
    const done = await runText(
      `effect-ir 1
tool see(a: int, b: int)
program (xs: list<int>) {
  for x in xs carry a: int = 0, b: int = 1 {
    next a = b
    next b = a + b
  }
  call see(a: a, b: b)
}`,
      { inputs: { xs: [0, 0, 0, 0, 0] } },
    );
    expect(done.calls).toEqual(['c1@ see {"a":5,"b":8}']);
  });

  test("over nothing leave what they carry as it was", async () => {
    const done = await runText(
      "effect-ir 1\ntool see(a: int)\nprogram () {\n for x in [] carry a: int = 7 { next a = 0 }\n call see(a: a)\n}",
      {},
    );
    expect(done.calls).toEqual(['c1@ see {"a":7}']);
  });

  test("start again each time an outer loop comes by", async () => {
    const done = await runText(
      `effect-ir 1
tool see(n: int, i: int, j: int)
program (rows: list<list<int>>) {
  for row, i in rows {
    for cell, j in row carry n: int = 0 {
      call see(n: n, i: i, j: j)
      next n = n + cell
    }
  }
}`,
      { inputs: { rows: [[1, 2], [], [5, 6]] } },
    );
    expect(done.calls).toEqual([
      'c1@0,0 see {"n":0,"i":0,"j":0}',
      'c1@0,1 see {"n":1,"i":0,"j":1}',
      'c1@2,0 see {"n":0,"i":2,"j":0}',
      'c1@2,1 see {"n":5,"i":2,"j":1}',
    ]);
  });
});

describe("limits: at the limit a run goes on, one beyond it stops before the call", () => {
  test.each<[string, Code, Partial<Limits>, string, number]>([
    ["the length of a string", "FC1404", { stringLength: 12 }, 'let a = s ++ "x"', 11],
    ["the length of a joined string", "FC1404", { stringLength: 12 }, 'let a = joinText(["x", s], "--")', 9],
    [
      "the length of a replaced string",
      "FC1404",
      { stringLength: 12 },
      'let a = replaceAll(s, "a", "bb")',
      6,
    ],
    ["the length of a list", "FC1405", { listLength: 12 }, "let a = range(length(s)) ++ [1]", 11],
    [
      "the length of a flat list",
      "FC1405",
      { listLength: 12 },
      "let a = flatMap(range(2), x => range(length(s)))",
      6,
    ],
    ["the length of a split string", "FC1405", { listLength: 12 }, 'let a = split(s, "")', 12],
    [
      "the bits of a number",
      "FC1406",
      { numberBits: 128 },
      "let a = fold(range(length(s)), 1, (n: int, x) => n * 2)",
      127,
    ],
  ])("%s", async (_, code, limits, command, most) => {
    const text = `effect-ir 1\ntool t()\nprogram (s: string) {\n ${command}\n call t()\n}`;
    const runWith = (length: number) =>
      runText(text, {
        inputs: { s: "a".repeat(length) },
        options: { limits: { ...defaultLimits, ...limits } },
      });
    const at = await runWith(most);
    expect(at.outcome).toEqual({ kind: "completed" });
    expect(at.calls.length).toBe(1);
    const beyond = await runWith(most + 1);
    expect(beyond.outcome).toMatchObject({ kind: "stopped", problem: { code } });
    expect(beyond.calls.length).toBe(0);
  });

  test("the work, however it is spent", async () => {
    const commands = [
      "let a = length(range(900000)) + length(range(900000))",
      "for x in range(500000) { for y in range(10) { let b = 1 } }",
      "let c = every(range(900000), x => x >= 0)",
      "let d = fold(range(1000), 1, (n: int, x) => n * 7) > 0",
    ];
    for (const command of commands) {
      const done = await runText(`effect-ir 1\ntool t()\nprogram () {\n ${command}\n call t()\n}`, {
        options: { limits: { ...defaultLimits, steps: 5_000 } },
      });
      expect([command, done.outcome.kind === "stopped" && done.outcome.problem.code]).toEqual([
        command,
        "FC1407",
      ]);
      expect(done.calls.length).toBe(0);
    }
  });
});

describe("inputs", () => {
  const { checked } = documentOf("effect-ir 1\nprogram (a: int, b?: list<real>, c: option<string>) {}");

  test("are read from plain data", () => {
    const read = readInputs(checked, { a: 5, b: [0.1], c: null });
    expect(read.ok && valueKey(read.value)).toBe("r3:1:an5;1:bl1:n1/10;1:co");
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a list", []],
    ["a missing field", { a: 5 }],
    ["a further field", { a: 5, c: null, d: 1 }],
    ["a wrong type", { a: "5", c: null }],
    ["half an integer", { a: 5.5, c: null }],
  ])("are refused: %s", (_, data) => {
    const read = readInputs(checked, data);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.problems.length).toBeGreaterThan(0);
  });
});

test("a handler that throws anything at all has failed", async () => {
  for (const thrown of [
    new Error("broken"),
    "broken",
    undefined,
    null,
    5,
    { message: "broken" },
    Symbol("broken"),
  ]) {
    const { checked } = documentOf("effect-ir 1\ntool t()\nprogram () { call t() catch f }");
    const tools = new Map<string, ToolHandler>([["t", { run: () => Promise.reject(thrown) }]]);
    const done = await run(checked, { inputs: record([]), tools });
    expect(done.outcome).toEqual({ kind: "completed" });
    expect(done.trace[0]?.outcome).toMatchObject({ kind: "failed", reason: expect.any(String) });
  }
});

// ── helpers ──────────────────────────────────────────────────────────────────────────────────────────────

interface Given {
  readonly inputs?: Record<string, unknown>;
  /** Results of each tool. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly failing?: readonly string[];
  readonly without?: readonly string[];
  readonly options?: Partial<RunOptions>;
}

function documentOf(text: string): { readonly checked: Checked } {
  const read = readDocument(text);
  if (!read.ok) throw new Error(read.problems.map(({ code, message }) => `${code} ${message}`).join("\n"));
  return read.value;
}

async function runText(
  text: string,
  { inputs = {}, answers = {}, failing = [], without = [], options }: Given,
) {
  const { checked } = documentOf(text);
  const read = readInputs(checked, inputs);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const calls: string[] = [];
  const tools = new Map<string, ToolHandler>();
  for (const { name } of checked.document.tools) {
    if (without.includes(name)) continue;
    tools.set(name, {
      run: (args, { id, indices }) => {
        calls.push(`${id}@${indices.join()} ${name} ${JSON.stringify(args)}`);
        if (failing.includes(name)) throw new Error(`${name} is out of order`);
        return answers[name];
      },
    });
  }
  const done = await run(checked, { inputs: read.value satisfies RecordValue, tools, ...options });
  return { ...done, calls };
}
