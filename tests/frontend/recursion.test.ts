/** Functions that call themselves, and generators: as JavaScript, and as loops of the Effect IR. */
import { describe, expect, it } from "vitest";
import { runs } from "../support/runs.ts";
import { compileLab, type LabProgram, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";
import { RecursiveSource } from "./recursive-source.ts";

const seeds = Array.from({ length: 16 }, (_, i) => i);

const programs: Readonly<Record<string, LabProgram>> = {
  "a factorial": {
    top: `function fact(n: number): number { return n <= 1 ? 1 : n * fact(n - 1); }`,
    body: `const r = await lab.rows();
return [fact(4), fact(r.length)];`,
  },
  "a tree that is built": {
    top: `type Tree = { id: string; kids: Tree[] };
function build(rows: lab.Row[]): Tree[] { return rows.map((r) => ({ id: r.id, kids: r.n > 2 ? build(rows.filter((x) => x.n < r.n)) : [] })); }`,
    body: `const rows = await lab.rows();
return build(rows);`,
  },
  "calls with a set that all share": {
    top: `async function walk(n: number, seen: Set<number>): Promise<number> {
  if (n <= 0 || seen.has(n)) return 0;
  seen.add(n);
  const k = await lab.read({ key: String(n) });
  let t = k;
  for (const step of [1, 2]) { t += await walk(n - step, seen); await lab.put({ n: t }); }
  return t;
}`,
    body: `const xs = await lab.rows();
const seen = new Set<number>();
const total = await walk(xs.length + 2, seen);
return { total, seen: [...seen] };`,
  },
  "a walk over a graph with cycles": {
    body: `const rows = await lab.rows();
const order: string[] = [];
const state = new Map<string, "visiting" | "done">();
const visit = (name: string, path: string[]): void => {
  const row = rows.find((r) => r.id === name);
  if (!row) { order.push("missing " + name); return; }
  if (state.get(name) === "done") return;
  if (state.get(name) === "visiting") { order.push("cycle " + [...path, name].join(">")); return; }
  state.set(name, "visiting");
  for (const t of row.tags) visit(t === "x" ? "a" : t === "y" ? "b" : "q", [...path, name]);
  state.set(name, "done");
  order.push(name);
};
for (const r of rows) visit(r.id, []);
return order;`,
  },
  "even and odd": {
    top: `function even(n: number): boolean { return n === 0 ? true : odd(n - 1); }
function odd(n: number): boolean { return n === 0 ? false : even(n - 1); }`,
    body: `const rows = await lab.rows();
return [even(rows.length), odd(rows.length), even(3)];`,
  },
  "a page at a time": {
    top: `async function page(n: number): Promise<string[]> {
  const xs = await lab.rows();
  if (xs.length === 0 || n > 30) return [];
  return [...xs.map((x) => x.id), ...(await page(n + 1))];
}`,
    body: `return await page(0);`,
  },
  "a search that returns from the middle": {
    top: `function find(rows: lab.Row[], n: number): lab.Row | undefined {
  for (const r of rows) { if (r.n === n) return r; const hit = find(rows.filter((x) => x.n > r.n), n); if (hit) return hit; }
  return undefined;
}`,
    body: `const rows = await lab.rows();
const hit = find(rows, 3);
return hit ? hit.id : "none";`,
  },
  "tries that count down": {
    top: `async function tries(k: number): Promise<number> { try { return await lab.risky({ key: "x" }); } catch (e) { if (k === 0) throw e; return tries(k - 1); } }`,
    body: `const rows = await lab.rows();
try { return await tries(rows.length); } catch (e) { return (e as Error).message; }`,
  },
  "a throw through several calls": {
    top: `async function dig(k: number): Promise<void> { if (k < 0) throw new Error("deep " + k); const n = await lab.risky({ key: "k" }); if (n > 4) return; await dig(k - 1); await lab.count({ i: 1 }); }`,
    body: `const rows = await lab.rows();
try { await dig(rows.length); } catch (e) { return (e as Error).message; }
return "ok";`,
  },
  "a chain of numbers": {
    top: `function collatz(n: number, steps = 0): number { if (n === 1) return steps; return collatz(n % 2 === 0 ? n / 2 : 3 * n + 1, steps + 1); }`,
    body: `const rows = await lab.rows();
return rows.map((r) => collatz(Math.abs(r.n) + 1));`,
  },
  "depth that is written out": {
    body: `const rows = await lab.rows();
const out: string[] = [];
function rec(rest: lab.Row[], depth: number) { if (depth > 3) return; for (const r of rest) { out.push(\`\${" ".repeat(depth)}\${r.id}\`); rec(rest.filter((x) => x.n > r.n), depth + 1); } }
rec(rows, 0);
return out;`,
  },
  "JSON of any depth": {
    top: `function flat(r: unknown): number { if (Array.isArray(r)) return r.reduce((s: number, x) => s + flat(x), 0); return typeof r === "number" ? r : 0; }`,
    body: `const rows = await lab.rows();
return flat(JSON.parse(JSON.stringify([1, [2, [rows.length, [3]]], "x"])));`,
  },
  "a list and its rest": {
    top: `function sum(xs: number[]): number { if (xs.length === 0) return 0; const [h, ...t] = xs; return h! + sum(t); }`,
    body: `const rows = await lab.rows();
return sum(rows.map((r) => r.n));`,
  },
  "a function of two arguments that calls itself for one": {
    top: `function ack(m: number, n: number): number { if (m === 0) return n + 1; if (n === 0) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }`,
    body: `const rows = await lab.rows();
return ack(2, rows.length);`,
  },
  "a function in a function, each calling itself": {
    top: `async function outer(k: number): Promise<number> { async function inner(j: number): Promise<number> { if (j <= 0) return 0; await lab.put({ n: j }); return 1 + (await inner(j - 1)) + (j === 2 ? await outer(k - 1) : 0); } if (k <= 0) return 0; return inner(k); }`,
    body: `const rows = await lab.rows();
return await outer(rows.length);`,
  },
  "left by break": {
    top: `function* g(xs: lab.Row[]) { for (const x of xs) { if (x.ok) yield x.id; else if (x.n > 3) return; await0(); } yield "end"; }
function await0() {}`,
    body: `const rows = await lab.rows();
for (const id of g(rows)) { await lab.say({ text: id }); if (id === "c") break; }
await lab.say({ text: "after" });`,
  },
  "pages until there is none": {
    top: `async function* g() { let k = 0; while (true) { const xs = await lab.rows(); if (xs.length === 0 || k > 4) return; for (const x of xs) { yield x; } k++; await lab.put({ n: k }); } }`,
    body: `for await (const r of g()) { if (r.n < 0) continue; await lab.say({ text: r.id }); if (r.n > 5) break; if (r.n === 4) return "four"; }
await lab.say({ text: "after" });
return "done";`,
  },
  "jumps to a loop around it": {
    top: `async function* g() { const xs = await lab.rows(); for (const x of xs) { await lab.say({ text: "g" + x.id }); yield x; } yield* xs; }`,
    body: `const seen: string[] = [];
outer: for (const i of [1, 2]) {
  for await (const r of g()) { seen.push(r.id); if (r.n === 3) continue outer; if (r.n === 6) break outer; await lab.count({ i }); }
}
return seen;`,
  },
  "spread and sets": {
    top: `function* nums(n: number): Generator<number> { for (let i = 0; i < n; i++) yield i * 2; }`,
    body: `const all = [...nums(4)];
const rows = await lab.rows();
const more = [...nums(rows.length)];
const s = new Set(nums(3));
return [all, more, s.size, Array.from(nums(2), (x) => x + 1)];`,
  },
  "a generator in a generator": {
    top: `function* inner(n: number) { yield n; if (n > 2) return; yield n + 1; }
function* outer(xs: number[]) { for (const x of xs) yield* inner(x); yield 100; }`,
    body: `const rows = await lab.rows();
let t = 0;
for (const v of outer(rows.map((r) => r.n))) { t += v; if (t > 20) break; }
return t;`,
  },
  "calls that fail": {
    top: `async function* g() { for (const k of ["a", "b", "c"]) { yield await lab.read({ key: k }); } }`,
    body: `try { for await (const n of g()) { if (n === 5) throw new Error("five"); await lab.risky({ key: "x" }); } } catch (e) { return (e as Error).message; }
return "ok";`,
  },
  "promises in a list": {
    body: `for await (const x of [lab.read({ key: "a" }), lab.read({ key: "b" })]) { await lab.put({ n: x }); }`,
  },
  "a list of the run": {
    body: `const rows = await lab.rows();
for await (const r of rows) await lab.say({ text: r.id });`,
  },
};

describe("a program does the same compiled as it does in JavaScript", () => {
  it.each(Object.entries(programs))("%s", async (_, program) => {
    const source = sourceOf(program);
    const compiled = compileLab(source);
    if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
    for (const seed of seeds) {
      const inJavaScript = await runAsJavaScript(source, undefined, seed);
      const inIr = await runAsIr(compiled.document, undefined, seed);
      const shown = `seed ${seed}\n${inJavaScript.end} | ${inIr.end}`;
      expect(inIr.calls, shown).toEqual(inJavaScript.calls);
      expect(inIr.result, shown).toEqual(inJavaScript.result);
    }
  });
});

describe("random functions that call themselves and random generators", () => {
  it("do the same compiled as they do in JavaScript", async () => {
    for (let seed = 1; seed <= runs(60); seed++) {
      const source = sourceOf(new RecursiveSource(seed).program());
      const compiled = compileLab(source);
      if (!("document" in compiled))
        throw new Error(`seed ${seed}\n${JSON.stringify(compiled.problems, null, 1)}\n${source}`);
      for (const scenario of [1, 2, 3]) {
        const inJavaScript = await runAsJavaScript(source, undefined, scenario);
        const inIr = await runAsIr(compiled.document, undefined, scenario);
        const shown = `seed ${seed}, scenario ${scenario}\n${inIr.end}\n${source}`;
        expect(inIr.calls, shown).toEqual(inJavaScript.calls);
        expect(inIr.result, shown).toEqual(inJavaScript.result);
      }
    }
  }, 120_000);
});
