import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runs } from "../../../tests/support/runs.ts";
import { loadToolModules, nodeFiles } from "../../app/index.ts";
import { readToolsList, type ToolDefinition, toolsIn } from "./definition.ts";
import { importTools } from "./import-tools.ts";
import type { Json } from "./json.ts";
import { digestOf } from "./lock.ts";
import { generateModule } from "./module-text.ts";
import { readSchema } from "./read-schema.ts";
import { projected, resultShape } from "./result-shape.ts";
import { updateTools } from "./update-tools.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-generate-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The tools of a list with one tool that takes this. */
function taking(inputSchema: Json, more: Record<string, Json> = {}): readonly ToolDefinition[] {
  const read = toolsIn("list", { tools: [{ name: "act", inputSchema, ...more }] });
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value;
}

async function compiled(text: string) {
  const own = mkdtempSync(join(folder, "m-"));
  mkdirSync(join(own, "tools"));
  writeFileSync(join(own, "tools", "srv.ts"), text);
  const found = await loadToolModules(nodeFiles, join(own, "tools"));
  if (!found.ok) throw new Error(`${found.problems[0]?.message}\n${text}`);
  return found.value;
}

const options = { name: "srv", trustHints: false };

const object = (properties: Json, required: Json = []): Json => ({ type: "object", properties, required });

describe("types", () => {
  test.each<[string, Json, string]>([
    ["a text", object({ a: { type: "string" } }, ["a"]), "{ a: string }"],
    ["an optional one", object({ a: { type: "string" } }), "{ a?: string }"],
    ["a default", object({ a: { type: "integer", default: 3 } }, ["a"]), "{ a?: Int }"],
    ["null", object({ a: { type: ["string", "null"] } }, ["a"]), "{ a: string | null }"],
    ["null and optional", object({ a: { anyOf: [{ type: "string" }, { type: "null" }] } }), "{ a?: string }"],
    ["words", object({ a: { enum: ["x", 'y"'] } }, ["a"]), '{ a: "x" | "y\\"" }'],
    [
      "a list of words",
      object({ a: { type: "array", items: { enum: ["x", "y"] } } }),
      '{ a?: ("x" | "y")[] }',
    ],
    ["a constant", object({ a: { const: "x" } }, ["a"]), '{ a: "x" }'],
    [
      "words and a text",
      object({ a: { anyOf: [{ const: "x" }, { type: "string" }] } }, ["a"]),
      "{ a: string }",
    ],
    ["numbers", object({ a: { oneOf: [{ type: "integer" }, { type: "number" }] } }, ["a"]), "{ a: number }"],
    ["a union", object({ a: { type: ["string", "number"] } }, ["a"]), "{ a: string | number }"],
    [
      "a union of objects",
      object(
        {
          a: {
            oneOf: [
              object({ kind: { const: "x" }, n: { type: "number" } }, ["kind", "n"]),
              object({ kind: { const: "y" } }, ["kind"]),
              { type: "null" },
            ],
          },
        },
        ["a"],
      ),
      '{ a: { kind: "x"; n: number } | { kind: "y" } | null }',
    ],
    ["an open object", object({ a: { type: "object" } }, ["a"]), "{ a: Record<string, unknown> }"],
    [
      "an object with any names",
      object({ a: { type: "object", additionalProperties: { type: "integer" } } }, ["a"]),
      "{ a: Record<string, Int> }",
    ],
    [
      "an empty object",
      object({ a: { type: "object", properties: {}, additionalProperties: false } }, ["a"]),
      "{ a: {} }",
    ],
    ["a name that is no word", object({ "a-b": { type: "boolean" } }, ["a-b"]), '{ "a-b": boolean }'],
    [
      "allOf",
      object(
        { a: { allOf: [object({ x: { type: "string" } }, ["x"]), object({ y: { type: "number" } })] } },
        ["a"],
      ),
      "{ a: { x: string; y?: number } }",
    ],
    [
      "a reference",
      {
        $defs: { p: { type: "number" } },
        type: "object",
        properties: { a: { $ref: "#/$defs/p" } },
        required: ["a"],
      },
      "{ a: number }",
    ],
    [
      "a type that contains itself",
      {
        $defs: { n: { type: "object", properties: { next: { $ref: "#/$defs/n" } } } },
        type: "object",
        properties: { a: { $ref: "#/$defs/n" } },
      },
      "{ a?: { next?: unknown } }",
    ],
    [
      "alternatives of required fields",
      {
        type: "object",
        properties: { a: { type: "string" } },
        anyOf: [{ required: ["a"] }, { required: [] }],
      },
      "{ a?: string }",
    ],
  ])("%s", async (_, schema, type) => {
    const { text } = generateModule(taking(schema), options);
    expect(text).toContain(`run: async (args: ${type}, call): Promise<string>`);
    const { tools } = await compiled(text);
    expect(tools.map(({ name }) => name)).toEqual(["srv.act"]);
  });

  test("a result is structured by its schema, and text without one", async () => {
    const outputSchema = object({ n: { type: "integer", default: 1 }, s: { type: "string" } }, ["n"]);
    const { text } = generateModule(taking(object({}), { outputSchema }), options);
    expect(text).toContain(
      'run: async (_: {}, call): Promise<{ n: Int; s?: string }> => server.structured("act", {}, call)',
    );
    const [tool] = (await compiled(text)).tools;
    expect(tool?.params).toEqual([]);
    expect(tool?.untrusted).toBe(true);
  });
});

test("bounds, lengths, patterns and formats become requires", async () => {
  const { text, ignored } = generateModule(
    taking({
      type: "object",
      properties: {
        n: { type: "integer", minimum: 1, exclusiveMaximum: 10, multipleOf: 3 },
        text: { type: "string", minLength: 1, maxLength: 4, pattern: "^[a/]+$" },
        level: { enum: [1, 2] },
        when: { type: "string", format: "date" },
        odd: { type: "string", pattern: "(?=x)" },
        tags: { type: "array", maxItems: 2, items: { type: "string", maxLength: 3 } },
        deep: { type: "object", properties: { x: { type: "number", maximum: 5 } } },
      },
      required: ["n", "text", "level", "tags"],
      dependentRequired: { when: ["odd"] },
    }),
    options,
  );
  for (const condition of [
    "call.n >= 1",
    "call.n < 10",
    "call.n % 3 === 0",
    "call.text.length >= 1",
    "call.text.length <= 4",
    "/^[a/]+$/.test(call.text)",
    "(call.level === 1 || call.level === 2)",
    "(call.when === undefined || /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(call.when))",
    "call.tags.length <= 2",
    "call.tags.every((x1) => x1.length <= 3)",
    "(call.deep === undefined || (call.deep.x === undefined || call.deep.x <= 5))",
  ])
    expect(text).toContain(condition);
  expect(ignored).toEqual(["act: dependentRequired", "act: pattern of call.odd"]);
  const [tool] = (await compiled(text)).tools;
  expect(tool?.requires.length).toBeGreaterThan(0);
});

describe("labels", () => {
  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const definitions = taking({ type: "object" }, { annotations: hints });

  test("a claim of the server changes nothing by itself", async () => {
    const [tool] = (await compiled(generateModule(definitions, options).text)).tools;
    expect(tool?.labels).toEqual(["srv", "changes", "destructive", "open_world"]);
    expect(tool?.reads).toBeUndefined();
    expect(tool?.idempotent).toBeUndefined();
  });

  test("a person can take the claims for true", async () => {
    const [tool] = (await compiled(generateModule(definitions, { ...options, trustHints: true }).text)).tools;
    expect(tool?.labels).toEqual(["srv"]);
    expect(tool?.reads).toBe(true);
    expect(tool?.idempotent).toBe(true);
  });
});

test("contracts and coverage for fields of interest", async () => {
  const { text } = generateModule(
    taking({
      type: "object",
      properties: { path: { type: "string" }, urls: { type: "array", items: { type: "string" } } },
    }),
    options,
  );
  const { contracts } = await compiled(text);
  expect(contracts.map(({ name }) => name)).toEqual([
    "srv.readOnly",
    "srv.neverCalls",
    "srv.callsAtMost",
    "srv.onlyPath",
    "srv.pathBelow",
    "srv.onlyUrls",
    "srv.urlsBelow",
    "srv.noGuarantees",
  ]);
  expect(text).toContain("act.all((one) => one.path !== undefined && values.includes(one.path))");
  expect(text).toContain("whenUsed: [act],\n  recommended: [onlyPath]");
});

test("a field that is no text passes no contract about its values", async () => {
  const list = {
    tools: [
      { name: "one", inputSchema: object({ path: { type: "string" } }, ["path"]) },
      { name: "some", inputSchema: object({ path: { type: ["string", "null"] } }, ["path"]) },
      {
        name: "many",
        inputSchema: object({ path: { type: ["string", "array"], items: { type: "string" } } }, ["path"]),
      },
      { name: "other", inputSchema: object({ n: { type: "integer" } }) },
    ],
  };
  const read = readToolsList("list.json", JSON.stringify(list));
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const { text } = generateModule(read.value, options);
  await compiled(text);
  expect(text).toContain(`onlyPath = contract((values: string[]) =>
  one.all((one) => values.includes(one.path)) &&
  some.all((one) => one.path !== null && values.includes(one.path)) &&
  many.none(),`);
});

test("a structured result is projected to the member of a union that it is of", () => {
  const shape = resultShape({
    oneOf: [
      object({ kind: { const: "x" }, n: { type: "number" } }, ["kind", "n"]),
      object(
        { kind: { const: "y" }, list: { type: "array", items: object({ a: { type: "string" } }, ["a"]) } },
        ["kind"],
      ),
    ],
  });
  expect(projected({ kind: "y", list: [{ a: "1", b: 2 }], n: 1 }, shape)).toEqual({
    kind: "y",
    list: [{ a: "1" }],
  });
  expect(projected({ kind: "x", n: 1, list: [] }, shape)).toEqual({ kind: "x", n: 1 });
  // Neither: it stays, and the run refuses it.
  expect(projected({ kind: "x", list: [] }, shape)).toEqual({ kind: "x", list: [] });
});

test("words of a server never become code, and are seen by a reader", async () => {
  const hostile = '*/ export const x = tool({}); /* \u202e\u2028 ` "';
  const list = {
    tools: [
      {
        name: "delete",
        description: hostile,
        inputSchema: { type: "object", properties: { [hostile]: { enum: [hostile] } } },
      },
      {
        name: hostile,
        inputSchema: { type: "object", properties: { to: { type: "string", description: hostile } } },
      },
      { name: "tool", inputSchema: { type: "object" } },
      { name: "readOnly", inputSchema: { type: "object" } },
      { name: "9 lives", inputSchema: { type: "object" } },
    ],
  };
  const read = toolsIn("list", list);
  if (!read.ok) throw new Error("no list");
  const { text, tools } = generateModule(read.value, options);
  expect([...tools.values()]).toEqual([
    "delete_",
    expect.stringMatching(/^[\w$]+$/),
    "tool_",
    "readOnly_",
    "_9_lives",
  ]);
  expect(text).not.toMatch(/[\u202e\u2028]/);
  expect((await compiled(text)).tools).toHaveLength(5);
});

test.each([
  ["not JSON", "{"],
  ["no list", "{}"],
  ["no object", "[1]"],
  ["no name", '[{"inputSchema": {}}]'],
  ["no schema", '[{"name": "a"}]'],
  ["twice", '[{"name": "a", "inputSchema": {}}, {"name": "a", "inputSchema": {}}]'],
  ["too deep", `[{"name": "a", "inputSchema": ${'{"not":'.repeat(300)}{}${"}".repeat(300)}}]`],
])("a list that is none is refused: %s", (_, text) => {
  const read = readToolsList("list.json", text);
  expect(read.ok ? "" : read.problems[0]?.code).toBe("FC9141");
});

test("references that double at each step are bounded", () => {
  const $defs: Record<string, Json> = { d0: { type: "string" } };
  for (let i = 1; i <= 60; i++)
    $defs[`d${i}`] = {
      type: "object",
      properties: { a: { $ref: `#/$defs/d${i - 1}` }, b: { $ref: `#/$defs/d${i - 1}` } },
    };
  const { shape } = readSchema({ $defs, $ref: "#/$defs/d60" }, "arguments");
  expect(shape.kind).toBe("record");
});

test("a module is made once, and drift of one byte is seen until it is accepted", async () => {
  const out = join(folder, "once");
  const first = taking({ type: "object", properties: { a: { type: "string" } } }, { description: "Acts." });
  const made = await importTools(nodeFiles, first, { ...options, out });
  expect(made.ok && made.value.tools).toBe(1);
  const again = await importTools(nodeFiles, first, { ...options, out });
  expect(again.ok ? "" : again.problems[0]?.code).toBe("FC9142");
  const text = readFileSync(join(out, "srv.ts"), "utf8");

  const update = async (now: readonly ToolDefinition[], accept: boolean) => {
    const found = await updateTools(nodeFiles, now, { ...options, out, accept });
    if (!found.ok) throw new Error(found.problems[0]?.message);
    return found.value;
  };
  expect((await update(first, false)).drift).toEqual({ added: [], removed: [], changed: [] });
  const now = taking({ type: "object", properties: { a: { type: "string" } } }, { description: "Acts!" });
  const seen = await update(now, false);
  expect(seen.drift.changed).toEqual(["act"]);
  expect(seen.diff).toContain("+/** Acts! */");
  expect((await update(now, true)).accepted).toBe(true);
  expect((await update(now, false)).drift.changed).toEqual([]);
  expect(readFileSync(join(out, "srv.ts"), "utf8")).toBe(text);
});

test("the digest is of the data, whatever the order of names", () => {
  const [a] = taking({ type: "object", properties: { x: { type: "string" } } });
  const [b] = taking({ properties: { x: { type: "string" } }, type: "object" });
  const [c] = taking({ properties: { x: { type: "string", title: "" } }, type: "object" });
  if (a === undefined || b === undefined || c === undefined) throw new Error("no tools");
  expect(digestOf(a)).toBe(digestOf(b));
  expect(digestOf(a)).not.toBe(digestOf(c));
});

/** Schemas as servers write them, and some that nobody would. */
const schemas = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(
      { type: "string", minLength: 1, format: "uri" },
      { type: "integer", minimum: 0, multipleOf: 2 },
      { type: ["number", "null"] },
      { enum: ["a", "b", null] },
      { enum: [1, 2.5] },
      { const: true },
      { type: "null" },
      { $ref: "#/properties/a" },
      true,
      {},
      { type: "nothing" },
    ),
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat(9) }),
    fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant("object"), additionalProperties: tie("schema") }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b", "to", "path", "x-y", "result"), tie("schema"), {
        maxKeys: 3,
      }),
      required: fc.subarray(["a", "b", "to", "path"]),
    }),
  ),
}));

test("a module compiles, whatever the schema", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom("a", "b", "url", "x-y"), schemas.schema, { maxKeys: 3 }),
      schemas.schema,
      async (properties, output) => {
        const input: Json = { type: "object", properties, required: ["a", "url"] };
        await compiled(generateModule(taking(input, { outputSchema: output }), options).text);
      },
    ),
    { numRuns: runs(150) },
  );
});
