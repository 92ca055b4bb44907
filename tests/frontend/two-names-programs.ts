/** Programs in which one array or object has two names: each does the same as in JavaScript, or is refused. */
import type { LabProgram } from "./lab.ts";

const keepers = `interface O { n: number; xs: number[] }
class C {
  xs: number[] = [];
  reset(): void { this.xs = [1]; }
  add(n: number): void { this.xs.push(n); }
}`;

const keepersStart = `const rows = await lab.rows();
const word = await lab.word();
const flag = await lab.test({ key: "k" });
const m: Record<string, O> = {};
const list: O[] = [];
const nested: number[][] = [];
`;

export const twoNames: Readonly<Record<string, LabProgram>> = {
  "two variables, one is put into a Map": {
    body: `const m = new Map<string, { n: number }>();
let a = { n: 1 };
const b = a;
m.set("k", a);
a.n = 5;
return [a.n, b.n, m.get("k")?.n];`,
  },
  "let and let": {
    body: `const m = new Map<string, { n: number }>();
let a = { n: 1 };
let b = a;
m.set("k", a);
b.n = 7;
return [a.n, b.n, m.get("k")?.n];`,
  },
  "put twice": {
    body: `const m = new Map<string, { n: number }>();
let a = { n: 1 };
m.set("k", a);
m.set("l", a);
a.n = 7;
return [a.n, m.get("k")?.n, m.get("l")?.n];`,
  },
  "put on one path": {
    body: `const m = new Map<string, { n: number }>();
let a = { n: 1 };
if (await lab.test({ key: "x" })) m.set("k", a);
a.n = 7;
return [a.n, m.get("k")?.n ?? null];`,
  },
  "replaced after it was put": {
    body: `const m = new Map<string, { n: number }>();
let a = { n: 1 };
m.set("k", a);
m.set("k", { n: 2 });
a.n = 7;
return [a.n, m.get("k")?.n];`,
  },
  "deleted after it was put": {
    body: `const m = new Map<string, { n: number }>();
let a = { n: 1 };
m.set("k", a);
m.delete("k");
a.n = 7;
return [a.n, m.size];`,
  },
  "changed through the Map": {
    body: `const m = new Map<string, { n: number }>();
let a = { n: 1 };
m.set("k", a);
m.get("k")!.n = 9;
return [a.n];`,
  },
  "put in a loop, changed in the next turn": {
    body: `const m = new Map<string, { n: number }>();
let cur = { n: 0 };
for (const r of await lab.rows()) {
  cur.n += r.n;
  if (r.ok) { cur = { n: 0 }; m.set(r.id, cur); }
}
return [...m].map(([k, v]) => k + v.n);`,
  },
  "put into a record in a loop, changed in the next turn": {
    body: `const m: Record<string, { n: number }> = {};
let cur: { n: number } | undefined;
for (const r of await lab.rows()) {
  if (cur) cur.n += r.n;
  if (r.ok) { cur = { n: 0 }; m[r.id] = cur; }
}
return m;`,
  },
  "in a list too": {
    body: `const m = new Map<string, { n: number }>();
const list: { n: number }[] = [];
for (const r of await lab.rows()) {
  let e = m.get(r.id);
  if (!e) { e = { n: 0 }; m.set(r.id, e); list.push(e); }
  e.n += r.n;
}
return [list, [...m.values()]];`,
  },
  "a function keeps it": {
    body: `const m = new Map<string, { n: number }>();
let a = { n: 1 };
const see = () => a.n;
m.set("k", a);
m.get("k")!.n += 4;
a.n += 1;
return [see(), m.get("k")?.n];`,
  },
  "the same list in each bucket": {
    body: `const shared: number[] = [];
const by = Array.from({ length: 3 }, () => shared);
for (const r of await lab.rows()) by[r.ok ? 1 : 0].push(r.n);
return [by, shared];`,
  },
  "fill gives one object": {
    body: `const by = new Array(3).fill([]) as number[][];
for (const r of await lab.rows()) by[r.ok ? 1 : 0].push(r.n);
return by;`,
  },
  "a bucket with a name": {
    body: `const by: number[][] = Array.from({ length: 2 }, () => []);
const first = by[0];
for (const r of await lab.rows()) by[r.ok ? 1 : 0].push(r.n);
first.push(100);
return [by, first];`,
  },
  "buckets of buckets": {
    body: `const by: number[][] = Array.from({ length: 2 }, () => []);
const copy = [...by];
for (const r of await lab.rows()) by[r.ok ? 1 : 0].push(r.n);
return [by, copy];`,
  },
  "a bucket is replaced by another": {
    body: `const by: number[][] = Array.from({ length: 2 }, () => []);
by[0] = by[1];
for (const r of await lab.rows()) by[r.ok ? 1 : 0].push(r.n);
return by;`,
  },
  "a Set in a Map with a name": {
    body: `const m = new Map<string, Set<string>>();
const s = new Set<string>(["x"]);
m.set("k", s);
s.add("y");
return [[...(m.get("k") ?? [])], s.size];`,
  },
  "a Set of a Map with a name": {
    body: `const m = new Map<string, Set<string>>();
m.set("k", new Set(["x"]));
const s = m.get("k");
s?.add("y");
m.get("k")?.add("z");
return [[...(m.get("k") ?? [])], s?.size];`,
  },
  "an expression that remembers": {
    top: `const RE = /[a-z]/g;`,
    body: `const text = await lab.word();
let m: RegExpExecArray | null;
while ((m = RE.exec(text)) !== null) break;
const more: string[] = [];
while ((m = RE.exec(text)) !== null) more.push(m[0]);
return more;`,
  },
  "an expression that remembers after a break": {
    body: `const re = /[a-z]/g;
const out: string[] = [];
for (const r of await lab.rows()) {
  const text = r.id + "bcd";
  let m: RegExpExecArray | null;
  while ((m = re.exec(text)) !== null) { out.push(m[0]); if (r.ok) break; }
}
return out;`,
  },
  "elements of a list that was filtered": {
    body: `const state = (await lab.rows()).map((r) => ({ id: r.id, n: r.n }));
const some = state.filter((s) => s.n > 1);
for (const s of state) s.n = 0;
for (let i = 0; i < some.length; i++) some[i].n += 5;
return [state, some];`,
  },
  "an element by position with a name": {
    body: `const state = (await lab.rows()).map((r) => ({ id: r.id, n: r.n }));
if (state.length === 0) return 0;
const first = state[0];
state[0].n = 100;
first.n += 1;
const copy = [...state];
state[0].n += 1;
return [state, first, copy];`,
  },
  "the order of keys that a tool gave": {
    body: `const row = await lab.find({ id: "x" });
if (row === null) return null;
const m: Record<string, unknown> = row as unknown as Record<string, unknown>;
return Object.keys(m);`,
  },
  "two names that change together": {
    body: `let a = [1]; let b = a; const y = [2];
if (await lab.test({ key: "k" })) { a = y; b = y; }
a.push(3);
await lab.nums({ items: b });
return b;`,
  },
  "one of two, put into an object in a loop": {
    body: `const table = { a: { n: 1 }, b: { n: 2 } };
const m: Record<string, { n: number }> = {};
for (const r of await lab.rows()) m[r.id] = table[r.ok ? "a" : "b"];
const k = (await lab.test({ key: "k" })) ? "a" : "b";
const o = m[k];
if (o) o.n = 9;
return [table, m];`,
  },
  "a Map that grows while its values are gone over": {
    body: `const m = new Map<string, number>([["a", 1]]);
for (const v of m.values()) { await lab.put({ n: v }); if (m.size < 4) m.set("k" + m.size, v + 1); }
return [...m];`,
  },
  "a Set that grows while its keys are gone over": {
    body: `const s = new Set<string>(["a"]);
for (const v of s.keys()) { await lab.say({ text: v }); if (s.size < 4) s.add(v + "a"); }
return [...s];`,
  },
  "a list inside an object that grows while it is gone over": {
    body: `const m: Record<string, { xs: number[] }> = {};
for (const r of await lab.rows()) (m[r.id] ??= { xs: [] }).xs.push(r.n);
const d = m["a"];
if (d) for (const x of d.xs) { await lab.put({ n: x }); if (d.xs.length < 5) d.xs.push(x + 1); }
return m;`,
  },
  "a list that is replaced while its elements are changed": {
    body: `let xs: { n: number }[] = [];
for (const r of await lab.rows()) xs.push({ n: r.n });
for (const x of xs) { x.n++; if (x.n > 2) xs = []; }
return xs;`,
  },
  "an element under another name": {
    body: `const xs: { n: number }[] = [];
for (const r of await lab.rows()) xs.push({ n: r.n });
const a = xs[0];
const b = xs.find((x) => x.n > 1);
if (b) b.n = 50;
xs.reverse();
if (a) a.n++;
return [a?.n, b?.n, xs];`,
  },
  "an object that is put into a list and changed there": {
    body: `const o = { n: 0 };
const xs: { n: number }[] = [];
for (const r of await lab.rows()) xs.push(o);
for (const x of xs) x.n++;
return [o, xs];`,
  },
  "an inner loop replaces what a name is part of": {
    body: `const m: Record<string, { n: number }> = {};
for (const r of await lab.rows()) {
  const d = (m[r.id] ??= { n: 0 });
  for (const t of r.tags) { d.n++; if (t === "y") m[r.id] = { n: 100 }; }
  await lab.put({ n: d.n });
}
return m;`,
  },
  "a new array in a branch, copied there, then changed": {
    top: keepers,
    body: `${keepersStart}let a: number[] = []; if (flag) { a = [1]; list.push({ n: 1, xs: a }); } a.push(5);
return { m, list, nested };`,
  },
  "a new object in a branch, kept there, then changed": {
    top: keepers,
    body: `${keepersStart}let o: O = { n: 1, xs: [] }; if (flag) { o = { n: 2, xs: [2] }; list.push(o); } o.n++; o.xs.push(5);
return { m, list, nested };`,
  },
  "a field set in a branch, its object copied there": {
    top: keepers,
    body: `${keepersStart}const o: O = { n: 1, xs: [] }; if (flag) { o.xs = [1]; m[word] = { ...o }; } o.xs.push(5);
return { m, list, nested };`,
  },
  "a field set in a loop, its object copied there": {
    top: keepers,
    body: `${keepersStart}const o: O = { n: 1, xs: [] }; for (const r of rows) { o.xs = [r.n]; m[word] = { ...o }; } o.xs.push(5);
return { m, list, nested };`,
  },
  "a field set in a loop in a loop, changed through the list": {
    top: keepers,
    body: `${keepersStart}list.push({ n: 1, xs: [2] }); const f = list.at(-1); if (f) { for (const r of rows) { for (const q of rows) { f.xs = [q.n]; m[word] = { n: r.n, xs: f.xs }; } list.forEach((e) => { e.xs.push(5); }); } }
return { m, list, nested };`,
  },
  "replaced and kept by a closure": {
    top: keepers,
    body: `${keepersStart}let a: number[] = []; const add = () => { a = [4]; nested.push(a); }; for (const r of rows) if (r.ok) add(); a.push(5);
return { m, list, nested };`,
  },
  "replaced by a function, copied by another": {
    top: keepers,
    body: `${keepersStart}const o: O = { n: 1, xs: [] }; const put = (p: O) => { p.xs = [1]; m[word] = { ...p }; }; for (const _ of rows) put(o); o.xs.push(5);
return { m, list, nested };`,
  },
  "replaced inside a class, copied outside": {
    top: keepers,
    body: `${keepersStart}const c = new C(); for (const r of rows) { c.reset(); m[r.id] = { n: 1, xs: c.xs }; } c.add(5);
return { m, list, nested };`,
  },
  "copied after it was joined with another": {
    top: keepers,
    body: `${keepersStart}let a = [0]; const b = [1]; if (flag) a = b; m[word] = { n: 1, xs: b }; a.push(5);
return { m, list, nested };`,
  },
  "kept in a `try` that may fail": {
    top: keepers,
    body: `${keepersStart}let o: O = { n: 1, xs: [] }; try { o = { n: 2, xs: [3] }; list.push(o); await lab.risky({ key: "k" }); } catch { o.n = 9; } o.xs.push(5);
return { m, list, nested };`,
  },
  "a new one, kept elsewhere before it stands in for what a record lacks": {
    top: keepers,
    body: `${keepersStart}const xs = [1]; list.push({ n: 1, xs }); const o: O = { n: 2, xs }; const s = m[word] ?? o; s.xs.push(3);
return { m, list, nested };`,
  },
  "a new one, kept elsewhere after it stands in for what a record lacks": {
    top: keepers,
    body: `${keepersStart}if (flag) m[word] = { n: 9, xs: [9] }; const xs = [1]; const o: O = { n: 2, xs }; const s = m[word] ?? o; list.push({ n: 1, xs }); s.xs.push(3);
return { m, list, nested };`,
  },
  "a part of what stands in for what a record lacks": {
    top: keepers,
    body: `${keepersStart}if (flag) m[word] = { n: 9, xs: [9] }; const xs = [1]; const o: O = { n: 2, xs }; const s = m[word] ?? o; s.xs.push(3); await lab.nums({ items: xs });
return { m, list, nested };`,
  },
  "a field set to another array in a loop, which is copied after it": {
    top: keepers,
    body: `${keepersStart}const xs = [1]; const o: O = { n: 2, xs: [] }; for (const r of rows) { if (r.ok) o.xs = xs; } m[word] = { n: 1, xs }; o.xs.push(3);
return { m, list, nested };`,
  },
  "a Set that stands in for what a Map lacks, and is kept elsewhere": {
    top: keepers,
    body: `${keepersStart}const all = new Map<string, Set<string>>(); const others = new Map<string, Set<string>>(); if (flag) all.set("a", new Set(["z"])); const fresh = new Set<string>(["f"]); others.set("o", fresh); const s = all.get("a") ?? fresh; s.add("x"); for (const v of others.values()) await lab.list({ items: [...v] });
return { m, list, nested };`,
  },
  "elements with a part of another, changed in a later loop": {
    top: keepers,
    body: `${keepersStart}for (const r of rows) { const o = m[r.id] ?? { n: 4, xs: [4] }; list.push({ ...o, n: 7 }); } list.forEach((e) => { e.xs.push(1); });
return { m, list, nested };`,
  },
  "elements with a part of another, changed in the next turn": {
    top: keepers,
    body: `${keepersStart}m[word] = { n: 5, xs: [1] }; for (const r of rows) { for (const e of list) e.xs.push(r.n); const o = m[word]; if (o) list.push({ n: 1, xs: o.xs }); }
return { m, list, nested };`,
  },
  "the last element with a part of another": {
    top: keepers,
    body: `${keepersStart}m[word] = { n: 5, xs: [1] }; for (const r of rows) { const f = list.at(-1); if (f) f.xs.push(r.n); const o = m[word]; if (o) list.push({ n: 1, xs: o.xs }); }
return { m, list, nested };`,
  },
};
