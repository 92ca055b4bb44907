/** Every ready rule, at its bound and beyond it, and with its key absent. */

import { describe, expect, test } from "vitest";
import { Kernel, MemoryLog, readyRules } from "../../src/kernel/index.ts";
import { act, opened, rule, set } from "./support.ts";

interface Row {
  readonly fields: object;
  readonly state: Readonly<Record<string, unknown>>;
  readonly fine: readonly object[][];
  readonly wrong: readonly object[][];
  /** The key whose absence the rule is told to mind or not; undefined for a rule that has none. */
  readonly key?: string;
}

const up = (key: string, value: unknown) => ({ key, op: "increment", value });
const down = (key: string, value: unknown) => ({ key, op: "decrement", value });
const append = (key: string, value: unknown) => ({ key, op: "append", value });
const gone = (key: string) => ({ key, op: "delete" });

const rows: Record<string, Row> = {
  rateLimit: {
    fields: { key: "k", max: 2 },
    state: { k: 0 },
    fine: [[up("k", 2)], [up("k", 1), up("k", 1)]],
    wrong: [
      [up("k", 3)],
      [up("k", 1), up("k", 2)],
      [set("k", 0)],
      [down("k", 1)],
      [up("k", -1)],
      [up("k", 0)],
      [gone("k")],
      [{ key: "k", op: "multiply", value: 0 }],
    ],
    key: "k",
  },
  ceiling: {
    fields: { key: "k", max: "2.5" },
    state: { k: 0 },
    fine: [[set("k", 2.5)], [set("k", -9)]],
    wrong: [[set("k", 2.6)], [set("k", "2")], [set("k", true)], [set("k", null)], [gone("k")]],
    key: "k",
  },
  range: {
    fields: { key: "k", min: -1, max: 1 },
    state: { k: 0 },
    fine: [[set("k", -1)], [set("k", 1)], [up("k", 9), down("k", 9)]],
    wrong: [[set("k", -1.01)], [set("k", 1.01)], [set("k", [0])], [gone("k")]],
    key: "k",
  },
  requiredKeys: {
    fields: { keys: ["k", "l"] },
    state: { k: 0, l: 0 },
    fine: [[set("k", null)], [gone("k"), set("k", 1)]],
    wrong: [[gone("k")], [gone("l")]],
    key: "k",
  },
  readOnly: {
    fields: { keys: ["k"] },
    state: { k: [1], l: 0 },
    fine: [[set("l", 1)], [set("k", [1])]],
    wrong: [[set("k", [2])], [append("k", 1)], [gone("k")], [set("k", ["1"])]],
    key: "k",
  },
  allowedValues: {
    fields: { key: "k", values: ["a", 1, null] },
    state: { k: "a" },
    fine: [[set("k", 1)], [set("k", null)], [set("k", 1.0)]],
    wrong: [[set("k", "1")], [set("k", true)], [set("k", "A")], [gone("k")]],
    key: "k",
  },
  monotoneIncreasing: {
    fields: { key: "k" },
    state: { k: 1 },
    fine: [[set("k", 1)], [up("k", 0.1)]],
    wrong: [[set("k", 0.9)], [set("k", "2")], [gone("k")]],
    key: "k",
  },
  monotoneDecreasing: {
    fields: { key: "k" },
    state: { k: 1 },
    fine: [[set("k", 1)], [down("k", 5)]],
    wrong: [[set("k", 1.1)], [set("k", null)], [gone("k")]],
    key: "k",
  },
  listLength: {
    fields: { key: "k", max: 2 },
    state: { k: [1] },
    fine: [[append("k", 1)], [set("k", [])]],
    wrong: [[append("k", 1), append("k", 1)], [set("k", "ab")], [gone("k")]],
    key: "k",
  },
  noDuplicates: {
    fields: { key: "k" },
    state: { k: [1] },
    fine: [[append("k", "1")], [append("k", true)], [append("k", [1])]],
    wrong: [
      [append("k", 1)],
      [append("k", 1.0)],
      [
        set("k", [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ]),
      ],
      [set("k", 1)],
      [gone("k")],
    ],
    key: "k",
  },
  stringLength: {
    fields: { key: "k", max: 3 },
    state: { k: "" },
    fine: [[set("k", "abc")]],
    wrong: [[set("k", "abcd")], [set("k", 1)], [set("k", ["a"])], [gone("k")]],
    key: "k",
  },
  noDelete: {
    fields: { keys: ["k"] },
    state: { k: 1 },
    fine: [[gone("k"), set("k", 2)], [set("k", 0.5)]],
    wrong: [[gone("k")], [set("k", null)], [set("k", "")], [set("k", false)], [set("k", [])], [set("k", {})]],
    key: "k",
  },
  forbiddenText: {
    fields: { keys: ["k"], texts: ["Drop Table"] },
    state: { k: "" },
    fine: [[set("k", "droptable")], [set("k", "table drop")], [set("k", 7)]],
    wrong: [
      [set("k", "DROP TABLE users")],
      [set("k", "drop  \n table")],
      [set("k", "dr\u200bop\u00a0table")],
      [set("k", "ｄｒｏｐ ｔａｂｌｅ")],
      [set("k", "dróp täble")],
      [set("k", [{ deep: "x drop table x" }])],
      [set("k", { "drop table": 1 })],
    ],
    key: "k",
  },
  noPii: {
    fields: { keys: ["k"] },
    state: { k: "" },
    fine: [[set("k", "the total is 1234.50 on 2024-05-06")], [set("k", 42)]],
    wrong: [
      [set("k", "write to jane.doe@example.org")],
      [set("k", ["4111 1111 1111 1111"])],
      [set("k", { a: "123-45-6789" })],
    ],
    key: "k",
  },
  approvalGate: {
    fields: { key: "k" },
    state: { k: true, l: 0 },
    fine: [[set("l", 1)]],
    wrong: [[set("k", true)], [gone("k")], [set("k", false)]],
  },
  terminalFlag: {
    fields: { key: "k" },
    state: { k: false },
    fine: [[set("k", true)], [set("l", 1)]],
    wrong: [[set("k", 1)], [set("k", "true")], [gone("k")]],
    key: "k",
  },
  timeWindow: { fields: { max: 1, windowMs: 10 }, state: {}, fine: [[]], wrong: [] },
  jsonSchema: {
    fields: {
      key: "k",
      schema: {
        type: "object",
        required: ["a"],
        additionalProperties: false,
        properties: {
          a: { type: "integer", minimum: 0, maximum: 2 },
          b: { type: "array", maxItems: 1, uniqueItems: true, items: { enum: ["x", 1] } },
        },
      },
    },
    state: { k: { a: 0 } },
    fine: [[set("k", { a: 2 })], [set("k", { a: 0, b: [1] })], [set("k", { a: 1, b: [] })]],
    wrong: [
      [set("k", {})],
      [set("k", { a: 3 })],
      [set("k", { a: -1 })],
      [set("k", { a: 0.5 })],
      [set("k", { a: "0" })],
      [set("k", { a: 0, c: 1 })],
      [set("k", { a: 0, b: ["x", "x"] })],
      [set("k", { a: 0, b: [2] })],
      [set("k", [])],
      [set("k", null)],
    ],
    key: "k",
  },
};

/** A gate asks for statements about an action, and none about its effects: tests/kernel/attestations has its table. */
const gate = "attested";

test("every rule is in the table", () => {
  expect([...Object.keys(rows), gate].sort()).toEqual([...readyRules.keys()].sort());
});

describe.each(Object.entries(rows))("%s", (name, { fields, state, fine, wrong, key }) => {
  const policy = { rules: [rule(name, fields)] };

  test.each(fine.map((effects, i) => [i, effects] as const))(
    "allows what is within it: %i",
    async (_, effects) => {
      const { kernel } = await opened(policy, state);
      const { verdict, reasons } = await kernel.execute(act(...effects));
      expect({ verdict, reasons }).toEqual({ verdict: "allowed", reasons: [] });
    },
  );

  test.each(wrong.map((effects, i) => [i, effects] as const))(
    "refuses what is beyond it: %i",
    async (_, effects) => {
      const { kernel } = await opened(policy, state);
      const before = kernel.status().state;
      const { verdict, reasons } = await kernel.execute(act(...effects));
      expect(verdict).toBe("refused");
      expect(["invariant", "protected"]).toContain(reasons[0]?.code);
      expect(kernel.status().state).toBe(before);
      const watched = await opened({ rules: [rule(name, fields, "monitoring")] }, state);
      const seen = await watched.kernel.execute(act(...effects));
      // What is only watched is told all the same; keys that are protected stay so.
      if (reasons.every(({ code }) => code === "invariant")) expect(seen.verdict).toBe("allowed");
      expect(seen.checks.some(({ result }) => result === "violated")).toBe(true);
    },
  );

  if (key === undefined) return;
  const { [key]: _, ...absent } = state;

  test("minds an absent key, unless told otherwise", async () => {
    await expect(opened(policy, absent)).rejects.toThrow(`there is no \`${key}\``);
    const { kernel } = await opened({ rules: [rule(name, { ...fields, missing: "ok" })] }, absent);
    expect((await kernel.execute(act(set("other", 1)))).verdict).toBe("allowed");
  });

  test("an unknown field or word is an error", async () => {
    await expect(opened({ rules: [rule(name, { ...fields, extra: 1 })] }, state)).rejects.toThrow(
      "unknown field",
    );
    await expect(opened({ rules: [rule(name, { ...fields, missing: "fine" })] }, state)).rejects.toThrow(
      "missing",
    );
    await expect(opened({ rules: [rule(name, fields, "Blocking")] }, state)).rejects.toThrow("enforcement");
  });
});

describe("a JSON schema", () => {
  const holding = async (schema: unknown, value: unknown) => {
    const { kernel } = await opened({ rules: [rule("jsonSchema", { key: "k", schema, missing: "ok" })] }, {});
    return (await kernel.execute(act(set("k", value)))).verdict === "allowed";
  };

  test.each<[unknown, readonly unknown[], readonly unknown[]]>([
    [{ pattern: "^[a-z]+-\\d{2}$" }, ["ab-12", 7, null], ["ab-1", "xab-12x", "ab-12\n", ""]],
    [{ pattern: "b" }, ["abc"], ["ac"]],
    [
      {
        $defs: {
          id: { type: "string", pattern: "^\\d+$" },
          ids: { type: "array", items: { $ref: "#/$defs/id" } },
        },
        properties: { a: { $ref: "#/$defs/id" }, b: { $ref: "#/$defs/ids", maxItems: 1 } },
      },
      [{}, { a: "1" }, { b: ["1"] }, { a: "1", b: [] }],
      [{ a: 1 }, { a: "x" }, { b: ["1", "2"] }, { b: [1] }],
    ],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2, "x"], [0, 3]],
    [{ anyOf: [{ const: 1 }, { type: "string" }] }, [1, "a"], [2, null]],
    [{ oneOf: [{ type: "number" }, { type: "integer" }] }, [0.5], [1, "a"]],
    [{ not: { type: "null" } }, [0, ""], [null]],
    [{ multipleOf: 0.1 }, [0.3, 1], [0.25]],
    [{ exclusiveMinimum: 0, exclusiveMaximum: 1 }, [0.5], [0, 1]],
    [{ minLength: 1, maxLength: 1 }, ["a", "\u{1f600}"], ["", "ab"]],
    [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
    [true, [1], []],
    [{ properties: { a: false } }, [{}], [{ a: 1 }]],
  ])("%j", async (schema, fine, wrong) => {
    for (const value of fine) expect([value, await holding(schema, value)]).toEqual([value, true]);
    for (const value of wrong) expect([value, await holding(schema, value)]).toEqual([value, false]);
  });

  const bomb = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  );
  test.each<[string, unknown]>([
    ["an unknown keyword", { minimun: 1 }],
    ["an unknown keyword within", { properties: { a: { items: { if: true } } } }],
    ["patternProperties", { patternProperties: {} }],
    ["prefixItems", { prefixItems: [true] }],
    ["format", { format: "email" }],
    ["a pattern with a look-ahead", { pattern: "(?=a)" }],
    ["a pattern that is none", { pattern: "(" }],
    ["a pattern that is no text", { pattern: 1 }],
    ["a reference elsewhere", { $ref: "https://example.org/schema" }],
    ["a reference to nothing", { $ref: "#/$defs/none" }],
    ["a reference to the whole", { properties: { a: { $ref: "#" } } }],
    ["a reference to itself", { $defs: { a: { items: { $ref: "#/$defs/a" } } }, $ref: "#/$defs/a" }],
    ["a reference of the prototype", { $defs: {}, $ref: "#/$defs/constructor" }],
    ["a definition that makes no sense", { $defs: { a: { type: "text" } } }],
    ["definitions within", { properties: { a: { $defs: {} } } }],
    ["references that double", { $defs: { ...bomb, d30: true }, $ref: "#/$defs/d0" }],
    ["a type that is none", { type: "float" }],
    ["a bound that is a text", { minimum: "1" }],
    ["a schema that is a text", "string"],
  ])("is refused when the policy is read: %s", async (_, schema) => {
    await expect(holding(schema, 1)).rejects.toThrow(/schema|keyword|unknown field|not a/);
  });

  test("a text that would take too long is not let through", async () => {
    expect(await holding({ pattern: "(a|b|c|d|e|f|g){1,60}x" }, "a".repeat(90_000))).toBe(false);
  });
});

describe("gates", () => {
  test("an approval is given by a grant, and only by one", async () => {
    const { kernel } = await opened({ rules: [rule("approvalGate", { key: "ok" })] }, { ok: false });
    expect((await kernel.execute(act(set("x", 1)))).verdict).toBe("refused");
    expect((await kernel.execute(act(set("ok", true)))).reasons.map(({ code }) => code)).toContain(
      "protected",
    );
    expect((await kernel.grant("x", true)).verdict).toBe("refused");
    expect((await kernel.grant("ok", true, "ann")).verdict).toBe("allowed");
    expect((await kernel.execute(act(set("x", 1)))).verdict).toBe("allowed");
    await kernel.grant("ok", "true");
    expect((await kernel.execute(act(set("x", 2)))).verdict).toBe("refused");
  });

  test("a terminal flag ends all actions, and stays", async () => {
    const { kernel } = await opened(
      { rules: [rule("terminalFlag", { key: "end" })], emergencies: [{ id: "halt" }] },
      { end: false },
    );
    const { receipt = "" } = await kernel.execute(act(set("end", true)));
    expect((await kernel.execute(act(set("x", 1)))).verdict).toBe("refused");
    expect((await kernel.execute(act(set("end", false)))).verdict).toBe("refused");
    expect((await kernel.rollback(receipt)).verdict).toBe("refused");
    expect((await kernel.execute({ id: "halt" })).verdict).toBe("allowed");
  });

  test("a time window slides, and the clock cannot be turned back", async () => {
    const { kernel, clock } = await opened({ rules: [rule("timeWindow", { max: 2, windowMs: 10 })] });
    const verdicts: string[] = [];
    for (const ms of [0, 5, 4, -100, 104, 5, 6]) {
      clock.now += ms;
      verdicts.push((await kernel.execute(act())).verdict);
    }
    expect(verdicts).toEqual(["allowed", "allowed", "refused", "refused", "allowed", "allowed", "allowed"]);
    clock.now = Number.NaN;
    expect((await kernel.execute(act())).verdict).toBe("refused");
  });
});

describe("expressions", () => {
  const when = (text: string, enforcement = "blocking") => ({
    rules: [{ name: "w", enforcement, when: text }],
  });
  const number = (of: string, key: string) => `value(jsonNumber(value(jsonField(${of}, "${key}"))))`;

  test.each([
    [`${number("after", "n")} <= 3`, { n: 1 }, [up("n", 2)], [up("n", 3)]],
    [`${number("after", "n")} >= ${number("before", "n")}`, { n: 1 }, [up("n", 0)], [down("n", 1)]],
    [`history.steps < 1 or ${number("after", "n")} == 0`, { n: 0 }, [set("n", 5)], undefined],
    [`every(action.effects, (e) => e.op != "delete")`, { n: 0 }, [set("n", 1)], [gone("n")]],
    [`action.id == "act"`, {}, [], undefined],
    [`value(jsonNumber(value(jsonField(history.calls, "mail")))) < 1`, {}, [], undefined],
    [`length(joinText(["a"], "")) == 1 and before == after`, { n: 1 }, [set("n", 1)], [set("n", 2)]],
  ])("%s", async (text, state, fine, wrong) => {
    const { kernel } = await opened(when(text), state);
    expect((await kernel.execute(act(...fine))).reasons).toEqual([]);
    if (wrong === undefined) return;
    const other = await opened(when(text), state);
    expect((await other.kernel.execute(act(...wrong))).verdict).toBe("refused");
  });

  const x = number("after", "x");
  test.each([
    [`${x} <= 3`, "deleted", [gone("x")]],
    [`${x} <= 3`, "a text", [set("x", "9999")]],
    [`${x} <= 3`, "null", [set("x", null)]],
    [`not (${x} > 3)`, "deleted under a negation", [gone("x")]],
    [`${x} <= 3 or true`, "deleted before what would do", [gone("x")]],
    [`every([1], (n) => ${x} + n <= 4)`, "deleted in a function", [gone("x")]],
    [`let n = ${x} in n <= 3`, "deleted and named", [gone("x")]],
    [`(if ${x} < 2 then 1 else 2) == 1`, "deleted in a condition", [gone("x")]],
    [`6 / ${x} <= 6`, "a divisor of zero", [set("x", 0)]],
    [`remainder(6, ${x}) == 0`, "a remainder by zero", [set("x", 0)]],
    [
      `jsonKind(value(jsonField(value(jsonField(after, "y")), "z"))) != "string"`,
      "an inner field",
      [set("y", 1)],
    ],
  ])("%s is violated by x that is %s", async (text, _, wrong) => {
    const state = { x: 1, y: { z: 1 } };
    const { kernel } = await opened(when(text), state);
    expect((await kernel.execute(act(set("note", 1)))).verdict).toBe("allowed");
    const refused = await kernel.execute(act(...wrong));
    expect([refused.verdict, ...refused.reasons.map(({ reason }) => reason)]).toEqual([
      "refused",
      "undefined step",
    ]);
  });

  test.each([
    [`orElse(jsonNumber(orElse(jsonField(after, "x"), json(0))), 0) <= 3`],
    [`not isSome(jsonField(after, "x")) or ${x} <= 3`],
    [`isSome(jsonField(after, "x")) implies ${x} <= 3`],
    [`if isSome(jsonField(after, "x")) then ${x} <= 3 else true`],
  ])("%s says what holds without x", async (text) => {
    const { kernel } = await opened(when(text), { x: 1 });
    expect((await kernel.execute(act(gone("x")))).reasons).toEqual([]);
    expect((await kernel.execute(act(set("x", 4)))).verdict).toBe("refused");
  });

  test("a kernel does not begin with a state in which an expression has an undefined step", async () => {
    const tried = await Kernel.open({ ledger: new MemoryLog(), policy: when(`${x} <= 3`), clock: () => 1 });
    expect(tried.ok ? "" : tried.problem.message).toContain("not there");
  });

  test("calls of tools are counted", async () => {
    const { kernel } = await opened(when(`value(jsonNumber(value(jsonField(history.calls, "mail")))) < 2`));
    const mail = { id: "m", tool: "mail" };
    const verdicts = [await kernel.execute(mail), await kernel.execute(mail), await kernel.execute(mail)];
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["allowed", "allowed", "refused"]);
  });

  test("one that takes too much work does not hold", async () => {
    const text = "length(flatMap(range(1000), (a) => range(1000))) > 0 or before == after";
    const { kernel } = await opened(when(text));
    expect((await kernel.execute(act())).reasons[0]?.message).toContain("too much work");
  });
});

describe("functions", () => {
  const answers: readonly (readonly [string, () => unknown])[] = [
    ["false", () => false],
    ["a text", () => "true"],
    ["one", () => 1],
    ["an object", () => ({})],
    ["a promise", () => Promise.resolve(true)],
    ["a Boolean object", () => new Boolean(true)],
    ["nothing", () => undefined],
    [
      "an error",
      () => {
        throw new Error("no");
      },
    ],
  ];

  test.each(answers)("only `true` passes: %s", async (_, check) => {
    const one = { name: "f", enforcement: "blocking", over: "step", check } as const;
    const { kernel } = await opened({}, {}, { functions: [one] });
    expect((await kernel.execute(act())).verdict).toBe("refused");
    await expect(opened({}, {}, { functions: [{ ...one, over: "state" }] })).rejects.toThrow("initial state");
  });

  test("gets frozen data, and what it does to it changes nothing", async () => {
    const check = (after: { get(key: string): unknown }) => {
      const list = after.get("list");
      return Object.isFrozen(list) && Array.isArray(list) && !Reflect.set(list, 0, 9);
    };
    const { kernel } = await opened(
      {},
      { list: [1] },
      { functions: [{ name: "f", enforcement: "blocking", check }] },
    );
    expect((await kernel.execute(act({ key: "list", op: "append", value: 2 }))).verdict).toBe("allowed");
    expect(kernel.status().state).toBe('{"list":[1,2]}');
  });
});
