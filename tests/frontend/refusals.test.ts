/** Constructs outside the language are refused at their place, with a code and advice; nothing is skipped. */
import { describe, expect, it, test } from "vitest";
import {
  compileProgram,
  type FrontCode,
  frontCodes,
  type SourceDiagnostic,
} from "../../src/frontend/index.ts";
import { labModule, sourceOf } from "./lab.ts";

function problemsOf(files: Readonly<Record<string, string>>): readonly SourceDiagnostic[] {
  const result = compileProgram("program.ts", { readFile: (path) => files[path] });
  return result.ok ? [] : result.problems;
}

const say = (text: string) => `await lab.say({ text: ${text} });`;

/** Each: what is tried, the body of `run`, the code, and the piece of source that is underlined. */
const bodies: readonly (readonly [string, string, FrontCode, string, top?: string])[] = [
  ["var", "var x = 1;", "FC2302", "var x = 1;"],
  ["loose equality", "if ((await lab.word()) == 1) return;", "FC2303", "(await lab.word()) == 1"],
  ["a class with a superclass", "class A extends Map {}", "FC2304", "Map"],
  ["a setter", "class A { set a(n: number) {} }", "FC2304", "set a(n: number) {}"],
  ["a static block", "class A { static {} }", "FC2304", "static {}"],
  [
    "an object of a class as a value",
    "await lab.keep({ value: new A() });",
    "FC2304",
    "lab.keep({ value: new A() })",
    "class A { n = 1; }",
  ],
  [
    "the fields of an object of a class",
    "const o = { ...new A() };",
    "FC2304",
    "...new A()",
    "class A { n = 1; }",
  ],
  [
    "a method without its object",
    "const { up } = new A(); up();",
    "FC2304",
    "this",
    "class A { n = 1; up() { return this.n; } }",
  ],
  [
    "a static list",
    "const n = A.all.length;",
    "FC2304",
    "static all = [1];",
    "class A { static all = [1]; }",
  ],
  ["this", "const x = this;", "FC2304", "this"],
  ["new of something else", "const d = new WeakMap();", "FC2401", "WeakMap"],
  ["new of what is called without it", 'const d = new String("a");', "FC2304", 'new String("a")'],
  [
    "a new array of unknown length",
    "const n = (await lab.rows()).length; const d = new Array(n).map((x) => 1);",
    "FC2304",
    "new Array(n).map((x) => 1)",
  ],
  [
    "map over an array without elements",
    "const d = Array(3).map(() => 1);",
    "FC2309",
    "Array(3).map(() => 1)",
  ],
  ["next of a generator", "function* g() { yield 1; } g().next();", "FC2305", "g().next"],
  [
    "a generator gone over twice",
    "function* g() { yield 1; } const all = g(); const x = [...all]; const y = [...all];",
    "FC2305",
    "all",
  ],
  [
    "a yield inside try",
    "function* g() { try { yield 1; } finally { } } for (const x of g()) {}",
    "FC2305",
    "yield 1",
  ],
  [
    "an asynchronous generator that is spread",
    "async function* g() { yield 1; } const x = [...g()];",
    "FC2305",
    "g()",
  ],
  [
    "an asynchronous generator without await",
    "async function* g() { yield 1; } for (const x of g()) {}",
    "FC2305",
    "for (const x of g()) {}",
  ],
  ["a label", "out: { break out; }", "FC2306", "out: { break out; }"],
  ["patterns that are compared", "const x = [/a/, /b/].includes(/a/);", "FC2106", "[/a/, /b/].includes(/a/)"],
  [
    "a pattern as an answer",
    "await lab.keep({ value: { re: /a/ } });",
    "FC2105",
    "lab.keep({ value: { re: /a/ } })",
  ],
  [
    "a list in an object in a map, changed under its name",
    'const list: string[] = []; const m = new Map([["a", { list }]]); m.get("a")!.list.push("x"); await lab.list({ items: list });',
    "FC2312",
    "lab.list({ items: list })",
  ],
  [
    "a list in a map twice, changed while it is gone over",
    'const one = [3, 1]; const m = new Map([["a", one], ["b", one]]); for (const x of m.values()) x.push(x.length);',
    "FC2312",
    "x.push(x.length)",
  ],
  [
    "a part of a result with two names",
    'const r = await lab.find({ id: "a" }); if (r === null) return; const { tags } = r; const { tags: same } = r; tags.push("z"); await lab.list({ items: same });',
    "FC2312",
    "lab.list({ items: same })",
  ],
  [
    "recursion at the same time",
    "await f(3);",
    "FC2307",
    "f(n - 1)",
    "const f = async (n: number): Promise<void> => { const k = await lab.read({ key: `${n}` }); await Promise.all([f(n - 1), f(k)]); };",
  ],
  [
    "recursion in each element at the same time",
    "await f(await lab.rows());",
    "FC2307",
    "f(await lab.rows())",
    "async function f(rows: lab.Row[]): Promise<void> { await Promise.all(rows.map((row) => f([row]))); }",
  ],
  [
    "a generator that calls itself",
    "const rows = await lab.rows(); for (const n of g(rows)) await lab.put({ n });",
    "FC2307",
    "yield* g(rows.slice(1))",
    "function* g(rows: lab.Row[]): Generator<number> { for (const row of rows) { yield row.n; yield* g(rows.slice(1)); } }",
  ],
  ["calling data", "const x = 1 as unknown as () => void; x();", "FC2308", "x()"],
  ["an unknown method of a string", 'const x = "a".normalize();', "FC2309", '"a".normalize()'],
  ["an unknown method of a list", "const x = [1].copyWithin(0, 1);", "FC2309", "[1].copyWithin(0, 1)"],
  [
    "sort with calls",
    "const x = (await lab.rows()).toSorted((a, b) => { lab.put({ n: 1 }); return a.n - b.n; });",
    "FC2209",
    "(await lab.rows()).toSorted((a, b) => { lab.put({ n: 1 }); return a.n - b.n; })",
  ],
  [
    "sort by a boolean",
    "const x = (await lab.rows()).toSorted((a, b) => (a.n > b.n) as unknown as number);",
    "FC2108",
    "(await lab.rows()).toSorted((a, b) => (a.n > b.n) as unknown as number)",
  ],
  [
    "sort of objects without a function",
    "const x = (await lab.rows()).toSorted();",
    "FC2108",
    "(await lab.rows()).toSorted()",
  ],
  [
    "sort of values that may be absent",
    "const x = (await lab.rows()).map((r) => r.note ?? null).toSorted();",
    "FC2109",
    "(await lab.rows()).map((r) => r.note ?? null).toSorted()",
  ],
  [
    "toFixed with digits of the run",
    'const n = await lab.read({ key: "k" }); const x = n.toFixed(n);',
    "FC2314",
    "n.toFixed(n)",
  ],
  [
    "parseInt of a fraction",
    "const x = parseInt(2.5 as unknown as string);",
    "FC2108",
    "parseInt(2.5 as unknown as string)",
  ],
  ["a logarithm", "const x = Math.log(16);", "FC2309", "Math.log(16)"],
  [
    "JSON with a replacer",
    'const x = JSON.stringify({ a: 1 }, ["a"]);',
    "FC2309",
    'JSON.stringify({ a: 1 }, ["a"])',
  ],
  [
    "a text that shows an order of fields that depends on the path",
    'const x = (await lab.test({ key: "k" })) ? { a: 1, b: 2 } : { b: 2, a: 1 }; const y = JSON.stringify(x);',
    "FC2309",
    "JSON.stringify(x)",
  ],
  ["identity of unknown values", 'const x = JSON.parse("1"); const y = x === x.a;', "FC2106", "x === x.a"],
  [
    "what every object has",
    'const x = JSON.parse("{}"); const y = x.constructor;',
    "FC2310",
    "x.constructor",
  ],
  [
    "the names of fields that may be absent",
    "const o: { a: number; b?: number } = { a: 1 }; const k = Object.keys(o);",
    "FC2309",
    "Object.keys(o)",
  ],
  [
    "instanceof of data",
    "const x = ([1] as unknown) instanceof Error;",
    "FC2317",
    "([1] as unknown) instanceof Error",
  ],
  [
    "the code of a failure",
    'try { await lab.risky({ key: "k" }); } catch (e) { await lab.say({ text: (e as { code: string }).code }); }',
    "FC2318",
    "(e as { code: string }).code",
  ],
  [
    "a list that grows on one path while it is gone over",
    'const l = ["a"]; for (const x of l) { if (await lab.test({ key: x })) l.push("b"); }',
    "FC2312",
    'for (const x of l) { if (await lab.test({ key: x })) l.push("b"); }',
  ],
  [
    "a list of the run that grows while it is gone over",
    "const l = (await lab.rows()).map((r) => r.id); for (const x of l) { l.push(x); }",
    "FC2312",
    "for (const x of l) { l.push(x); }",
  ],
  [
    "a map changed while it is gone over",
    'const m = new Map([["a", 1]]); for (const [k, v] of m) { m.set(k, v + 1); }',
    "FC2312",
    "for (const [k, v] of m) { m.set(k, v + 1); }",
  ],
  [
    "a list changed by its own filter",
    "const l = [1, 2]; const x = l.filter((n) => { l.push(n); return true; });",
    "FC2312",
    "l.filter((n) => { l.push(n); return true; })",
  ],
  [
    "a map of pairs that are spread as an object",
    "const o = { ...(await lab.rows()).map((r) => [r.id, r.n] as const)[0] };",
    "FC2315",
    "...(await lab.rows()).map((r) => [r.id, r.n] as const)[0]",
  ],
  [
    "an unknown field of a result",
    "const r = await lab.rows(); for (const x of r) { await lab.say({ text: (x as { nam: string }).nam }); }",
    "FC2310",
    "(x as { nam: string }).nam",
  ],
  [
    "an unknown field of an object",
    "const o = { name: 1 }; const x = (o as { nme?: number; name: number }).naem;",
    "FC2310",
    "(o as { nme?: number; name: number }).naem",
  ],
  ["a call that nobody waits for", 'lab.say({ text: "a" });', "FC2311", 'lab.say({ text: "a" });'],
  [
    "a promise used as a value",
    'const x = lab.read({ key: "k" }); await lab.put({ n: x as unknown as number });',
    "FC2311",
    "lab.put({ n: x as unknown as number })",
  ],
  [
    "then with two functions",
    'await lab.read({ key: "k" }).then((x) => x, () => 0);',
    "FC2311",
    'lab.read({ key: "k" }).then((x) => x, () => 0)',
  ],
  [
    "forEach with calls",
    "(await lab.rows()).forEach(async (r) => { await lab.say({ text: r.id }); });",
    "FC2311",
    "(await lab.rows()).forEach(async (r) => { await lab.say({ text: r.id }); })",
  ],
  [
    "for in over a list",
    "for (const k in await lab.rows()) { await lab.say({ text: k }); }",
    "FC2305",
    "for (const k in await lab.rows()) { await lab.say({ text: k }); }",
  ],
  [
    "a list that is known by two names",
    "const a = await lab.rows(); const b = { a }; a.reverse(); await lab.count({ i: b.a.length });",
    "FC2312",
    "a.reverse()",
  ],
  [
    "a list of a map that another holds",
    "const m: Record<string, string[]> = {}; const l = ['x']; m['a'] = l; l.push('y');",
    "FC2312",
    "l.push('y')",
  ],
  [
    "a name that every object inherits",
    "const m: Record<string, number> = {}; const x = m['constructor'];",
    "FC2320",
    "m['constructor']",
  ],
  ["a field of a result", "for (const r of await lab.rows()) { r.n = 1; }", "FC2312", "r.n = 1"],
  [
    "a change of a constant of the module",
    'LIST.push("b");',
    "FC2312",
    'LIST.push("b")',
    'const LIST = ["a"];',
  ],
  [
    "a change after a copy",
    'const a = ["1"]; const b = (await lab.test({ key: "k" })) ? a : ["2"]; a.push("3"); await lab.list({ items: b });',
    "FC2312",
    "lab.list({ items: b })",
  ],
  [
    "a shared list that is replaced and changed in a loop",
    'let a = ["1"]; for (const r of await lab.rows()) { a.push(r.id); a = [...a]; } await lab.list({ items: a });',
    "FC2312",
    "a.push(r.id)",
  ],
  [
    "an argument too many",
    'await lab.say({ text: "a", loud: true } as { text: string });',
    "FC2314",
    'lab.say({ text: "a", loud: true } as { text: string })',
  ],
  [
    "an argument too few",
    "await lab.say({} as { text: string });",
    "FC2314",
    "lab.say({} as { text: string })",
  ],
  [
    "two arguments",
    'await (lab.say as (a: object, b: number) => Promise<void>)({ text: "a" }, 1);',
    "FC2314",
    '(lab.say as (a: object, b: number) => Promise<void>)({ text: "a" }, 1)',
  ],
  [
    "a loop over a number",
    "for (const x of 3 as unknown as number[]) {}",
    "FC2315",
    "for (const x of 3 as unknown as number[]) {}",
  ],
  ["a timer that nobody awaits", "setTimeout(() => {}, 5);", "FC2316", "setTimeout"],
  [
    "a promise that is no pause",
    "await new Promise((resolve) => { resolve(5); });",
    "FC2304",
    "new Promise((resolve) => { resolve(5); })",
  ],
  [
    "a method of a promise that was started before",
    'const p = lab.risky({ key: "a" }); await p.catch(() => 1);',
    "FC2311",
    "p.catch(() => 1)",
  ],
  [
    "an order by chance",
    "const x = [3, 1, 2].sort(() => Math.random() - 0.5);",
    "FC2209",
    "[3, 1, 2].sort(() => Math.random() - 0.5)",
  ],
  ["a trace on the console", "console.trace([1]);", "FC2309", "console.trace([1])"],
  [
    "a list of unknown length in a note",
    "console.log(...(await lab.rows()));",
    "FC2314",
    "console.log(...(await lab.rows()))",
  ],
  ["a set as the answer", 'return new Set(["a"]);', "FC2319", 'return new Set(["a"]);'],
  ["a bigint in the answer", "return { big: [1n] };", "FC2105", "return { big: [1n] };"],
  ["a function as the answer", "return (x: number) => x;", "FC2319", "return (x: number) => x;"],
  ["eval", 'eval("1");', "FC2316", "eval"],
  ["the environment", "const h = process.env.HOME;", "FC2316", "process"],
  ["a request", 'await fetch("http://x");', "FC2316", "fetch"],
  ["bits", "const x = 1 | 2;", "FC2317", "1 | 2"],
  ["instanceof", "const x = [] instanceof Array;", "FC2317", "[] instanceof Array"],
  ["delete", "const o = { a: 1 } as { a?: number }; delete o.a;", "FC2317", "delete o.a"],
  [
    "what one of several calls threw",
    'try { await Promise.all([lab.risky({ key: "k" }), lab.risky({ key: "l" })]); } catch (e) { await lab.say({ text: (e as Error).message }); }',
    "FC2318",
    "(e as Error).message",
  ],
  [
    "a function as an argument",
    "await lab.put({ n: (() => 1) as unknown as number });",
    "FC2319",
    "lab.put({ n: (() => 1) as unknown as number })",
  ],
  ["a getter", "const o = { get a() { return 1; } };", "FC2320", "get a() { return 1; }"],
  [
    "a lookup by name",
    'const w = await lab.word(); const r = await lab.find({ id: "x" }); if (r === null) return; const x = r[w];',
    "FC2320",
    "w",
  ],
  ["a pattern with a back-reference", "const x = /(a)\\1/.test(await lab.word());", "FC2321", "/(a)\\1/"],
  [
    "a pattern that remembers",
    "const x = /a/g.test(await lab.word());",
    "FC2321",
    "/a/g.test(await lab.word())",
  ],
  [
    "localeCompare of a language",
    'const x = "a".localeCompare("b", "sv");',
    "FC2309",
    '"a".localeCompare("b", "sv")',
  ],
  [
    "toLocaleString of a language",
    'const x = (1.5).toLocaleString("de");',
    "FC2309",
    '(1.5).toLocaleString("de")',
  ],
  ["a flag that sticks", "const x = /a/y.test(await lab.word());", "FC2321", "/a/y"],
  ["a flag of sets", "const x = /[a]/v.test(await lab.word());", "FC2321", "/[a]/v"],
  ["a group that looks ahead", "const x = (await lab.word()).match(/(?=(a))/);", "FC2321", "/(?=(a))/"],
  ["a pattern that is too big", "const x = /a{2000}/.test(await lab.word());", "FC2321", "/a{2000}/"],
  [
    "a pattern as a value",
    "await lab.say({ text: /a/ as unknown as string });",
    "FC2105",
    "lab.say({ text: /a/ as unknown as string })",
  ],
  [
    "a search that goes on",
    "const x = /a/g.exec(await lab.word());",
    "FC2321",
    "/a/g.exec(await lab.word())",
  ],
  [
    "all matches of an expression for one",
    "const x = [...(await lab.word()).matchAll(/a/)];",
    "FC2321",
    "(await lab.word()).matchAll(/a/)",
  ],
  [
    "a replacement that calls a tool",
    'let n = 0; const x = (await lab.word()).replace(/a/g, () => { n += 1; return "b"; });',
    "FC2321",
    '(await lab.word()).replace(/a/g, () => { n += 1; return "b"; })',
  ],
  [
    "a part that may be absent",
    "const x = (await lab.word()).split(/(a)?/);",
    "FC2321",
    "(await lab.word()).split(/(a)?/)",
  ],
  [
    "a match of a text",
    'const x = (await lab.word()).match("a");',
    "FC2321",
    '(await lab.word()).match("a")',
  ],
  [
    "a pattern made in a run",
    "const x = new RegExp(await lab.word());",
    "FC2321",
    "new RegExp(await lab.word())",
  ],
  ["a pattern made by a call", "const x = RegExp(await lab.word());", "FC2321", "RegExp(await lab.word())"],
  [
    "a test of something else",
    'const x = /a/.test((await lab.read({ key: "a" })) as unknown as string);',
    "FC2108",
    '/a/.test((await lab.read({ key: "a" })) as unknown as string)',
  ],
  [
    "a path without a root",
    'const x = pathInside("a");',
    "FC2314",
    'pathInside("a")',
    'import { pathInside } from "foreclaim";',
  ],
  [
    "a path that is a number",
    'const x = pathInside(1 as unknown as string, "/");',
    "FC2108",
    'pathInside(1 as unknown as string, "/")',
    'import { pathInside } from "foreclaim";',
  ],
  ["an unknown name", "await lab.put({ n: totl });", "FC2401", "totl", "const total = 1;"],
  ["a name before its value", "const a = b; const b = 1;", "FC2402", "b"],
  [
    "a callback that looks at the position too",
    'await lab.nums({ items: ["1", "2"].map(parseInt) });',
    "FC2314",
    '["1", "2"].map(parseInt)',
  ],
  ["an assignment to a constant", "const a = 1; a = 2;", "FC2403", "a = 2"],
  ["an assignment to an import", "lab = lab;", "FC2405", "lab = lab"],
  [
    "two constants that depend on each other",
    "await lab.put({ n: A });",
    "FC2402",
    "B: number = A + 1",
    "const A: number = B + 1; const B: number = A + 1;",
  ],
  [
    "a constant that depends on itself",
    "await lab.put({ n: A });",
    "FC2406",
    "A: number = f() + 1",
    "const f = () => A; const A: number = f() + 1;",
  ],
  [
    "a constant that is used above its place",
    "await lab.put({ n: A });",
    "FC2402",
    "B = 1",
    "const A = B; const B = 1;",
  ],
  [
    "a constant that a function uses above its place",
    "await lab.put({ n: A });",
    "FC2402",
    "B = 1",
    "const f = () => B; const A = f(); const B = 1;",
  ],
  [
    "too many turns",
    "for (let i = 0; i < 100000; i++) { await lab.put({ n: i }); }",
    "FC2501",
    "for (let i = 0; i < 100000; i++) { await lab.put({ n: i }); }",
  ],
  [
    "a string for a number",
    'await lab.put({ n: "1" as unknown as number });',
    "FC2105",
    'lab.put({ n: "1" as unknown as number })',
  ],
  [
    "a word that is not in the union",
    'await lab.set({ level: "hi" as lab.Level });',
    "FC2105",
    'lab.set({ level: "hi" as lab.Level })',
  ],
  [
    "a fraction for an integer is an obligation, a constant one is refused",
    "await lab.count({ i: (await lab.word()) as unknown as number });",
    "FC2105",
    "lab.count({ i: (await lab.word()) as unknown as number })",
  ],
  [
    "equality of different types",
    "const x = (await lab.word()) === (1 as unknown as string);",
    "FC2106",
    "(await lab.word()) === (1 as unknown as string)",
  ],
  ["equality of lists", "const a = await lab.rows(); const x = a === a;", "FC2106", "a === a"],
  [
    "equality with a word that cannot be",
    'const x = (await lab.level()) === ("huge" as lab.Level);',
    "FC2106",
    '(await lab.level()) === ("huge" as lab.Level)',
  ],
  [
    "values of two types on two paths",
    'let x: string | bigint = 1n; if (await lab.test({ key: "k" })) { x = "a"; } await lab.say({ text: x + "!" });',
    "FC2107",
    "x",
  ],
  [
    "a mixed list",
    'await lab.list({ items: [1, "a"] as unknown as string[] });',
    "FC2105",
    'lab.list({ items: [1, "a"] as unknown as string[] })',
  ],
  [
    "a number plus a boolean",
    'const x = 1 + ((await lab.test({ key: "k" })) as unknown as number);',
    "FC2108",
    '(await lab.test({ key: "k" })) as unknown as number',
  ],
  [
    "bigint and number",
    "const x = 1n + (2 as unknown as bigint);",
    "FC2108",
    "1n + (2 as unknown as bigint)",
  ],
  [
    "order of different types",
    'const x = "a" < (1 as unknown as string);',
    "FC2108",
    '"a" < (1 as unknown as string)',
  ],
  [
    "a value that is undefined",
    "let x: number | undefined; await lab.put({ n: (x as number) + 1 });",
    "FC2109",
    "x as number",
  ],
  ["a contract called", "lab.nothing();", "FC2208", "lab.nothing()"],
  ["a relation in a program", "const n = lab.say.count();", "FC2208", "lab.say.count()"],
  ["a fluent in a program", 'const x = lab.door.get("a");', "FC2219", 'lab.door.get("a")'],
  [
    "an export that is not there",
    "await (lab as unknown as { shout: () => Promise<void> }).shout();",
    "FC2004",
    "(lab as unknown as { shout: () => Promise<void> }).shout",
  ],
  [
    "a tool declared in a program",
    "await t({});",
    "FC2009",
    "tool({ run: async (): Promise<void> => {} })",
    'import { tool } from "foreclaim"; const t = tool({ run: async (): Promise<void> => {} });',
  ],
  [
    "a contract declared in a program",
    "c();",
    "FC2009",
    "contract(() => true)",
    'import { contract } from "foreclaim"; const c = contract(() => true);',
  ],
  ["a top-level statement", say('"a"'), "FC2007", "lab.say;", "lab.say;"],
  ["a top-level variable that changes", "await lab.put({ n: x });", "FC2007", "x = 1", "let x = 1;"],
  ["another export", say('"a"'), "FC2006", "export const x = 1;", "export const x = 1;"],
  ["a package", say('"a"'), "FC2003", '"node:fs"', 'import * as fs from "node:fs";'],
  ["a module that is not trusted", say('"a"'), "FC2003", '"./other"', 'import * as other from "./other";'],
  [
    "a module that is not there",
    say('"a"'),
    "FC2002",
    '"./tools/gone"',
    'import * as gone from "./tools/gone";',
  ],
  ["a name that is not exported", say('"a"'), "FC2004", "shout", 'import { shout } from "./tools/lab";'],
  ["an import at run time", 'await import("./tools/lab");', "FC2003", 'import("./tools/lab")'],
  ["a construct in a branch that is never taken", "if (false) { const A = class {}; }", "FC2304", "class {}"],
  [
    "a construct in a helper that is never called",
    say('"a"'),
    "FC2302",
    "var x = 1;",
    "function unused() { var x = 1; }",
  ],
  [
    "a spread list as arguments",
    "f(...(await lab.rows()).map((r) => r.n));",
    "FC2314",
    "f(...(await lab.rows()).map((r) => r.n))",
    "const f = (a: number, b: number) => a + b;",
  ],
];

describe("a program outside the language is refused", () => {
  it.each(bodies)("%s", (_, body = "", code, underlined, top) => {
    const source = sourceOf(top === undefined ? { body } : { body, top });
    const problems = problemsOf({ "program.ts": source, "tools/lab.ts": labModule, "other.ts": "" });
    const first = problems.map(({ code: found, span, file }) => [
      found,
      file,
      source.slice(span.start, span.end),
    ]);
    expect(first, JSON.stringify(problems, null, 1)).toContainEqual([code, "program.ts", underlined]);
    for (const { message, help, code: found } of problems) {
      expect(message).toMatch(/^[^A-Z].*[^.]$/s);
      expect(Object.keys(frontCodes)).toContain(found);
      if (help !== undefined) expect(help).toMatch(/[^.]$/);
    }
  });
});

const program = (guarantees: string, imports = "") => `import { program } from "foreclaim";
import * as t from "./tools/t";
${imports}
export default program({ guarantees: ${guarantees}, async run() {} });
`;
const tools = (
  text: string,
) => `import { contract, coverage, flowsFrom, fluent, type Int, influencedBy, labelled, tool, unknown } from "foreclaim";
import { readFileSync } from "node:fs";
export const send = tool({ labels: ["out"], run: async ({ to, n }: { to: string; n: number }): Promise<void> => {} });
export const cells = fluent<string, boolean>({ initial: true });
export const fine = contract(() => true);
${text}`;

/** Each: what is tried, the tool module's text or a list of guarantees, the code, what is underlined. */
const modules: readonly (readonly [string, { tools?: string; guarantees?: string }, FrontCode, string])[] = [
  ["no guarantees", { guarantees: "[]" }, "FC2212", "[]"],
  ["guarantees that are not a list", { guarantees: "t.all" }, "FC2212", "t.all"],
  ["a guarantee that is not a call", { guarantees: "[t.fine]" }, "FC2211", "t.fine"],
  ["a guarantee that is a constant", { guarantees: "[true]" }, "FC2211", "true"],
  ["a relation as a guarantee", { guarantees: "[t.send.none()]" }, "FC2208", "t.send.none"],
  ["an unknown contract", { guarantees: "[t.fien()]" }, "FC2004", "t.fien"],
  [
    "a contract's argument that is missing",
    { tools: "export const c = contract((n: number) => send.count() <= n);", guarantees: "[t.c()]" },
    "FC2213",
    "t.c()",
  ],
  [
    "a string where a list is wanted",
    {
      tools: "export const c = contract((xs: string[]) => send.all((e) => xs.includes(e.to)));",
      guarantees: '[t.c("a")]',
    },
    "FC2105",
    '"a"',
  ],
  [
    "a type that cannot be modelled",
    { tools: "export const x = tool({ run: async ({ d }: { d: Date }): Promise<void> => {} });" },
    "FC2103",
    "Date",
  ],
  [
    "a function type",
    { tools: "export const x = tool({ run: async ({ f }: { f: () => void }): Promise<void> => {} });" },
    "FC2101",
    "() => void",
  ],
  [
    "a union of kinds",
    { tools: "export const x = tool({ run: async ({ f }: { f: string | bigint }): Promise<void> => {} });" },
    "FC2101",
    "string | bigint",
  ],
  [
    "a recursive type",
    {
      tools:
        "type One = Two; type Two = One; export const x = tool({ run: async ({ f }: { f: One }): Promise<void> => {} });",
    },
    "FC2104",
    "One",
  ],
  [
    "an argument without a type",
    { tools: "export const x = tool({ run: async (a): Promise<void> => {} });" },
    "FC2102",
    "a",
  ],
  ["a result without a type", { tools: "export const x = tool({ run: async () => {} });" }, "FC2102", "a"],
  ["no run", { tools: "export const x = tool({ reads: true });" }, "FC2203", "tool({ reads: true })"],
  [
    "an unknown option",
    { tools: "export const x = tool({ require: () => true, run: async (): Promise<void> => {} });" },
    "FC2011",
    "require",
  ],
  [
    "a tool that is not exported",
    { tools: "const x = tool({ run: async (): Promise<void> => {} });" },
    "FC2202",
    "tool({ run: async (): Promise<void> => {} })",
  ],
  [
    "what only run may use",
    {
      tools:
        'export const x = tool({ requires: () => readFileSync("a", "utf8") === "", run: async (): Promise<void> => {} });',
    },
    "FC2010",
    "readFileSync",
  ],
  [
    "a requires that calls a tool",
    {
      tools:
        'export const x = tool({ requires: () => send({ to: "", n: 1 }) === undefined, run: async (): Promise<void> => {} });',
    },
    "FC2209",
    'send({ to: "", n: 1 })',
  ],
  [
    "a misspelt argument",
    {
      tools:
        "export const x = tool({ requires: ({ nn }) => nn > 1, run: async ({ n }: { n: number }): Promise<void> => {} });",
    },
    "FC2310",
    "nn",
  ],
  [
    "an ensures of nothing",
    { tools: "export const x = tool({ ensures: () => true, run: async (): Promise<void> => {} });" },
    "FC2209",
    "ensures: () => true",
  ],
  [
    "an effect that is none",
    { tools: "export const x = tool({ effects: () => [1], run: async (): Promise<void> => {} });" },
    "FC2217",
    "1",
  ],
  [
    "a fluent without types",
    { tools: "export const x = fluent({ initial: true });" },
    "FC2102",
    "fluent({ initial: true })",
  ],
  [
    "a fluent of the wrong type",
    { tools: 'export const x = fluent<string, boolean>({ initial: "a" });' },
    "FC2105",
    '"a"',
  ],
  [
    "an argument named result",
    {
      tools:
        "export const x = tool({ ensures: (r) => r > 0, run: async ({ result }: { result: number }): Promise<number> => 0 });",
    },
    "FC2218",
    "ensures: (r) => r > 0",
  ],
  [
    "an unknown field of a row",
    { tools: 'export const c = contract(() => send.all((e) => e.addr === ""));', guarantees: "[t.c()]" },
    "FC2310",
    "e.addr",
  ],
  [
    "an unknown label",
    { tools: 'export const c = contract(() => labelled("in").none());', guarantees: "[t.c()]" },
    "FC2207",
    'labelled("in")',
  ],
  [
    "a field that not all have",
    {
      tools:
        'export const x = tool({ labels: ["out"], run: async ({ to }: { to: string }): Promise<void> => {} }); export const c = contract(() => labelled("out").all((e) => e.n > 0));',
      guarantees: "[t.c()]",
    },
    "FC2310",
    "e.n",
  ],
  [
    "an unknown method of a relation",
    { tools: "export const c = contract(() => send.any(() => true));", guarantees: "[t.c()]" },
    "FC2205",
    "send.any",
  ],
  [
    "rows of what returns none",
    { tools: "export const c = contract(() => send.rows.some());", guarantees: "[t.c()]" },
    "FC2205",
    "send.rows",
  ],
  [
    "a number for each key that is not compared",
    {
      tools: "export const c = contract(() => send.perKey((e) => e.to).count() + 1 <= 2);",
      guarantees: "[t.c()]",
    },
    "FC2210",
    "send.perKey((e) => e.to).count()",
  ],
  [
    "a division",
    { tools: "export const c = contract(() => send.all((e) => 1 / e.n > 0));", guarantees: "[t.c()]" },
    "FC2214",
    "e.n",
  ],
  [
    "no formula yet",
    {
      tools:
        "export const many = tool({ run: async ({ ns }: { ns: number[] }): Promise<void> => {} }); export const c = contract(() => many.all((e) => Math.max(...e.ns) <= 3));",
      guarantees: "[t.c()]",
    },
    "FC2215",
    "Math.max(...e.ns)",
  ],
  [
    "the order of rows",
    {
      tools:
        "export const rows = tool({ run: async (): Promise<string[]> => [] }); export const c = contract(() => send.before(rows.rows));",
      guarantees: "[t.c()]",
    },
    "FC2216",
    "send.before(rows.rows)",
  ],
  [
    "a fluent without a moment",
    { tools: 'export const c = contract(() => cells.get("a"));', guarantees: "[t.c()]" },
    "FC2219",
    'cells.get("a")',
  ],
  [
    "a parameter without a type",
    { tools: "export const c = contract((n) => send.count() <= n);" },
    "FC2102",
    "n",
  ],
  [
    "a changing variable of the module",
    {
      tools: "let limit = 3; export const c = contract(() => send.count() <= limit);",
      guarantees: "[t.c()]",
    },
    "FC2204",
    "limit = 3",
  ],
  [
    "coverage of what is no tool",
    { tools: "export const p = coverage({ whenUsed: [fine] });" },
    "FC2201",
    "fine",
  ],
  ["a syntax error", { tools: "export const = 1;" }, "FC2001", "="],
];

test("a `var` is reported once, also in the head of a loop", () => {
  const source = sourceOf({ body: "var x = 1; for (var y of [1]) {} for (const z of [x]) {}" });
  const problems = problemsOf({ "program.ts": source, "tools/lab.ts": labModule });
  const found = problems.map(({ code, span }) => [code, source.slice(span.start, span.end)]);
  expect(found).toEqual([
    ["FC2302", "var x = 1;"],
    ["FC2302", "var y"],
  ]);
});

describe("a tool module or guarantee outside the language is refused", () => {
  it.each(modules)("%s", (_, { tools: text = "", guarantees = "[t.fine()]" }, code, underlined) => {
    const files: Record<string, string> = { "program.ts": program(guarantees), "tools/t.ts": tools(text) };
    const problems = problemsOf(files);
    const found = problems.map(({ code: one, span, file }) => [
      one,
      files[file]?.slice(span.start, span.end),
    ]);
    expect(found, JSON.stringify(problems, null, 1)).toContainEqual([code, underlined]);
  });
});
