/**
 * Programs of any size end with a verdict or with an error, through the library's own door: nothing overflows the stack, and
 * no work is without a limit. Work is counted, so what is given up is given up on every machine; the test's own time
 * limit is far above what any of these take.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prove } from "../../src/library.ts";
import { seed as givenSeed, runs } from "../support/runs.ts";

const tools = `import { contract, fluent, tool } from "foreclaim";
export const say = tool({ run: async ({ text }: { text: string }): Promise<void> => {} });
export const put = tool({ run: async ({ n }: { n: number }): Promise<void> => {} });
export const open = tool({ effects: ({ d }) => [door.set(d, false)], run: async ({ d }: { d: string }): Promise<void> => {} });
export const keep = tool({ run: async ({ value }: { value: unknown }): Promise<void> => {} });
export const read = tool({ run: async ({ key }: { key: string }): Promise<number> => 0 });
export const test = tool({ run: async ({ key }: { key: string }): Promise<boolean> => true });
export const door = fluent<string, boolean>({ initial: true });
export const all = contract(() => put.all((p) => p.n <= 5));
export const some = contract(() => put.some((p) => p.n <= 5));
export const count = contract(() => put.count() <= 5);
export const sum = contract(() => put.sum((p) => p.n) <= 5);
export const min = contract(() => put.min((p) => p.n, 0) >= 0);
export const max = contract(() => put.max((p) => p.n, 0) <= 5);
export const distinct = contract(() => put.distinct((p) => p.n));
export const before = contract(() => say.before(put));
export const never = contract(() => put.neverAfter(say));
export const doors = contract(() => door.final.count((c) => !c.value) <= 2);
export const unsaid = contract((text: string) => say.none((s) => s.text === text));
export const without = contract((text: string) => say.none((s) => s.text.includes(text)));
export const only = contract((texts: string[]) => say.all((s) => texts.includes(s.text)));
`;

interface Stated {
  readonly guarantees: string;
  readonly body: string;
  readonly input?: string;
  readonly top?: string;
}

const source = ({ guarantees, body, input, top = "" }: Stated) => `import { program } from "foreclaim";
import * as t from "./tools/t";
${top}
export default program({ guarantees: [${guarantees}], async run(${input === undefined ? "" : `input: ${input}`}) {
${body}
} });
`;

const many = (n: number, part: (i: number) => string, between = "\n") =>
  Array.from({ length: n }, (_, i) => part(i)).join(between);
const fields = (n: number, type: string) => `{ ${many(n, (i) => `a${i}: ${type}`, "; ")} }`;
const unknowns = (n: number) => `[${many(n, (i) => `input.a${i}`, ", ")}]`;

const guarded = (n: number, guarantees: string): Stated => ({
  guarantees,
  body: many(n, (i) => `if (await t.test({ key: "k${i}" })) await t.put({ n: input.a + ${i} });`),
  input: "{ a: number }",
});
const about = (text: string): Stated => ({
  guarantees: "t.count()",
  body: `if (${text}) { ${"await t.put({ n: 1 }); ".repeat(6)} }`,
  input: "{ s: string; a: number }",
});
const sorted = (n: number, use: string): Stated => ({
  guarantees: "t.all()",
  body: `const l = ${unknowns(n)}.sort((a, b) => a - b);\n${use}`,
  input: fields(n, "number"),
});
const helpers = (n: number): Stated => ({
  guarantees: "t.all()",
  body: `await t.put({ n: f${n}(input.a) });`,
  input: "{ a: number }",
  top: `const f0 = (x: number): number => x;\n${many(n, (i) => `const f${i + 1} = (x: number): number => f${i}(x) + f${i}(x + 1);`)}`,
});

const long = "x".repeat(200_000);
const first = "if (l[0] !== undefined) await t.put({ n: l[0] });";
const each = "for (const x of l) await t.put({ n: x });";

/** Each: what there is a lot of, and the program. */
const table: readonly (readonly [name: string, stated: Stated])[] = [
  ...["distinct", "all", "some", "count", "sum", "min", "max", "before", "never"].map(
    (one) => [`500 guarded calls and \`${one}\``, guarded(500, `t.${one}()`)] as const,
  ),
  ["3,000 guarded calls and `distinct`", guarded(3_000, "t.distinct()")],
  [
    "500 cells",
    {
      guarantees: "t.doors()",
      body: many(500, (i) => `if (input.a > ${i}) await t.open({ d: input.s + "${i}" });`),
      input: "{ s: string; a: number }",
    },
  ],
  ["`===` with a long text", about(`input.s === "${long}"`)],
  ["`!==` with a long text", about(`input.s !== "${long}"`)],
  ["`includes` of a long text", about(`input.s.includes("${long}")`)],
  ["`startsWith` of a long text", about(`input.s.startsWith("${long}")`)],
  ["a long text that is too long to be one", about(`input.s === "${"x".repeat(1_000_001)}"`)],
  [
    "long texts in guarantees",
    {
      guarantees: `t.unsaid("${long}"), t.without("${long}")`,
      body: "await t.say({ text: input.s });",
      input: "{ s: string }",
    },
  ],
  [
    "a long text put together",
    {
      guarantees: 't.unsaid("y")',
      body: `await t.say({ text: input.s + "${long}" });`,
      input: "{ s: string }",
    },
  ],
  ["the first of 13 sorted values", sorted(13, first)],
  ["14 sorted values", sorted(14, each)],
  ["200 sorted values", sorted(200, each)],
  [
    "300 filtered values by position",
    {
      ...sorted(300, first),
      body: `const l = ${unknowns(300)}.filter((x) => x > 3);\nconst y = l[150]; if (y !== undefined) await t.put({ n: y });`,
    },
  ],
  [
    "300 values without doubles",
    {
      ...sorted(300, ""),
      body: `for (const x of new Set(${unknowns(300)})) await t.put({ n: x });`,
      guarantees: "t.distinct()",
    },
  ],
  [
    "150,000 elements",
    {
      guarantees: "t.count()",
      body: `const l = [${many(150_000, String, ", ")}]; if (l.includes(input.a)) await t.put({ n: 1 });`,
      input: "{ a: number }",
    },
  ],
  [
    "150,000 texts in a guarantee",
    {
      guarantees: `t.only([${many(150_000, (i) => `"e${i}"`, ", ")}])`,
      body: "await t.say({ text: input.s });",
      input: "{ s: string }",
    },
  ],
  ["150,000 commands", { guarantees: "t.count()", body: many(150_000, (i) => `await t.put({ n: ${i} });`) }],
  [
    "20,000 words of a union",
    {
      guarantees: 't.unsaid("e1")',
      body: 'if (input.e === "e5") await t.say({ text: input.e });',
      input: `{ e: ${many(20_000, (i) => `"e${i}"`, " | ")} }`,
    },
  ],
  ["a long chain of `&&`", about(many(20_000, (i) => `input.a !== ${i}`, " && "))],
  ["a long chain of `||`", about(many(20_000, (i) => `input.s === "${i}"`, " || "))],
  ["deep parentheses", about(`${"(".repeat(20_000)}input.a > 3${")".repeat(20_000)}`)],
  ["deep negation", about(`${"!".repeat(20_000)}(input.a > 3)`)],
  [
    "deep choices",
    {
      guarantees: "t.all()",
      body: `await t.put({ n: ${many(5_000, (i) => `input.a > ${i} ? ${i} : `, "")} 0 });`,
      input: "{ a: number }",
    },
  ],
  [
    "branches in branches",
    {
      guarantees: "t.count()",
      body: `${many(5_000, (i) => `if (input.a > ${i}) {`, " ")} await t.put({ n: 1 }); ${"}".repeat(5_000)}`,
      input: "{ a: number }",
    },
  ],
  [
    "5,000 branches",
    {
      guarantees: "t.all()",
      body: many(5_000, (i) => `if (input.a === ${i}) return;`),
      input: "{ a: number }",
    },
  ],
  [
    "5,000 cases",
    {
      guarantees: "t.all()",
      body: `switch (input.s) { ${many(5_000, (i) => `case "c${i}": await t.put({ n: 1 }); break;`)} }`,
      input: "{ s: string }",
    },
  ],
  [
    "2,000 guarantees",
    {
      guarantees: many(2_000, () => "t.all()", ", "),
      body: "await t.put({ n: input.a });",
      input: "{ a: number }",
    },
  ],
  [
    "5,000 inputs",
    {
      guarantees: "t.all()",
      body: "await t.put({ n: input.a0 + input.a4999 });",
      input: fields(5_000, "number"),
    },
  ],
  [
    "a number of 20,000 digits",
    { guarantees: "t.all()", body: `await t.put({ n: ${"9".repeat(20_000)} });` },
  ],
  [
    "a number squared 24 times",
    { guarantees: "t.all()", body: `let s = 7;\n${"s = s * s;\n".repeat(24)}await t.put({ n: s });` },
  ],
  [
    "a text doubled 40 times",
    {
      guarantees: 't.unsaid("y")',
      body: `let s = "ab";\n${"s = s + s;\n".repeat(40)}await t.say({ text: s });`,
    },
  ],
  [
    "a list doubled 40 times",
    {
      guarantees: "t.all()",
      body: `let l = [input.a];\n${"l = [...l, ...l];\n".repeat(40)}for (const n of l) await t.put({ n });`,
      input: "{ a: number }",
    },
  ],
  [
    "a value doubled 24 times",
    {
      guarantees: "t.all()",
      body: `const v0 = { n: input.a };\n${many(24, (i) => `const v${i + 1} = { a: v${i}, b: v${i} };`)}\nawait t.keep({ value: v24 });`,
      input: "{ a: number }",
    },
  ],
  [
    "a type doubled 24 times",
    {
      guarantees: "t.all()",
      body: "await t.put({ n: 1 });",
      input: "{ x: T24 }",
      top: `type T0 = number;\n${many(24, (i) => `type T${i + 1} = { a: T${i}; b: T${i} };`)}`,
    },
  ],
  ["helpers that double 24 times", helpers(24)],
];

const folder = mkdtempSync(join(tmpdir(), "foreclaim-stress-"));
beforeAll(() => {
  mkdirSync(join(folder, "tools"));
  writeFileSync(join(folder, "tools/t.ts"), tools);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Half of them in turns, by the seed: together they take as long as the rest of the front end. */
const turn = (givenSeed() ?? 0) % 2;
const tried = runs(1) > 1 ? table : table.filter((_, i) => i % 2 === turn);

describe("it ends, with a verdict or with an error:", () => {
  it.each(tried)("%s", { timeout: 120_000 }, async (_, stated) => {
    const proof = await prove({ text: source(stated), folder }, { timeout: 1 });
    if (proof.errors.length === 0) expect(["proved", "refuted", "unknown"]).toContain(proof.verdict);
    else for (const { code } of proof.errors) expect(code).toMatch(/^FC[12]/);
    for (const one of proof.guarantees) if (one.verdict === "unknown") expect(one.why).not.toBe("");
  });
});
