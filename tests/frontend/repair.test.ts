/**
 * A repair loop without a model. Each program is refused; the help says what to write, an edit puts that at the place of the
 * refusal, and the program compiles. The edit may use only what the help names, the program's own words and plain syntax.
 */
import { describe, expect, it } from "vitest";
import { type FrontCode, frontCodes } from "../../src/frontend/index.ts";
import { compileLab, sourceOf } from "./lab.ts";

interface Repair {
  readonly code: FrontCode;
  readonly body: string;
  readonly top?: string;
  /** A piece of the source, and what the help makes of it. */
  readonly edits: readonly (readonly [from: string, to: string])[];
}

const rows = "const rows = await lab.rows();";
const word = "const w = await lab.word();";
const number = 'const n = await lab.read({ key: "a" });';

const repairs: readonly Repair[] = [
  {
    code: "FC2003",
    top: 'import fs from "fs";',
    body: "await lab.put({ n: 1 });",
    edits: [['import fs from "fs";', ""]],
  },
  {
    code: "FC2006",
    top: "export const x = 1;",
    body: "await lab.put({ n: x });",
    edits: [["export const", "const"]],
  },
  {
    code: "FC2007",
    top: "let total = 1;",
    body: "await lab.put({ n: total });",
    edits: [["let total", "const total"]],
  },
  {
    code: "FC2007",
    top: 'console.log("hi");',
    body: "await lab.put({ n: 1 });",
    edits: [['console.log("hi");', ""]],
  },
  { code: "FC2105", body: 'await lab.say("a");', edits: [['lab.say("a")', 'lab.say({ text: "a" })']] },
  { code: "FC2105", body: 'await lab.set({ level: "top" });', edits: [['"top"', '"low"']] },
  {
    code: "FC2105",
    body: 'await lab.row({ row: { id: "a", n: 1, ok: true } });',
    edits: [["ok: true", "ok: true, tags: []"]],
  },
  { code: "FC2105", body: `${number} await lab.say({ text: n });`, edits: [["text: n", "text: String(n)"]] },
  { code: "FC2105", body: `${word} await lab.put({ n: w });`, edits: [["n: w", "n: Number(w) || 0"]] },
  {
    code: "FC2105",
    body: "await lab.say({ text: new Date(0) });",
    edits: [["new Date(0)", "new Date(0).toISOString()"]],
  },
  { code: "FC2106", body: `${word} if (w === 1) return;`, edits: [["w === 1", 'w === "1"']] },
  {
    code: "FC2108",
    body: `${word} await lab.put({ n: w * 2 });`,
    edits: [["w * 2", "(Number(w) || 0) * 2"]],
  },
  {
    code: "FC2108",
    body: `${number} const x = n > 3 ? n : "many"; await lab.put({ n: 7 - x });`,
    edits: [["7 - x", 'typeof x === "number" ? 7 - x : 0']],
  },
  {
    code: "FC2209",
    body: `${rows} const sorted = [...rows].sort((a, b) => { for (const t of a.tags) { if (t === b.id) return 1; } return 0; }); await lab.put({ n: sorted.length });`,
    edits: [
      [
        "[...rows].sort((a, b) => { for (const t of a.tags) { if (t === b.id) return 1; } return 0; })",
        "rows.map((row) => ({ row, key: row.tags.length })).sort((a, b) => a.key - b.key)",
      ],
    ],
  },
  {
    code: "FC2105",
    body: `${rows} await lab.nums({ items: rows.flatMap((r) => r.n) });`,
    edits: [["=> r.n", "=> [r.n]"]],
  },
  {
    code: "FC2309",
    body: `${rows} const all = await Promise.allSettled(rows.flatMap((r) => r.tags.map((t) => lab.read({ key: t })))); await lab.put({ n: all.length });`,
    edits: [
      [
        "rows.flatMap((r) => r.tags.map((t) => lab.read({ key: t })))",
        "rows.flatMap((r) => r.tags).map((t) => lab.read({ key: t }))",
      ],
    ],
  },
  {
    code: "FC2105",
    body: "let least = Infinity; await lab.put({ n: least });",
    edits: [["Infinity", "Number.MAX_SAFE_INTEGER"]],
  },
  { code: "FC2301", body: "debugger; await lab.put({ n: 1 });", edits: [["debugger;", ""]] },
  { code: "FC2302", body: "var x = 1; await lab.put({ n: x });", edits: [["var x", "const x"]] },
  { code: "FC2303", body: `${word} if (w == 1) return;`, edits: [["w == 1", 'w === "1"']] },
  {
    code: "FC2304",
    body: "const b = new Box(2); await lab.put({ n: b.n });",
    top: "class Base { n = 1; }\nclass Box extends Base { constructor(n: number) { super(); } }",
    edits: [
      [
        "class Base { n = 1; }\nclass Box extends Base { constructor(n: number) { super(); } }",
        "const box = (n: number) => ({ n });",
      ],
      ["new Box(2)", "box(2)"],
    ],
  },
  {
    code: "FC2304",
    body: "await new Promise((resolve) => resolve(1));",
    edits: [["(resolve) => resolve(1)", "(resolve) => setTimeout(resolve, 1000)"]],
  },
  {
    code: "FC2305",
    body: "function* g() { yield 1; } const first = g().next();",
    edits: [["g().next()", "[...g()][0]"]],
  },
  {
    code: "FC2305",
    body: `${rows} for (const k in rows) await lab.put({ n: 1 });`,
    edits: [["k in rows", "k of rows"]],
  },
  {
    code: "FC2306",
    body: `${word} out: { if (w === "") break out; await lab.put({ n: 1 }); }`,
    edits: [
      ["out: {", "const out = async () => {"],
      ["break out;", "return;"],
      ["{ n: 1 }); }", "{ n: 1 }); }; await out();"],
    ],
  },
  {
    code: "FC2307",
    body: "const f = async (ws: string[]): Promise<void> => { await Promise.all(ws.map((w) => f([w]))); }; await f((await lab.rows()).map((r) => r.id));",
    edits: [["await Promise.all(ws.map((w) => f([w])));", "for (const w of ws.slice(1)) await f([w]);"]],
  },
  {
    code: "FC2309",
    body: `${word} await lab.say({ text: w.normalize() });`,
    edits: [["w.normalize()", "w.trim()"]],
  },
  { code: "FC2309", body: "await lab.put({ n: Math.log(2) });", edits: [["Math.log(2)", "Math.sqrt(4)"]] },
  {
    code: "FC2309",
    body: `${word} await lab.put({ n: w.localeCompare("a", "sv") });`,
    edits: [['"sv"', '"en-US"']],
  },
  {
    code: "FC2309",
    body: "const r = await Promise.race([lab.word(), lab.word()]); await lab.say({ text: r });",
    edits: [["Promise.race([lab.word(), lab.word()])", "lab.word()"]],
  },
  { code: "FC2310", body: `${rows} await lab.put({ n: rows.size });`, edits: [["rows.size", "rows.length"]] },
  { code: "FC2311", body: 'lab.say({ text: "a" });', edits: [["lab.say", "await lab.say"]] },
  {
    code: "FC2311",
    body: 'const p = lab.read({ key: "a" }); await lab.put({ n: p + 1 });',
    edits: [["n: p", "n: (await p)"]],
  },
  {
    code: "FC2311",
    body: `${rows} rows.forEach(async (r) => { await lab.say({ text: r.id }); });`,
    edits: [
      [
        "rows.forEach(async (r) => { await lab.say({ text: r.id }); });",
        "for (const r of rows) await lab.say({ text: r.id });",
      ],
    ],
  },
  {
    code: "FC2312",
    body: "const a = { n: 1 }; lab.say = a;",
    edits: [["lab.say = a;", "const b = { ...a, n: 2 };"]],
  },
  { code: "FC2315", body: "for (const c of 5) await lab.put({ n: c });", edits: [["of 5", "of [5]"]] },
  {
    code: "FC2316",
    body: "const t = performance.now(); await lab.put({ n: t });",
    edits: [["performance.now()", "Date.now()"]],
  },
  { code: "FC2316", body: 'const r = await fetch("/x");', edits: [['fetch("/x")', "lab.word()"]] },
  { code: "FC2317", body: `${number} await lab.put({ n: n | 0 });`, edits: [["n | 0", "Math.trunc(n)"]] },
  { code: "FC2317", body: `${number} if (n & 1) return;`, edits: [["n & 1", "n % 2 === 1"]] },
  {
    code: "FC2318",
    body: 'try { await lab.risky({ key: "a" }); } catch (e) { await lab.say({ text: (e as Error).stack ?? "" }); }',
    edits: [['(e as Error).stack ?? ""', "(e as Error).message"]],
  },
  { code: "FC2319", body: "const f = () => 1; await lab.put({ n: f + 1 });", edits: [["f + 1", "f() + 1"]] },
  {
    code: "FC2320",
    body: "const o = { get a() { return 1; } }; await lab.put({ n: o.a });",
    edits: [["get a() { return 1; }", "a: 1"]],
  },
  { code: "FC2321", body: `${word} await lab.flag({ on: /l/g.test(w) });`, edits: [["/l/g", "/l/"]] },
  {
    code: "FC2324",
    body: `let sum = 0; ${rows} await Promise.all(rows.map(async (r) => { sum += await lab.read({ key: r.id }); })); await lab.put({ n: sum });`,
    edits: [
      [
        "await Promise.all(rows.map(async (r) => { sum += await lab.read({ key: r.id }); }));",
        "for (const n of await Promise.all(rows.map(async (r) => { return await lab.read({ key: r.id }); }))) sum += n;",
      ],
    ],
  },
  {
    code: "FC2325",
    body: `${rows} await lab.put({ n: rows.toSorted((a, b) => (a.n > b.n ? 1 : 0)).length });`,
    edits: [["(a.n > b.n ? 1 : 0)", "a.n - b.n"]],
  },
  {
    code: "FC2401",
    body: "await lab.put({ n: count });",
    edits: [["await lab.put", "const count = 1; await lab.put"]],
  },
  {
    code: "FC2402",
    body: "await lab.put({ n: x }); const x = 1;",
    edits: [
      [" const x = 1;", ""],
      ["await lab.put", "const x = 1; await lab.put"],
    ],
  },
  { code: "FC2403", body: "const x = 1; x = 2; await lab.put({ n: x });", edits: [["const x", "let x"]] },
  {
    code: "FC2404",
    body: "const x = 1; const x = 2; await lab.put({ n: 1 });",
    edits: [["const x = 2", "const y = 2"]],
  },
  {
    code: "FC2501",
    body: `${rows} for (let i = 0; i < 20000; i++) await lab.put({ n: i });`,
    edits: [
      ["let i = 0; i < 20000; i++", "const r of rows"],
      ["n: i", "n: r.n"],
    ],
  },
];

/** Codes about tool modules, guarantees and files, whose pages are mended and run by the tests of the docs; and a fault of our own. */
const elsewhere =
  /^FC(200[12458]|2009|2010|2011|2101|2102|2103|2104|2107|2109|22\d\d|2308|2313|2314|2323|2405|2406|250[234]|2599)$/;

describe("a refused program, mended as its help says", () => {
  it.each(repairs)("$code: $body", ({ code, body, top = "", edits }) => {
    const source = sourceOf({ body, top });
    const refused = compileLab(source);
    const problems = "problems" in refused ? refused.problems : [];
    expect(problems.map((one) => one.code)).toContain(code);
    const help = problems.find((one) => one.code === code)?.help;
    expect(help, "help").toBeTruthy();
    const mended = edits.reduce((text, [from, to]) => {
      expect(text).toContain(from);
      return text.replace(from, () => to);
    }, source);
    const compiled = compileLab(mended);
    expect("problems" in compiled ? [mended, help, compiled.problems] : "compiles").toBe("compiles");
  });

  it("has a case for every code that a program alone can meet", () => {
    const met = new Set<string>(repairs.map(({ code }) => code));
    expect(Object.keys(frontCodes).filter((code) => !met.has(code) && !elsewhere.test(code))).toEqual([]);
  });
});
