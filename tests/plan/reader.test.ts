/** The reader of plans: fields, defaults, problems with their places, limits; and the schema says the same. */
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { defaultLimits } from "../../src/ir/limits.ts";
import { defaultPlanLimits, planSchema, readPlan, readState, verify } from "../../src/plan/index.ts";
import { referenceIn } from "../../src/plan/references.ts";
import { atLeast, runs } from "../support/runs.ts";
import { formatJson } from "../support/spec-files.ts";
import { anyPlanData } from "./arbitrary-plan.ts";
import { call, planOf, readData } from "./plans.ts";

const one = (fields: string) => `{"actions": [{"id": "a", "type": "tool_call", "tool": "t"${fields}}]}`;

describe("a plan", () => {
  test("has defaults for all that is left out", () => {
    const { plan, warnings } = readData({ actions: [{ id: "a", type: "tool_call" }] });
    expect(warnings).toEqual([]);
    expect(plan).toMatchObject({ id: "", source: "", timestamp: undefined });
    const { json: _, ...action } = plan.actions[0]!;
    expect(action).toEqual({
      id: "a",
      type: "tool_call",
      tool: undefined,
      parameters: {},
      preconditions: [],
      expectedEffects: [],
      stateDependencies: [],
      dependencies: [],
      readSet: [],
      writeSet: [],
      reversibility: "irreversible",
      compensation: undefined,
      idempotent: false,
      maxRetries: 3,
      failureBehavior: "abort",
      timeoutMs: undefined,
      metadata: {},
      references: [],
    });
  });

  test("has every field", () => {
    const { plan, warnings } = readData({
      id: "p",
      source: "agent",
      timestamp: "2026-01-01T00:00:00Z",
      context: { why: "test" },
      actions: [
        call("a", "t", {
          parameters: { to: "$b.output.name", also: ["$b.output", { deep: "$c.output" }] },
          preconditions: [{ key: "k", operator: "gt", value: 2, description: "enough" }, { key: "l" }],
          expected_effects: { done: true },
          state_dependencies: ["k"],
          dependencies: ["b"],
          read_set: ["r"],
          write_set: ["w"],
          reversibility: "compensable",
          compensation: { type: "tool", tool: "undo", parameters: { a: 1 } },
          idempotent: true,
          max_retries: 0,
          failure_behavior: "retry",
          timeout_ms: 30_000,
          metadata: { note: 1 },
        }),
        call("b", "t", { tool: null, timeout_ms: null, compensation: null }),
        call("c", "t", { compensation: { type: "action_ref", action_id: "b" } }),
      ],
    });
    expect(warnings).toEqual([]);
    const [a, b, c] = plan.actions;
    expect(a).toMatchObject({
      preconditions: [
        { key: "k", operator: "gt", description: "enough" },
        { key: "l", operator: "eq", value: null, description: "" },
      ],
      references: ["b", "c"],
      readSet: ["r"],
      writeSet: ["w"],
      compensation: { type: "tool", tool: "undo" },
      maxRetries: 0,
      timeoutMs: 30_000,
    });
    expect([b?.tool, b?.timeoutMs, b?.compensation]).toEqual([undefined, undefined, undefined]);
    expect(c?.compensation).toEqual({ type: "action_ref", actionId: "b" });
  });

  /** Each: a text, the code, the path, and the line and column of the place. */
  test.each<[string, string, (string | number)[]]>([
    ["[]", "FC1102", []],
    ["{}", "FC1103", []],
    ['{"actions": {}}', "FC1102", ["actions"]],
    ['{"actions": [1]}', "FC1102", ["actions", 0]],
    ['{"actions": [{"id": "a"}]}', "FC1103", ["actions", 0]],
    ['{"actions": [{"id": 1, "type": "tool_call"}]}', "FC1102", ["actions", 0, "id"]],
    ['{"actions": [{"id": "a", "type": "tool-call"}]}', "FC1105", ["actions", 0, "type"]],
    [one(', "failure_behavior": "stop"'), "FC1105", ["actions", 0, "failure_behavior"]],
    [one(', "reversibility": "maybe"'), "FC1105", ["actions", 0, "reversibility"]],
    [
      one(', "preconditions": [{"key": "k", "operator": "=="}]'),
      "FC1105",
      ["actions", 0, "preconditions", 0, "operator"],
    ],
    [one(', "preconditions": [{"operator": "eq"}]'), "FC1103", ["actions", 0, "preconditions", 0]],
    [one(', "preconditions": [null]'), "FC1102", ["actions", 0, "preconditions", 0]],
    [one(', "parameters": []'), "FC1102", ["actions", 0, "parameters"]],
    [one(', "state_dependencies": ["x", 1]'), "FC1102", ["actions", 0, "state_dependencies", 1]],
    [one(', "dependencies": "x"'), "FC1102", ["actions", 0, "dependencies"]],
    [one(', "idempotent": "yes"'), "FC1102", ["actions", 0, "idempotent"]],
    [one(', "max_retries": -1'), "FC1102", ["actions", 0, "max_retries"]],
    [one(', "max_retries": 1.5'), "FC1102", ["actions", 0, "max_retries"]],
    [one(', "max_retries": 4294967296'), "FC1102", ["actions", 0, "max_retries"]],
    [one(', "timeout_ms": "1"'), "FC1102", ["actions", 0, "timeout_ms"]],
    [one(', "compensation": {"tool": "t"}'), "FC1103", ["actions", 0, "compensation"]],
    [one(', "compensation": {"type": "call"}'), "FC1105", ["actions", 0, "compensation", "type"]],
    [one(', "compensation": {"type": "tool"}'), "FC1103", ["actions", 0, "compensation"]],
    [one(', "id": "b"'), "FC1106", ["actions", 0, "id"]],
    [one(","), "FC1101", ["actions", 0]],
  ])("%s is %s", (text, code, path) => {
    const read = readPlan(text);
    expect(read.ok ? [] : read.problems.map((problem) => [problem.code, problem.path])).toEqual([
      [code, path],
    ]);
    expect(!read.ok && read.problems[0]?.span).toBeTruthy();
  });

  test("warns of fields that nobody knows, and of actions without an id", () => {
    const { warnings, plan } = readData({
      plan: 1,
      actions: [{ type: "tool_call", tool: "t", preconditons: [], preconditions: [{ key: "k", op: "eq" }] }],
    });
    expect(warnings.map(({ code, path, help }) => [code, path.join("."), help])).toEqual([
      ["FC3001", "plan", undefined],
      ["FC3001", "actions.0.preconditons", "did you mean `preconditions`?"],
      ["FC3009", "actions.0", undefined],
      ["FC3001", "actions.0.preconditions.0.op", undefined],
    ]);
    expect(plan.actions[0]?.id).toBe("#1");
  });

  test("a key called `__proto__` is a key like any other", () => {
    const text = one(
      ', "expected_effects": {"__proto__": 1, "constructor": 2}, "metadata": {"__proto__": {"x": 1}}',
    );
    const read = readPlan(text);
    if (!read.ok) throw new Error("it reads");
    const { state, valid } = verify(read.value.plan, { state: new Map() });
    expect(valid).toBe(true);
    expect([...state.keys()]).toEqual(["__proto__", "constructor"]);
    expect(Reflect.get({}, "x")).toBeUndefined();
  });
});

describe("references", () => {
  test.each<[string, unknown]>([
    ["$a.output", { id: "a", field: [] }],
    ["$a.output.b.c", { id: "a", field: ["b", "c"] }],
    ["$a.b.output", { id: "a.b", field: [] }],
    ["$a.outputs", undefined],
    ["a.output", undefined],
    ["see $a.output", undefined],
    ["$.output", undefined],
    ["$a.output.", undefined],
    ["$$a.output", undefined],
  ])("%s", (text, found) => {
    expect(referenceIn(text)).toEqual(found);
  });

  test("inside a longer text is used literally, with a warning", () => {
    const { warnings, plan } = readData({
      actions: [call("a", "t", { parameters: { p: "see $b.output" } })],
    });
    expect(warnings.map(({ code }) => code)).toEqual(["FC3109"]);
    expect(plan.actions[0]?.references).toEqual([]);
  });
});

describe("limits", () => {
  const most = defaultPlanLimits.nameLength;

  test.each([
    ["id", (n: number) => `{"actions":[{"id":"${"a".repeat(n)}","type":"tool_call","tool":"t"}]}`],
    ["key", (n: number) => one(`, "state_dependencies": ["${"k".repeat(n)}"]`)],
    ["tool", (n: number) => `{"actions":[{"id":"a","type":"tool_call","tool":"${"t".repeat(n)}"}]}`],
  ])("of the length of an %s", (_, text) => {
    expect(readPlan(text(most)).ok).toBe(true);
    const read = readPlan(text(most + 1));
    expect(read.ok ? [] : read.problems.map(({ code }) => code)).toEqual(["FC1408"]);
  });

  test("of depth", () => {
    const nested = (n: number) => one(`, "parameters": {"p": ${"[".repeat(n)}${"]".repeat(n)}}`);
    const outside = 4; // plan, actions, action, parameters
    expect(readPlan(nested(defaultLimits.depth - outside)).ok).toBe(true);
    const read = readPlan(nested(defaultLimits.depth - outside + 1));
    expect(read.ok ? [] : read.problems.map(({ code }) => code)).toEqual(["FC1402"]);
  });

  test("of the number of actions", () => {
    const plan = planOf(call("a", "t"), call("b", "u"));
    expect(verify(plan, { maxActions: 2 }).valid).toBe(true);
    const { valid, findings, levels } = verify(plan, { maxActions: 1 });
    expect([valid, findings.map(({ code }) => code), levels]).toEqual([false, ["FC3002"], []]);
  });

  test("of a state", () => {
    expect(readState("[]").ok).toBe(false);
    expect(readState('{"a": 1, "a": 2}').ok).toBe(false);
  });
});

describe("the schema", () => {
  const ajv = new Ajv2020({ allowUnionTypes: true });
  const validate = ajv.compile(planSchema() as object);

  test("is the one that is published", async () => {
    await expect(formatJson(planSchema())).toMatchFileSnapshot(join(ROOT, "schema/plan-1.schema.json"));
  });

  test("takes and refuses what the reader takes and refuses", () => {
    let [taken, refused] = [0, 0];
    const strange = fc.constantFrom(
      null,
      0,
      -1,
      1.5,
      2 ** 32,
      "",
      "eq",
      "skip",
      "tool",
      true,
      [],
      ["x"],
      [1],
      {},
      {
        type: "tool",
        tool: "t",
      },
    );
    const fields = [
      ...["id", "type", "tool", "parameters", "preconditions", "expected_effects", "state_dependencies"],
      ...[
        "dependencies",
        "read_set",
        "write_set",
        "reversibility",
        "compensation",
        "idempotent",
        "max_retries",
      ],
      ...["failure_behavior", "timeout_ms", "metadata", "further"],
    ];
    fc.assert(
      fc.property(
        anyPlanData({ actions: 3 }),
        fc.array(fc.tuple(fc.constantFrom(...fields), strange), { maxLength: 2 }),
        fc.option(fc.tuple(fc.constantFrom("id", "source", "actions", "timestamp", "context", "x"), strange)),
        fc.option(fc.tuple(fc.constantFrom("key", "operator", "value", "description"), strange)),
        (data, changes, outer, inner) => {
          const [first, ...rest] = structuredClone(data.actions) as Record<string, unknown>[];
          for (const [name, value] of changes) first![name] = value;
          const [precondition] = Array.isArray(first!.preconditions) ? first!.preconditions : [];
          if (inner !== null && typeof precondition === "object" && precondition !== null)
            precondition[inner[0]] = inner[1];
          const changed: Record<string, unknown> = { actions: [first, ...rest] };
          if (outer !== null) changed[outer[0]] = outer[1];
          const json: unknown = JSON.parse(JSON.stringify(changed));
          const read = readPlan(JSON.stringify(json));
          const why = read.ok
            ? ""
            : read.problems.map(({ code, message }) => `${code} ${message}`).join("\n");
          expect(validate(json), `${why}\n${JSON.stringify(json)}`).toBe(read.ok);
          if (read.ok) taken++;
          else refused++;
        },
      ),
      { numRuns: runs(800) },
    );
    expect(taken).toBeGreaterThan(atLeast(40));
    expect(refused).toBeGreaterThan(atLeast(80));
  });
});
