/** Constructs of ordinary programs, each with what it is easily got wrong by. */
import type { LabProgram } from "./lab.ts";

export const ordinary: Readonly<Record<string, LabProgram>> = {
  "the smallest, from Infinity": {
    body: `let best = { id: "", n: Infinity };
for (const r of await lab.rows()) if (r.n < best.n) best = { id: r.id, n: r.n };
return [best.id, best.n === Infinity, Number.isFinite(best.n), best.n > 3, 3 >= best.n, best.n ? "t" : "f", \`\${best.n}\`];`,
  },
  "the greatest, from -Infinity": {
    body: `let most = -Infinity;
for (const r of await lab.rows()) most = Math.max(most, r.n);
const least = (await lab.rows()).reduce((m, r) => Math.min(m, r.n), Number.POSITIVE_INFINITY);
return { most, least, both: most < least, never: most === least, isNaN: Number.isNaN(most), t: typeof most, s: String(most) };`,
  },
  "Infinity among values": {
    body: `const rows = await lab.rows();
const limits: Record<string, number> = { a: 1, b: Infinity };
const limit = limits[rows[0]?.id ?? "a"] ?? Infinity;
const m = new Map<string, number>();
for (const r of rows) m.set(r.id, Math.min(m.get(r.id) ?? Infinity, r.n, limit));
return [rows.filter((r) => r.n <= limit).length, Object.fromEntries(m), JSON.stringify({ limit }), -limit < 0, limit > 0 || limit < 0];`,
  },
  "NaN and Infinity compared": {
    body: `const n = Number(await lab.word());
const lo = (await lab.test({ key: "a" })) ? n : -Infinity;
return [lo < 1, lo <= 1, lo > 1, lo >= 1, Math.max(lo, 0), Math.min(Infinity, lo), lo === lo, lo || 7, lo ?? 8];`,
  },
  "Math.min over a list and Infinity": {
    body: `const ns = (await lab.rows()).map((r) => r.n);
return [Math.min(Infinity, ...ns), Math.max(-Infinity, ...ns), Math.max(0, ...ns), Math.min(...ns, Number.MAX_SAFE_INTEGER)];`,
  },
  "constants of Number and Math": {
    body: `const r = await lab.read({ key: "k" });
return [Math.round((r + Number.EPSILON) * 100) / 100, r < Number.MAX_SAFE_INTEGER, r > Number.MIN_SAFE_INTEGER, Math.round(Math.PI * 100), r < Number.POSITIVE_INFINITY, r > Number.NEGATIVE_INFINITY];`,
  },
  "fields that are named by numbers": {
    top: `const SLO: Record<1 | 2 | 3, number> = { 1: 0.5, 2: 0.25, 3: 0 };
const names = { 0: "none", 1: "one", 10: "ten" } as const;
const say: Record<number, (x: string) => string> = { 0: (x) => "no " + x, 1: (x) => "one " + x };`,
    body: `const n = (await lab.rows()).length;
const k = n > 1 ? 1 : 0;
return [names[n], SLO[2], names[k], say[k]("dog"), names[10]];`,
  },
  "tuples with methods": {
    body: `const pairs = (await lab.rows()).map((r): [string, string] => [r.id, r.ok ? "y" : "n"]);
const wide = (await lab.rows()).map((r) => [r.id, r.n] as const);
return [pairs.map((p) => p.join("/")), pairs.map((p) => p.map((x) => x + x)), wide.map((p) => p.length), pairs.filter((p) => p.includes("y")).length, wide.map((p) => p.slice(1))];`,
  },
  "the first pair": {
    body: `const m = new Map<string, number>();
for (const r of await lab.rows()) m.set(r.id, (m.get(r.id) ?? 0) + r.n);
const sorted = [...m].sort((a, b) => a[1] - b[1]);
if (sorted.length === 0) return "none";
const [id, n] = sorted[0];
const [, last] = sorted[sorted.length - 1];
return { id, n, last };`,
  },
  "kinds that meet": {
    body: `const rows = await lab.rows();
const days = rows[0] ? rows[0].n : "never";
const table = [["id", ...rows.map((r) => r.id)], ["n", ...rows.map((r) => Number(r.n))]];
const late = days === "never" || days > 2;
const mixed = rows.map((r) => ({ [r.id]: r.note ?? "-", n: r.n }));
return { days, late, table, text: String(days), mixed };`,
  },
  "an object as one with computed keys": {
    body: `const rows = await lab.rows();
const [first] = rows;
if (!first) return null;
const { id, ...rest } = { id: first.id, n: first.n, ok: first.ok };
const all: Record<string, string | number | boolean> = { ...rest, extra: "x" };
await lab.keep({ value: all });
return Object.fromEntries(rows.map((r) => [r.n, r.id]));`,
  },
  "pairs of a key and a value that may be null": {
    body: `const cells = (await lab.word()).split(" ");
const header = ["a", "b", "c"];
const row = Object.fromEntries(header.map((h, i) => [h, cells[i] ?? null]));
return [row, Object.keys(row)];`,
  },
  "an object that is put into a Map and changed": {
    body: `const stats = new Map<string, { n: number; ids: string[] }>();
for (const r of await lab.rows()) {
  let entry = stats.get(r.id);
  if (!entry) { entry = { n: 0, ids: [] }; stats.set(r.id, entry); }
  entry.n += r.n;
  entry.ids.push(r.id);
}
return [...stats.values()];`,
  },
  "an object that is put into a record and changed": {
    body: `const stats: Record<string, { n: number; k: number }> = {};
for (const r of await lab.rows()) {
  let s = stats[r.id];
  if (s === undefined) { s = { n: 0, k: 0 }; stats[r.id] = s; }
  s.n += r.n;
  s.k++;
}
return stats;`,
  },
  "a list that is put into a Map and changed": {
    body: `const m = new Map<string, number[]>();
for (const r of await lab.rows()) {
  let xs = m.get(r.id);
  if (!xs) { xs = []; m.set(r.id, xs); }
  xs.push(r.n);
}
return Object.fromEntries(m);`,
  },
  buckets: {
    body: `const by: number[][] = Array.from({ length: 4 }, () => []);
const sums = Array.from({ length: 3 }, () => ({ n: 0, k: 0 }));
for (const r of await lab.rows()) {
  by[r.tags.length].push(r.n);
  const s = sums[r.ok ? 1 : 0];
  s.n += r.n;
  s.k++;
}
return [by, sums, by.map((xs) => xs.length)];`,
  },
  "a grid": {
    body: `const rows = await lab.rows();
const grid = Array.from({ length: rows.length + 1 }, () => new Array(3).fill(0));
for (const [i, r] of rows.entries()) grid[i][r.tags.length % 3] += 1;
return grid.map((line) => line.join(" ")).join("|");`,
  },
  "a run that says what it returns": {
    top: `type Found = { ok: boolean; ids: string[] };`,
    body: `const make = async (): Promise<Found> => ({ ok: true, ids: (await lab.rows()).map((r) => r.id) });
return make();`,
  },
  "sorted words, one of which may be missing in types": {
    body: `const rows = await lab.rows();
if (rows.length < 2) return "few";
const key = [rows[0]?.id, rows[rows.length - 1]?.id].sort().join("|");
return key;`,
  },
  "a key that may be missing in types": {
    body: `const m = new Map<string | undefined, number>();
for (const r of await lab.rows()) { const w = r.id.split("b")[0]; m.set(w, (m.get(w) ?? 0) + 1); }
return [...m.keys()];`,
  },
  "a Set for each key": {
    body: `const m = new Map<string, Set<string>>();
for (const r of await lab.rows()) {
  if (!m.has(r.id)) m.set(r.id, new Set());
  m.get(r.id)!.add(r.ok ? "y" : "n");
}
const sizes = [...m.entries()].sort((a, b) => b[1].size - a[1].size || a[0].localeCompare(b[0])).map(([k, s]) => k + s.size + [...s].join(""));
return [sizes, m.get("a")?.has("y") ?? null, m.get("b")?.size ?? 0, [...m.values()].map((s) => Array.from(s).sort())];`,
  },
  "a Set for each key of a record": {
    body: `const by: Record<string, Set<number>> = {};
for (const r of await lab.rows()) { by[r.id] ??= new Set<number>(); by[r.id].add(r.n); }
return Object.entries(by).filter(([, s]) => s.size > 0).map(([k, s]) => ({ k, ns: [...s] }));`,
  },
  "a Set that is made where none is": {
    body: `const m = new Map<string, Set<number>>();
for (const r of await lab.rows()) { const s = m.get(r.id) ?? new Set<number>(); s.add(r.n); m.set(r.id, s); }
for (const r of await lab.rows()) { let s = m.get(r.id); if (!s) { s = new Set(); m.set(r.id, s); } s.add(r.n * 2); }
let all = 0;
for (const [, s] of m) for (const n of s) all += n;
return [all, [...m].map(([k, s]) => k + [...s].join("+"))];`,
  },
  "a Map in a Map": {
    body: `const m = new Map<string, Map<string, number>>();
for (const r of await lab.rows()) {
  const inner = m.get(r.id) ?? new Map<string, number>();
  inner.set(r.ok ? "y" : "n", (inner.get(r.ok ? "y" : "n") ?? 0) + r.n);
  m.set(r.id, inner);
}
for (const r of await lab.rows()) {
  if (!m.has(r.id)) m.set(r.id, new Map());
  m.get(r.id)!.set("z", r.n);
}
return [...m].map(([k, inner]) => [k, inner.size, inner.get("y") ?? null, Object.fromEntries(inner)]);`,
  },
  "a Map in a record, with lists": {
    body: `const m: Record<string, Map<string, number[]>> = {};
for (const r of await lab.rows()) {
  const inner = (m[r.id] ??= new Map<string, number[]>());
  inner.set("k", [...(inner.get("k") ?? []), r.n]);
}
return Object.keys(m).map((k) => [k, ...(m[k]?.get("k") ?? [])]);`,
  },
  "reasons of what was rejected": {
    body: `const rows = await lab.rows();
const results = await Promise.allSettled(rows.map((r) => lab.risky({ key: r.id })));
const failed = results.flatMap((r, i) => (r.status === "rejected" ? [{ id: rows[i].id, error: String(r.reason) }] : []));
const lines = results.map((r) => (r.status === "rejected" ? \`no: \${r.reason instanceof Error ? r.reason.message : r.reason}\` : \`yes \${r.value}\`));
const sum = results.filter((r) => r.status === "fulfilled").map((r) => r.value).reduce((a, b) => a + b, 0);
return { failed, lines, sum };`,
  },
  "reasons that the program throws": {
    body: `const rows = await lab.rows();
const results = await Promise.allSettled(rows.map(async (r) => {
  if (r.n > 4) throw new RangeError("too much: " + r.n);
  const n = await lab.risky({ key: r.id });
  if (n > 6) throw new Error("high");
  return n;
}));
return results.map((r) => (r.status === "fulfilled" ? r.value : r.reason.name + "/" + (r.reason?.message ?? r.reason)));`,
  },
  "reasons of two calls": {
    body: `const [a, b] = await Promise.allSettled([lab.risky({ key: "a" }), lab.read({ key: "b" })]);
return [a.status === "rejected" ? a.reason.message : a.value, b.status === "fulfilled" ? b.value : "never"];`,
  },
  "all matches by exec": {
    top: `const WORD = /([a-z])([a-z.@]*)/g;`,
    body: `const text = "x " + (await lab.word()) + " end";
const re = /(\\w)(\\w*)/g;
const found: string[] = [];
let m: RegExpExecArray | null;
while ((m = re.exec(text)) !== null) { if (m[2] === "") continue; found.push(m[1].toUpperCase() + m[2] + m.index); }
let n: RegExpExecArray | null = null;
let last = "";
while ((n = WORD.exec(text))) last = n[0];
return [found, last, m, n];`,
  },
  "numbers as Intl writes them": {
    body: `const n = await lab.read({ key: "n" });
const usd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const eur = Intl.NumberFormat("en-US", { style: "currency", currency: "EUR", maximumFractionDigits: 0 });
const yen = new Intl.NumberFormat("en-US", { style: "currency", currency: "JPY" });
const plain = new Intl.NumberFormat("en-US");
return [usd.format(n * 1234.5), eur.format(n * 1000), yen.format(n * 5000), plain.format(n * 123456), (n * 1000).toLocaleString("en-US", { style: "currency", currency: "GBP" })];`,
  },
  "classes of errors": {
    top: `class DoseError extends Error {
  dose: number;
  constructor(dose: number, max: number) { super(\`dose \${dose} exceeds \${max}\`); this.name = "DoseError"; this.dose = dose; }
}
class NotFound extends Error {}
class Coded extends Error { code = 7; at: string; constructor(at: string) { super("coded"); this.at = at; } }
function check(n: number): number {
  if (n < 0) throw new RangeError("negative");
  if (n === 0) throw new NotFound("none");
  if (n === 1) throw new Coded("one");
  if (n > 4) throw new DoseError(n, 4);
  return n;
}`,
    body: `try { return check(await lab.read({ key: "a" })); }
catch (err) {
  if (err instanceof DoseError) return ["dose", err.dose, err.message, err.name, String(err)];
  if (err instanceof NotFound) return ["none", err.message, err.name, err instanceof RangeError];
  if (err instanceof Coded) return ["coded", err.code, err.at, err.name];
  return [err instanceof RangeError, err instanceof Error ? err.message : String(err)];
}`,
  },
  "a class of errors beside a failed call": {
    top: `class TooMuch extends Error { n: number; constructor(n: number) { super("too much"); this.n = n; } }`,
    body: `const out: string[] = [];
for (const key of ["a", "b"]) {
  try { const n = await lab.risky({ key }); if (n > 5) throw new TooMuch(n); out.push("ok"); }
  catch (e) { out.push(e instanceof TooMuch ? "much " + e.n : "failed " + (e as Error).message); }
}
return out;`,
  },
  "lists as texts": {
    body: `const rows = await lab.rows();
const pair: [string, number] = ["p", rows.length];
return [\`ids: \${rows.map((r) => r.id)}\`, String(rows.map((r) => [r.id, r.n])), "" + pair, [1, Number("x"), null, undefined].join("-"), rows.map((r) => Number(r.id)).join()];`,
  },
  "objects made from elements, changed by position": {
    body: `const rows = await lab.rows();
const grid = new Array(4).fill(0).map((_, hour) => ({ hour, out: 0 }));
const state = rows.map((r) => ({ id: r.id, left: r.n }));
for (const [i, r] of rows.entries()) { grid[r.tags.length].out++; state[i].left -= 1; }
return [grid, state];`,
  },
  "a key that is set where it is missing": {
    body: `const per: Record<string, number[]> = {};
for (const r of await lab.rows()) { const xs = per[r.id] ?? (per[r.id] = Array(4).fill(0)); xs[r.tags.length]++; }
return per;`,
  },
  "a choice as a statement": {
    body: `const m = new Map<string, lab.Row[]>();
for (const r of await lab.rows()) { const list = m.get(r.id); list ? list.push(r) : m.set(r.id, [r]); }
return [...m].map(([k, rs]) => k + rs.length);`,
  },
  "some keys of a few": {
    body: `const groups: Partial<Record<lab.Level | "a" | "b" | "c" | "d", number[]>> = {};
for (const r of await lab.rows()) { const k = r.id as "a" | "b" | "c" | "d"; groups[k] = [...(groups[k] ?? []), r.n]; }
return Object.entries(groups).map(([k, ns]) => k + (ns ?? []).length);`,
  },
  "a part that inner loops change": {
    body: `const t: Record<string, { n: number; parts: string[]; seen: Set<string> }> = {};
for (const r of await lab.rows()) {
  t[r.id] ??= { n: 0, parts: [], seen: new Set() };
  const d = t[r.id];
  for (const w of r.tags) { d.parts.push(w); d.n++; if (d.n > 5) break; }
  r.tags.forEach((w) => { if (w !== "x") d.seen.add(w); });
  let i = 0;
  while (i < 3) { d.n += i; i += 1 + d.seen.size; }
  d.n *= 2;
}
return Object.entries(t).map(([k, d]) => [k, d.n, d.parts, [...d.seen]]);`,
  },
  "an element is changed where it is": {
    body: `const out: { from: number; to: number; ids: string[] }[] = [];
for (const r of (await lab.rows()).sort((a, b) => a.n - b.n)) {
  const last = out.at(-1);
  if (last && r.n <= last.to + 1) { last.to = Math.max(last.to, r.n); last.ids.push(r.id); }
  else out.push({ from: r.n, to: r.n, ids: [r.id] });
}
for (const o of out) o.to++;
out.forEach((o) => { o.from -= 1; });
const wide = out.find((o) => o.to - o.from > 2);
if (wide) { wide.ids.push("wide"); wide.ids.sort(); }
return out;`,
  },
  "one of several objects is changed": {
    body: `const totals: Record<"low" | "mid" | "high", { n: number; ids: string[] }> = { low: { n: 0, ids: [] }, mid: { n: 0, ids: [] }, high: { n: 0, ids: [] } };
const lists: { a: number[]; b: number[] } = { a: [], b: [] };
const [x, y] = [{ n: 1 }, { n: 2 }];
for (const r of await lab.rows()) {
  const t = totals[r.n > 3 ? "high" : r.n > 0 ? "mid" : "low"];
  t.n += r.n;
  t.ids.push(r.id);
  const z = r.ok ? x : y;
  z.n += 1;
  (r.ok ? lists.a : lists.b).push(r.n);
}
return [totals, lists, x, y];`,
  },
  "fields by a text": {
    top: `const NAMES = { a: "Alpha", b: "Beta" };
const POINTS = { a: 1, b: 2, c: 3 };`,
    body: `const tally = { a: [] as number[], b: [] as number[] };
const out: string[] = [];
for (const r of await lab.rows()) {
  out.push((NAMES as Record<string, string>)[r.id] ?? r.id, String((POINTS as Record<string, number>)[r.id] ?? 0));
  if (r.id === "a" || r.id === "b") tally[r.id].push(r.n);
}
return [out, tally];`,
  },
  "a field of a part by one of a few words": {
    body: `const m = new Map<string, { yes: number; no: number }>();
for (const r of await lab.rows()) {
  const e = m.get(r.id) ?? { yes: 0, no: 0 };
  e[r.ok ? "yes" : "no"]++;
  m.set(r.id, e);
}
return [...m];`,
  },
  "arrays of a computed length": {
    body: `const rows = await lab.rows();
const counts = new Array(rows.length).fill(0);
const grid: number[][] = Array.from({ length: rows.length }, () => Array(rows.length).fill(0));
rows.forEach((r, i) => { counts[i] += r.n; for (let j = 0; j < rows.length; j++) if (i !== j) grid[i][j] += r.n; });
return [counts, grid, [...Array(rows.length).keys()]];`,
  },
  "words from helpers, kept": {
    top: `type L = "light" | "heavy";
const f = (n: number): L => (n < 3 ? "light" : "heavy");`,
    body: `const m = new Map<string, { l: L }>();
const list: { k: L; n: number }[] = [];
const rec: Record<string, L> = {};
const groups: Record<string, L[]> = {};
for (const r of await lab.rows()) {
  const n = Number(r.id === "a" ? "x" : r.n);
  m.set(r.id, { l: f(n) });
  list.push({ k: f(n), n: 1 });
  rec[r.id] = f(r.n);
  (groups[r.id] ??= []).push(f(n));
}
return [[...m], list, rec, groups];`,
  },
  "looking at a list does not hold it": {
    body: `const m: Record<string, { ids: string[]; rows: { n: number }[] }> = {};
for (const r of await lab.rows()) {
  const d = (m[r.id] ??= { ids: [], rows: [] });
  if (!d.ids.includes(r.id) && d.ids.indexOf("q") < 0) d.ids.push(r.id);
  if (!d.rows.some((x) => x.n === r.n)) d.rows.push({ n: r.n });
  await lab.put({ n: d.rows.reduce((a, b) => a + b.n, 0) });
}
for (const k of Object.keys(m)) m[k].ids.sort();
return m;`,
  },
  "fields that a text may name": {
    top: `const NAMES = { a: "Alpha", b: "Beta" };`,
    body: `const graph = new Map<string, Map<string, number>>();
const out: string[] = [];
for (const r of await lab.rows()) {
  if (!graph.has(r.id)) graph.set(r.id, new Map());
  const edges = graph.get(r.id)!;
  for (const t of r.tags) edges.set(t, (edges.get(t) ?? 0) + 1);
  out.push(r.id in NAMES ? "in" : "out", Object.hasOwn(NAMES, r.id) ? "own" : "not");
  for (const k of ["a", "zz", r.tags[0] ?? "b"]) out.push(String(k in NAMES), String(Object.hasOwn(NAMES, k)));
}
return [out, [...graph].map(([k, m]) => [k, [...m]])];`,
  },
};
