/** Idioms that agents write often, each with what it is easily got wrong by. */
import type { LabProgram } from "./lab.ts";

export const idioms: Readonly<Record<string, LabProgram>> = {
  "an object by a union of words that begins empty": {
    body: `const by = {} as Record<"a" | "b" | "c", { n: number; ids: string[] }>;
for (const r of await lab.rows()) {
  const k = r.n > 3 ? "b" : r.ok ? "c" : "a";
  const one = (by[k] ??= { n: 0, ids: [] });
  one.n += r.n;
  one.ids.push(r.id);
}
return [by, Object.keys(by), Object.entries(by).map(([k, v]) => k + v.n), "b" in by, by.a?.n ?? "none"];`,
  },
  "a generic helper with an object by a type parameter": {
    top: `function groupBy<T, K extends string>(items: T[], key: (item: T) => K): Record<K, T[]> {
  return items.reduce((acc, item) => { const k = key(item); (acc[k] ||= []).push(item); return acc; }, {} as Record<K, T[]>);
}`,
    body: `const rows = await lab.rows();
const groups = groupBy(rows, (r) => (r.ok ? "yes" : "no"));
const ids = groupBy(rows, (r) => r.id);
return [Object.entries(groups).map(([k, list]) => k + list.length), Object.keys(ids), Object.values(ids).map((l) => l.length)];`,
  },
  "set to itself or to something new": {
    body: `const table: Record<string, { count: number; total: number; seen: Record<string, number>; ids: string[] }> = {};
for (const r of await lab.rows()) {
  table[r.id] = table[r.id] || { count: 0, total: 0, seen: {}, ids: [] };
  table[r.id].count++;
  table[r.id].total += r.n;
  table[r.id].ids.push(r.id);
  const word = r.ok ? "y" : "n";
  table[r.id].seen[word] = (table[r.id].seen[word] ?? 0) + 1;
}
return Object.keys(table).sort().map((k) => ({ k, ...table[k], mean: Math.round(table[k].total / table[k].count) }));`,
  },
  "set to itself or to a number": {
    body: `const n: Record<string, number> = { a: 0 };
const m: Record<string, number> = { a: 0 };
for (const r of await lab.rows()) {
  n[r.id] = n[r.id] || r.n;
  m[r.id] = m[r.id] ?? r.n;
  m.a = m.a || 7;
}
return [n, m];`,
  },
  "a copy that is changed": {
    body: `const rows = await lab.rows();
const mine = structuredClone(rows);
for (const r of mine) if (r.ok) r.n = r.n * 2 + 1;
for (const r of mine) r.tags.push("x");
return [rows, mine, mine.reduce((s, r) => s + r.n, 0) - rows.reduce((s, r) => s + r.n, 0)];`,
  },
  "words of a list that are ranked": {
    top: `function rank(r: { n: number; ok: boolean }): "low" | "mid" | "high" {
  if (r.n > 4) return "high";
  return r.ok ? "mid" : "low";
}`,
    body: `const order = { high: 0, mid: 1, low: 2 };
const ranked = (await lab.rows()).map((r) => ({ id: r.id, rank: rank(r), also: { rank: rank({ n: r.n + 2, ok: !r.ok }) } })).sort((a, b) => order[a.rank] - order[b.rank]);
const words = (await lab.rows()).flatMap((r) => [rank(r), rank({ n: r.n + 2, ok: r.ok })]).sort((a, b) => order[a] - order[b]);
return [ranked, words, ranked.map((r) => order[r.also.rank])];`,
  },
  "lists of calls that are flattened": {
    body: `const rows = await lab.rows();
const all = await Promise.all(rows.flatMap((r) => r.tags.map((t) => lab.read({ key: t }))));
const one = await Promise.all(rows.flatMap(async (r) => (await lab.read({ key: r.id })) + 1));
return [all, one, rows.flatMap((r) => r.tags.map((t) => t + r.id))];`,
  },
  "a number that may be spoiled, or null": {
    body: `const counts: Record<string, number | null> = {};
for (const key of ["a", "b"]) {
  try {
    if ((await lab.read({ key })) > 3) throw new Error("big");
    const x = Number(await lab.word());
    counts[key] = Number.isNaN(x) ? 0 : x;
  } catch {
    counts[key] = null;
  }
}
return counts;`,
  },
  "elements that change places": {
    body: `const ns = (await lab.rows()).map((r) => r.n);
for (let i = 0; i < ns.length - 1; i++) if (ns[i] > ns[i + 1]) [ns[i], ns[i + 1]] = [ns[i + 1], ns[i]];
const ids = (await lab.rows()).map((r) => r.id);
for (let i = ids.length - 1; i > 0; i--) {
  const j = (i * 7) % (i + 1);
  const kept = ids[i];
  ids[i] = ids[j];
  ids[j] = kept;
}
return [ns, ids];`,
  },
};

/** Programs with a text where a number is needed: JavaScript computes with NaN, so each is refused. */
export const otherKinds: readonly string[] = [
  'const n = await lab.read({ key: "a" }); const x = n > 3 ? n : "many"; await lab.put({ n: 7 - (x as any) });',
  'const v: any = JSON.parse("{}"); let n = 1; n -= (Number("x") || typeof v.a) as any; await lab.put({ n: 1 });',
  'const n = await lab.read({ key: "a" }); const x: any = n > 3 ? n : true; if (x > 2) await lab.put({ n: 1 });',
  'const n = await lab.read({ key: "a" }); const x: any = n > 3 ? "b" : [n]; if (x < "c") await lab.put({ n: 1 });',
];
