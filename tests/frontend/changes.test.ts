/** Lists, maps and patterns as agents use them: as JavaScript, and as Effect IR. */
import { describe, expect, it } from "vitest";
import { compileLab, type LabProgram, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";

const seeds = Array.from({ length: 16 }, (_, i) => i);

const programs: Readonly<Record<string, LabProgram>> = {
  "an array that a function returns from a loop": {
    top: `async function all(): Promise<string[]> { const out: string[] = []; let k = 0; while (true) { const xs = await lab.rows(); out.push(...xs.map((x) => x.id)); k++; if (xs.length < 3 || k > 5) return out; } }`,
    body: `const a = await all(); a.sort(); const b = await all(); b.push("z"); return [a, b];`,
  },
  "arrays in a map that was written out": {
    body: `const m = new Map<string, string[]>([["a", []], ["b", []], ["c", []]]);
const rows = await lab.rows();
for (const r of rows) m.get(r.id)?.push(r.id + r.n);
return [...m].map(([k, v]) => k + v.join(","));`,
  },
  "a part of what a tool returned": {
    body: `const row = await lab.find({ id: "x" });
if (row === null) return "none";
const { tags, id } = row;
tags.push("q"); return [tags, id, row.tags];`,
  },
  "what was parsed": {
    body: `const o = JSON.parse(JSON.stringify({ xs: [3, 1, 2] })) as { xs: number[] };
o.xs.sort((a, b) => a - b);
const { xs } = JSON.parse("{\\"xs\\":[2,1]}") as { xs: number[] };
return [o.xs, xs.sort((a, b) => a - b)];`,
  },
  "a value of a key, sorted in its place": {
    body: `const m: Record<string, number[]> = { a: [3, 1] };
for (const r of await lab.rows()) (m[r.id] ??= []).push(r.n);
const s = m["a"]!.sort((x, y) => x - y);
s.push(100);
return [s, m];`,
  },
  "a value of a map, reversed in its place": {
    body: `const m = new Map<string, number[]>();
for (const r of await lab.rows()) { const g = m.get(r.id) ?? []; g.push(r.n); m.set(r.id, g); }
const g = m.get("a");
const t = g === undefined ? [] : g.reverse();
return [[...t], [...m.values()]];`,
  },
  "a list of a tool, sorted": {
    body: `const rows = await lab.rows();
const s = rows.sort((a, b) => a.n - b.n);
return [s.map((r) => r.n), rows.map((r) => r.n)];`,
  },
  "a field of a record, reversed in its place": {
    body: `const row = await lab.find({ id: "x" });
if (row === null) return "none";
return [row.tags.reverse(), row.tags];`,
  },
  "sorts the values of a map while it goes over them": {
    body: `const m = new Map<string, lab.Row[]>();
for (const r of await lab.rows()) m.set(r.id, [...(m.get(r.id) ?? []), r]);
const out: number[][] = [];
for (const g of m.values()) { g.sort((a, b) => a.n - b.n); out.push(g.map((r) => r.n)); }
return [out, [...m.values()].map((g) => g.map((r) => r.n))];`,
  },
  "changes entries of a map": {
    body: `const m = new Map<string, string[]>();
for (const r of await lab.rows()) { if (!m.has(r.id)) m.set(r.id, []); m.get(r.id)!.push(String(r.n)); }
for (const [k, g] of m) { const [x, ...rest] = g.sort(); await lab.say({ text: k + x }); g.push("end"); if (rest.length > 1) break; }
return [...m];`,
  },
  "changes values of an object with computed keys": {
    body: `const m: Record<string, number[]> = {};
for (const r of await lab.rows()) (m[r.id] ??= []).push(r.n);
for (const [k, g] of Object.entries(m)) { g.reverse(); g.push(k.length); }
for (const g of Object.values(m)) g.sort((a, b) => b - a);
return m;`,
  },
  "changes objects in a map": {
    body: `const m = new Map<string, { n: number; ids: string[] }>();
for (const r of await lab.rows()) { const e = m.get(r.id) ?? { n: 0, ids: [] }; e.n += r.n; e.ids.push(r.id); m.set(r.id, e); }
for (const e of m.values()) { e.n *= 2; e.ids.push("x"); }
return [...m.entries()];`,
  },
  "patterns in objects": {
    top: `const RULES: { re: RegExp; label: string }[] = [{ re: /^a/i, label: "A" }, { re: /o (w)/, label: "OW" }, { re: /@/, label: "AT" }];`,
    body: `const w = await lab.word();
const hit = RULES.find((r) => r.re.test(w));
if (!hit) return "none";
return [hit.label, hit.re.test("abc o w@"), w.match(hit.re)?.[0], w.replace(hit.re, "-")];`,
  },
  "patterns in pairs": {
    top: `const RULES: [RegExp, string][] = [[/^a/, "A"], [/b/, "B"], [/@/, "AT"]];`,
    body: `const w = await lab.word();
return RULES.filter(([re]) => re.test(w)).map(([, label]) => label);`,
  },
  "patterns in a list": {
    top: `const SIGNS = [/lawyer/i, /b(o)b/, /hello/];`,
    body: `const w = await lab.word();
const m = SIGNS.find((re) => re.test(w))?.exec(w);
return m ? m[0] : "no";`,
  },
  "words as a constant": {
    top: `const S = ["low", "mid", "high"] as const;`,
    body: `const l = await lab.level();
const i = S.indexOf(l);
const next = S[i + 1];
if (next === undefined) return "end";
await lab.set({ level: next });`,
  },
  "pairs as a constant": {
    body: `const rows = await lab.rows();
const pairs = await Promise.all(rows.map(async (r) => { const n = await lab.read({ key: r.id }); return [r.id, String(n)] as const; }));
return Object.fromEntries(pairs);`,
  },
  "pairs of texts": {
    body: `const rows = await lab.rows();
return Object.fromEntries(rows.map((r) => [r.id, r.id + "!"]));`,
  },
  "words or null": {
    top: `function pick(n: number): "low" | "mid" | null { if (n > 3) return "low"; if (n > 1) return "mid"; return null; }`,
    body: `const counts: Record<"low" | "mid", number> = { low: 0, mid: 0 };
for (const r of await lab.rows()) { const k = pick(r.n); if (k === null) continue; counts[k]++; await lab.set({ level: k }); await lab.list({ items: [k] }); }
return counts;`,
  },
  "elements by position in a map": {
    body: `const m = new Map<string, lab.Row>();
const rows = await lab.rows();
for (let i = 0; i < rows.length; i++) m.set(rows[i].id, rows[i]);
return [...m.values()].map((r) => r.n);`,
  },
  "null as the value of a key": {
    body: `const o: Record<string, number | null> = {};
for (const r of await lab.rows()) o[r.id] = r.ok ? r.n : null;
return o;`,
  },
  "a key that is looked for first": {
    top: `const F: Record<string, string> = { a: "x", b: "y" };`,
    body: `const out: string[] = [];
for (const r of await lab.rows()) { const f = Object.hasOwn(F, r.id) ? F[r.id] : "other"; out.push(f); await lab.say({ text: f }); }
return out;`,
  },
  "a position that is counted": {
    body: `const hours = new Array<number>(4).fill(0);
for (const r of await lab.rows()) hours[r.tags.length] += r.n;
return hours;`,
  },
  "one of two fields": {
    top: `type T = { d: number; t: number };`,
    body: `const rows = await lab.rows();
return rows.reduce<{ a: T; b: T }>((acc, r) => { const key = r.ok ? "a" : "b"; const old = acc[key]; return { ...acc, [key]: { d: old.d + r.n, t: old.t + 1 } }; }, { a: { d: 0, t: 0 }, b: { d: 0, t: 0 } });`,
  },
  "a median": {
    top: `function median(xs: number[]): number | null { if (xs.length === 0) return null; const s = [...xs].sort((a, b) => a - b); const mid = Math.floor(s.length / 2); return s.length % 2 ? s[mid] : (s[mid - 1] + s[mid]) / 2; }`,
    body: `const rows = await lab.rows();
const m = median(rows.map((r) => r.n));
return m === null ? "none" : Math.round(m * 10) / 10;`,
  },
  "the first and the rest": {
    body: `const rows = await lab.rows();
const [first, ...rest] = rows.map((r) => r.id);
if (rows.length === 0) return "none";
await lab.list({ items: [first, ...rest] });`,
  },
  ties: {
    body: `const rows = await lab.rows(); return rows.sort((a, b) => (a.n < b.n ? 1 : -1)).map((r) => r.id + r.n + r.tags.length);`,
  },
  "ties the other way": {
    body: `const rows = await lab.rows(); return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map((r) => r.id + r.n + r.tags.length);`,
  },
  "ties by greater": {
    body: `const rows = await lab.rows(); return rows.sort((a, b) => a.id > b.id ? 1 : -1).map((r) => r.id + r.n+ r.tags.length);`,
  },
  "ties by one side": {
    body: `const rows = await lab.rows(); return rows.sort((a, b) => a.ok ? 1 : -1).map((r) => r.id + r.n);`,
  },
  "comparators by name": {
    body: `const byId = (a: lab.Row, b: lab.Row) => a.id.localeCompare(b.id);
const rows = await lab.rows(); rows.sort(byId); return [...rows].sort((a, b) => b.n - a.n || byId(a, b)).map((r) => r.id + r.n);`,
  },
  "pairs by two keys": {
    body: `const m = new Map<string, [number, number]>();
for (const r of await lab.rows()) { const p = m.get(r.id) ?? [0, 0]; p[r.ok ? 0 : 1]++; m.set(r.id, p); }
return [...m.entries()].sort(([la, a], [lb, b]) => b[0] - a[0] || la.localeCompare(lb));`,
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
