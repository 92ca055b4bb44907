/** JSON values in programs: what JavaScript reads from them, and what a checked cast lets through. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printDocument } from "../../src/ir/index.ts";
import { runs } from "../support/runs.ts";
import { compileLab, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";

const header = { input: "{ text: string }" };

async function both(body: string, texts: readonly string[], top = ""): Promise<void> {
  const source = sourceOf({ ...header, body, top });
  const compiled = compileLab(source);
  if (!("document" in compiled)) throw new Error(`${body}\n${JSON.stringify(compiled.problems, null, 1)}`);
  for (const text of texts) {
    const [inJavaScript, inIr] = [
      await runAsJavaScript(source, { text }, 1),
      await runAsIr(compiled.document, { text }, 1),
    ];
    const shown = `${text}\n${body}\n${inJavaScript.end} | ${inIr.end}\n${printDocument(compiled.document)}`;
    expect(inIr.calls, shown).toEqual(inJavaScript.calls);
    expect(inIr.end, shown).toBe("done");
  }
}

/** Says what the expression gives, or that it throws. */
const observed = (expr: string, i = 0) =>
  `let t${i} = "threw"; try { t${i} = \`\${${expr}}\`; } catch { t${i} = "threw"; } await lab.say({ text: t${i} });`;

const texts = [
  "null",
  "true",
  "0",
  "-0",
  "1.50",
  '""',
  '"a"',
  "[]",
  '["a", null, 2]',
  "{}",
  '{"a": 1}',
  '{"a": {"b": [1, {"a": "x"}]}, "n": null}',
  '{"b": 1, "a": 2, "10": 3, "9": 4, "b": 5}',
  '{"__proto__": {"a": 1}, "length": "long"}',
  '{"a": "a", "kind": "k", "list": [[1], [2, 3]]}',
  '"\\ud800 \\u0000 \\" 😀"',
  "[1e21, 1e-7, 123456789012345678901234567890, 0.1000000000000000055]",
  "[",
  "",
  "nul",
  "{'a': 1}",
  '{"a": 01}',
  " [1] ",
  "\ufeff1",
];

describe("JSON values are looked into as in JavaScript", () => {
  it.each([
    "typeof x",
    "typeof x.a",
    "typeof x?.a?.b",
    "Array.isArray(x)",
    "Array.isArray(x?.list)",
    "x.a",
    "x?.a",
    "x.a.b",
    "x.a?.b?.[1]?.a",
    "x[0]",
    "x?.[2]",
    'x["a"]',
    "x.length",
    "x === null",
    'x === "a"',
    "x === 0 || x === true || x === 1.5",
    "x?.a === undefined",
    "x?.n === null",
    "x?.a !== 1",
    "x ? 1 : 2",
    "!x?.a",
    'x ?? "none"',
    "x?.a ?? x?.kind",
    '"a" in x',
    "JSON.stringify(x)",
    "JSON.stringify(x, null, 2)",
    'JSON.stringify(x, null, "--")',
    'JSON.stringify({ z: x, a: [x], "2": 1, "1": true })',
    "JSON.stringify([1, 'a', null, x?.a === 1])",
    "String(x)",
    "Boolean(x)",
    "x.map((y) => typeof y).join()",
    "x.filter((y) => y !== null).length",
    "x.some((y) => y === 2)",
    "x.find((y) => typeof y === 'number')",
    "x.includes('a')",
    "x.slice(0, 1)",
    "x.a.trim()",
    "x.a.toFixed(1)",
    "Array.isArray(x) ? [...x, ...x].length : 0",
    "typeof x === 'object' && x !== null && !Array.isArray(x) ? Object.keys(x).join() : 'other'",
    "typeof x === 'object' && x !== null && !Array.isArray(x) ? Object.values(x).length : 'other'",
    "typeof x === 'object' && x !== null && !Array.isArray(x) ? Object.entries(x).map(([k, v]) => k + typeof v).join() : 'other'",
    "typeof x === 'string' ? x.length + 1 : typeof x === 'number' ? x + 1 : 'neither'",
    "Array.isArray(x) ? x.map((y, i) => `${i}${y}`).join('|') : 'none'",
  ])("%s", (expr) => both(`const x = JSON.parse(input.text); ${observed(expr)}`, texts));

  it("a broken text throws a `SyntaxError` that `try` catches", () =>
    both(
      'try { JSON.parse(input.text); await lab.say({ text: "fine" }); } catch { await lab.say({ text: "broken" }); }',
      texts,
    ));

  it("statements: loops, destructuring, switch", () =>
    both(
      `let data: unknown; try { data = JSON.parse(input.text); } catch { return; }
       if (typeof data !== "object" || data === null) { await lab.say({ text: "scalar" }); return; }
       const { a, n, kind = "none" } = data as any;
       switch (kind) { case "k": await lab.say({ text: "k" }); break; default: await lab.say({ text: "other" }); }
       if (typeof a === "string") await lab.say({ text: a });
       if (n === null) await lab.say({ text: "null" });
       if (Array.isArray(data)) for (const one of data) { if (typeof one === "number") await lab.put({ n: one }); }
       if (Array.isArray(data)) { const [first, second] = data; if (typeof first === "string" && second === null) await lab.say({ text: first }); }`,
      texts,
    ));

  it("type predicates tell values apart", () =>
    both(
      `let data: unknown; try { data = JSON.parse(input.text); } catch { return; }
       const list: unknown[] = Array.isArray(data) ? data : [data];
       for (const one of list) if (isItem(one)) await lab.say({ text: one.a + one.kind });
       await lab.put({ n: list.filter(isItem).length });`,
      [...texts, '[{"a": "x", "kind": "y"}, {"a": 1, "kind": "y"}, null, 3, {"a": "z"}]'],
      `interface Item { a: string; kind: string }
       function isItem(x: unknown): x is Item {
         if (typeof x !== "object" || x === null) return false;
         const item = x as Item;
         return typeof item.a === "string" && typeof (x as Item).kind === "string";
       }`,
    ));

  it("random values and random looks", async () => {
    const path = fc
      .array(fc.constantFrom(".a", "?.a", ".b", "?.b", "[0]", "?.[1]", '["c"]', "?.length"), { maxLength: 3 })
      .map((steps) => `x${steps.join("")}`);
    const look = path.chain((p) =>
      fc.constantFrom(
        `typeof ${p}`,
        `${p} ?? "-"`,
        `${p} === "a"`,
        `${p} === 1`,
        `${p} === null`,
        `${p} ? "yes" : "no"`,
        `Array.isArray(${p})`,
        `JSON.stringify(${p})`,
        `JSON.stringify({ q: ${p}, c: 1 })`,
        `String(${p})`,
      ),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, true, false, 0, 1, -2.5, "", "a", "1"),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c", "length", "10", "2", "__proto__"), tie("value"), {
          maxKeys: 4,
        }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(look, { minLength: 1, maxLength: 3 }),
        fc.array(value, { minLength: 3, maxLength: 5 }),
        (looks, values) =>
          both(
            `const x = JSON.parse(input.text); ${looks.map(observed).join(" ")}`,
            values.map((one) => JSON.stringify(one)),
          ),
      ),
      { numRuns: runs(60) },
    );
  });
});

const top = `
type Level = "low" | "high";
interface Row { id: string; n: number; level: Level; tags?: string[]; at: string | null; nested: { ok: boolean } }
type Pair = [string, number];
function rows(text: string): Row[] { return JSON.parse(text); }
function named(row: Row): string { return row.id; }`;

const good = { id: "a", n: 1.5, level: "low", at: null, nested: { ok: true } };
const changed = (change: object): string => JSON.stringify([good, { ...good, ...change }]);

const body = `try {
  const rows = JSON.parse(input.text) as Row[];
  await lab.say({ text: "cast" });
  await lab.say({ text: JSON.stringify(rows) });
} catch (e) { await lab.say({ text: "refused" }); }`;

async function castSays(text: string, source = body, more = ""): Promise<unknown[]> {
  const compiled = compileLab(sourceOf({ ...header, top: top + more, body: source }));
  if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
  const { calls, end } = await runAsIr(compiled.document, { text }, 1);
  expect(end).toBe("done");
  return calls.map(({ args }) => (args as { text: string }).text);
}

describe("a cast is checked", () => {
  it.each([
    ["as it is", JSON.stringify([good])],
    ["empty", "[]"],
    ["with what is optional", JSON.stringify([{ ...good, tags: ["x"], at: "now" }])],
  ])("%s", async (_, text) => {
    expect(await castSays(text)).toEqual(["cast", JSON.stringify(JSON.parse(text).map(inOrder))]);
  });

  it("fields that it does not name are dropped", async () => {
    const text = changed({ extra: 1, __proto__x: 2, nested: { ok: false, more: [] } });
    expect(await castSays(text)).toEqual([
      "cast",
      JSON.stringify([inOrder(good), inOrder({ ...good, nested: { ok: false } })]),
    ]);
    expect((await castSays(`[${JSON.stringify(good).replace("{", '{"__proto__":{"id":1},')}]`))[0]).toBe(
      "cast",
    );
  });

  it.each([
    ["a field is missing", changed({ id: undefined })],
    ["a field is null", changed({ id: null })],
    ["a field is a number", changed({ id: 1 })],
    ["a number is a text", changed({ n: "1.5" })],
    ["a number is a boolean", changed({ n: true })],
    ["a number is null", changed({ n: null })],
    ["a word is another", changed({ level: "mid" })],
    ["a word has another case", changed({ level: "Low" })],
    ["an optional field is null", changed({ tags: null })],
    ["an optional list is a text", changed({ tags: "x" })],
    ["an element is of another kind", changed({ tags: ["x", 1] })],
    ["a field that may be null is missing", changed({ at: undefined })],
    ["a field that may be null is a number", changed({ at: 5 })],
    ["an object is missing", changed({ nested: undefined })],
    ["an object is null", changed({ nested: null })],
    ["an object is a list", changed({ nested: [] })],
    ["a field inside is missing", changed({ nested: {} })],
    ["a field inside is of another kind", changed({ nested: { ok: "true" } })],
    ["an element is null", JSON.stringify([good, null])],
    ["an element is a list", JSON.stringify([good, []])],
    ["an element is a text", JSON.stringify([good, "a"])],
    ["an object for a list", JSON.stringify({ 0: good, length: 1 })],
    ["null for a list", "null"],
    ["a text for a list", JSON.stringify(JSON.stringify([good]))],
    ["a number for a list", "5"],
    [
      "the fields are only inherited",
      '[{"__proto__": {"id":"a","n":1,"level":"low","at":null,"nested":{"ok":true}}}]',
    ],
    [
      "the last of two fields of one name",
      `[${JSON.stringify(good).replace("{", '{"id":"b",').replace("}}", '},"id":1}')}]`,
    ],
    ["no JSON", "[{]"],
    ["an empty text", ""],
  ])("stops at the cast: %s", async (_, text) => {
    expect(await castSays(text)).toEqual(["refused"]);
  });

  it.each([
    [
      "an annotation",
      'const all: Row[] = JSON.parse(input.text); await lab.say({ text: all[0]?.id ?? "none" });',
    ],
    ["a result", 'await lab.say({ text: rows(input.text)[0]?.id ?? "none" });'],
    [
      "a parameter",
      'const x = JSON.parse(input.text); await lab.say({ text: x.length === 0 ? "none" : named(x[0]) });',
    ],
    [
      "an assignment",
      'let all: Row[] = []; all = JSON.parse(input.text); await lab.say({ text: all[0]?.id ?? "none" });',
    ],
    [
      "through unknown",
      'const all = JSON.parse(input.text) as unknown as Row[]; await lab.say({ text: all[0]?.id ?? "none" });',
    ],
    [
      "in two steps",
      'const x: unknown = JSON.parse(input.text); const all = x as Row[]; await lab.say({ text: all[0]?.id ?? "none" });',
    ],
    [
      "a rows field",
      'const { rows } = { rows: JSON.parse(input.text) } as { rows: Row[] }; await lab.say({ text: rows[0]?.id ?? "none" });',
    ],
  ])("%s", async (_, inside) => {
    const source = `try { ${inside} } catch { await lab.say({ text: "refused" }); }`;
    expect(await castSays(JSON.stringify([good]), source)).toEqual(["a"]);
    expect(await castSays("[]", source)).toEqual(["none"]);
    expect(await castSays(JSON.stringify([{ ...good, id: 5 }]), source)).toEqual(["refused"]);
  });

  it("a pair has its length", async () => {
    const source =
      'try { const [a, n] = JSON.parse(input.text) as Pair; await lab.say({ text: `${a}${n + 1}` }); } catch { await lab.say({ text: "refused" }); }';
    expect(await castSays('["a", 1]', source)).toEqual(["a2"]);
    for (const text of ['["a"]', '["a", 1, 2]', '["a", "1"]', "{}", '[1, "a"]'])
      expect(await castSays(text, source)).toEqual(["refused"]);
  });

  it("a text as one of a few words", async () => {
    const source =
      'try { const level = input.text.toLowerCase() as Level; await lab.set({ level }); } catch { await lab.say({ text: "refused" }); }';
    const compiled = compileLab(sourceOf({ ...header, top, body: source }));
    if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
    expect((await runAsIr(compiled.document, { text: "LOW" }, 1)).calls).toEqual([
      { tool: "set", args: { level: "low" } },
    ]);
    expect((await runAsIr(compiled.document, { text: "mid" }, 1)).calls).toEqual([
      { tool: "say", args: { text: "refused" } },
    ]);
  });

  it("an uncaught one ends the run before any later call", async () => {
    const source =
      'const all = JSON.parse(input.text) as Row[]; await lab.say({ text: "later" }); await lab.say({ text: all[0]?.id ?? "" });';
    expect(await castSays(changed({ n: "1" }), source)).toEqual([]);
  });
});

/** The fields in the order in which the type has them. */
function inOrder({ id, n, level, tags, at, nested }: { [key: string]: unknown }): object {
  return { id, n, level, ...(tags === undefined ? {} : { tags }), at, nested };
}
