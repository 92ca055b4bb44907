/** Ordinary programs with one mistake each: a run that breaks the guarantee exists, and is to be found. */

export const toolModule = `import { contract, tool } from "foreclaim";
export interface Row { id: string; email: string; amount: number; status: "open" | "paid" | "void"; createdAt: string; note?: string; tags: string[] }
export const rows = tool({ reads: true, ensures: (found) => found.length <= 100, run: async (args: { query: string; limit?: number }): Promise<Row[]> => [] });
export const few = tool({ reads: true, ensures: (found) => found.length <= 20, run: async (args: { id: string }): Promise<Row[]> => [] });
export const page = tool({ reads: true, run: async (args: { cursor?: string }): Promise<{ items: Row[]; next: string | null }> => ({ items: [], next: null }) });
export const one = tool({ reads: true, ensures: (row, { id }) => row === null || row.id === id, run: async (args: { id: string }): Promise<Row | null> => null });
export const text = tool({ reads: true, run: async (args: { path: string }): Promise<string> => "" });
export const send = tool({ run: async (args: { to: string; subject: string; body: string }): Promise<void> => {} });
export const pay = tool({ run: async (args: { id: string; amount: number }): Promise<{ ok: boolean }> => ({ ok: true }) });
export const drop = tool({ run: async (args: { id: string }): Promise<void> => {} });
export const atMost = contract((n: number) => send.count() <= n);
export const onlyTo = contract((to: string) => send.all((s) => s.to === to));
export const toDomain = contract((domain: string) => send.all((s) => s.to.endsWith(domain)));
export const onceEach = contract(() => send.distinct((s) => s.to));
export const bodyMax = contract((n: number) => send.all((s) => s.body.length <= n));
export const noLinks = contract(() => send.none((s) => s.body.includes("http")));
export const payMax = contract((n: number) => pay.all((p) => p.amount <= n));
export const payTotal = contract((n: number) => pay.sum((p) => p.amount) <= n);
export const payOnce = contract(() => pay.distinct((p) => p.id));
export const payAtMost = contract((n: number) => pay.count() <= n);
export const dropMax = contract((n: number) => drop.count() <= n);
export const dropOnly = contract((prefix: string) => drop.all((d) => d.id.startsWith(prefix)));
export const noPay = contract(() => pay.none());
export const sentPer = contract((n: number) => send.perKey((s) => s.to).count() <= n);
`;

/** Name, guarantee, body of \`run\`, and the inputs if there are any. */
export type Broken = readonly [name: string, guarantee: string, body: string, inputs?: string];

const notify = (to: string, body = '""') => `await t.send({ to: ${to}, subject: "", body: ${body} });`;
const all = `const rows = await t.rows({ query: "all" });`;

export const brokenPrograms: readonly Broken[] = [
  // Counts and lengths.
  [
    "index loop with <=",
    "t.atMost(10)",
    `${all} for (let i = 0; i <= 10; i++) { const r = rows[i]; if (r) ${notify("r.email")} }`,
  ],
  ["first ten off by one", "t.atMost(10)", `${all} for (const r of rows.slice(0, 11)) ${notify("r.email")}`],
  [
    "entries() off by one",
    "t.atMost(10)",
    `${all} for (const [i, r] of rows.entries()) { if (i > 10) break; ${notify("r.email")} }`,
  ],
  ["up to 100 rows, promised 10", "t.atMost(10)", `${all} for (const r of rows) ${notify("r.email")}`],
  ["100 rows, promised 99", "t.atMost(99)", `${all} for (const r of rows) ${notify("r.email")}`],
  [
    "only open ones, promised 10",
    "t.atMost(10)",
    `${all} for (const r of rows) { if (r.status !== "open") continue; ${notify("r.email")} }`,
  ],
  [
    "filter, promised 30",
    "t.atMost(30)",
    `${all} for (const r of rows.filter((r) => r.amount > 100 && r.tags.includes("vip"))) ${notify("r.email")}`,
  ],
  [
    "nested 20 against 19",
    "t.payAtMost(19)",
    `for (const r of await t.few({ id: "a" })) { await t.pay({ id: r.id, amount: 1 }); }`,
  ],
  [
    "inner query larger",
    "t.dropMax(50)",
    `for (const r of await t.few({ id: "a" })) { const inner = await t.few({ id: r.id }); for (const x of inner) await t.drop({ id: x.id }); }`,
  ],
  [
    "two loops together",
    "t.atMost(5)",
    `${all} for (const r of rows.slice(0, 3)) ${notify("r.email")} for (const r of rows.slice(0, 3)) ${notify("r.email")}`,
  ],
  [
    "countdown goes to zero",
    "t.dropMax(5)",
    `${all} for (let i = 5; i >= 0; i--) { const r = rows[i]; if (r) await t.drop({ id: r.id }); }`,
  ],
  [
    "step of two",
    "t.dropMax(4)",
    `${all} for (let i = 0; i < 10; i += 2) { const r = rows[i]; if (r) await t.drop({ id: r.id }); }`,
  ],
  [
    "counter after a continue",
    "t.atMost(3)",
    `${all} let n = 0; for (const r of rows) { if (n >= 3) break; ${notify("r.email")} if (r.status === "paid") continue; n++; }`,
  ],
  [
    "counts successes only",
    "t.payAtMost(3)",
    `${all} let n = 0; for (const r of rows) { if (n === 3) break; try { await t.pay({ id: r.id, amount: 1 }); n++; } catch {} }`,
  ],
  [
    "retries one too many",
    "t.payAtMost(3)",
    `for (let i = 0; i <= 3; i++) { try { await t.pay({ id: "a", amount: 1 }); return; } catch {} }`,
  ],
  [
    "pages without a limit",
    "t.dropMax(20)",
    `let cursor: string | undefined; while (true) { const p = await t.page({ cursor }); for (const r of p.items) await t.drop({ id: r.id }); if (p.next === null) break; cursor = p.next; }`,
  ],
  [
    "pages, limit is checked too late",
    "t.dropMax(10)",
    `let cursor: string | undefined; let n = 0; while (n < 10) { const p = await t.page({ cursor }); for (const r of p.items) { await t.drop({ id: r.id }); n++; } if (p.next === null) break; cursor = p.next; }`,
  ],
  [
    "do-while of pages",
    "t.payAtMost(4)",
    `let cursor: string | undefined; let pages = 0; do { const p = await t.page({ cursor }); await t.pay({ id: "page", amount: p.items.length }); cursor = p.next ?? undefined; pages++; } while (cursor !== undefined && pages <= 4);`,
  ],
  [
    "batches round up",
    "t.atMost(9)",
    `${all} for (let i = 0; i < rows.length; i += 10) ${notify('"a"', "String(i)")}`,
  ],
  [
    "a map counts by recipient",
    "t.atMost(20)",
    `${all} const sent = new Map<string, number>(); for (const r of rows) { const n = sent.get(r.email) ?? 0; if (n > 1) continue; sent.set(r.email, n + 1); ${notify("r.email")} }`,
  ],
  // Recipients.
  [
    "last row's address",
    't.onlyTo("me@corp.com")',
    `${all} let to = "me@corp.com"; for (const r of rows) if (r.note) to = r.email; ${notify("to")}`,
  ],
  [
    "default lost",
    't.onlyTo("me@corp.com")',
    `${all} const owner = rows.find((r) => r.tags.includes("owner"))?.email; ${notify('owner ?? "me@corp.com"')}`,
  ],
  [
    "endsWith without the at sign",
    't.toDomain("@corp.com")',
    `${all} for (const r of rows) if (r.email.endsWith("corp.com")) ${notify("r.email")}`,
  ],
  [
    "pattern not anchored",
    't.toDomain("@corp.com")',
    `${all} for (const r of rows) if (/@corp\\.com/.test(r.email)) ${notify("r.email")}`,
  ],
  [
    "dot not escaped",
    't.toDomain("@corp.com")',
    `${all} for (const r of rows) if (/@corp.com$/.test(r.email)) ${notify("r.email")}`,
  ],
  [
    "includes",
    't.toDomain("@corp.com")',
    `${all} for (const r of rows) if (r.email.includes("@corp.com")) ${notify("r.email")}`,
  ],
  [
    "address in a text",
    't.onlyTo("me@corp.com")',
    `const text = await t.text({ path: "a" }); const cc = text.match(/cc: (\\S+@\\S+)/)?.[1]; ${notify('"me@corp.com"')} if (cc) ${notify("cc")}`,
  ],
  [
    "address in JSON",
    't.onlyTo("me@corp.com")',
    `const data = JSON.parse(await t.text({ path: "a" })) as { owner?: string }; ${notify('data.owner ?? "me@corp.com"')}`,
  ],
  [
    "address in a list in JSON",
    't.onlyTo("me@corp.com")',
    `const data = JSON.parse(await t.text({ path: "a" })) as { watchers: { email: string; active: boolean }[] }; for (const w of data.watchers) if (w.active) ${notify("w.email")}`,
  ],
  ["input without a check", 't.onlyTo("me@corp.com")', `${notify("to.trim()")}`, "to: string"],
  [
    "nobody twice, by case",
    "t.onceEach()",
    `${all} const seen = new Set<string>(); for (const r of rows) { if (seen.has(r.email)) continue; seen.add(r.email); ${notify("r.email.toLowerCase()")} }`,
  ],
  [
    "nobody twice, not recorded",
    "t.onceEach()",
    `${all} const seen = new Set<string>(); for (const r of rows) { if (seen.has(r.email)) continue; if (r.status === "paid") seen.add(r.email); ${notify("r.email")} }`,
  ],
  [
    "nobody twice, by id",
    "t.onceEach()",
    `${all} const seen = new Set<string>(); for (const r of rows) { if (seen.has(r.id)) continue; seen.add(r.id); ${notify("r.email")} }`,
  ],
  [
    "a join sends twice",
    "t.onceEach()",
    `${all} const more = await t.few({ id: "x" }); for (const r of rows) for (const m of more) if (m.id === r.id) ${notify("r.email")}`,
  ],
  [
    "once per query",
    "t.onceEach()",
    `${all} const more = await t.few({ id: "x" }); for (const r of rows.slice(0, 5)) ${notify("r.email")} for (const m of more.slice(0, 5)) ${notify("m.email")}`,
  ],
  // Texts.
  [
    "body built in a loop",
    "t.bodyMax(200)",
    `${all} let body = ""; for (const r of rows) body += r.id + "\\n"; ${notify('"a"', "body")}`,
  ],
  [
    "prefix after the cut",
    "t.bodyMax(500)",
    `const text = await t.text({ path: "a" }); ${notify('"a"', "`Note: ${text.slice(0, 500)}`")}`,
  ],
  [
    "cut, then capitals",
    "t.bodyMax(10)",
    `const text = await t.text({ path: "a" }); ${notify('"a"', "text.slice(0, 10).toUpperCase()")}`,
  ],
  [
    "ellipsis",
    "t.bodyMax(100)",
    `const text = (await t.text({ path: "a" })).trim(); ${notify('"a"', 'text.length > 100 ? text.slice(0, 100) + "…" : text')}`,
  ],
  [
    "join of ten",
    "t.bodyMax(100)",
    `${all} ${notify('"a"', 'rows.slice(0, 10).map((r) => r.id).join(", ")')}`,
  ],
  [
    "only the first link is removed",
    "t.noLinks()",
    `const text = await t.text({ path: "a" }); ${notify('"a"', 'text.replace("http", "")')}`,
  ],
  [
    "links removed by pattern, once",
    "t.noLinks()",
    `const text = await t.text({ path: "a" }); ${notify('"a"', 'text.replace(/http/, "")')}`,
  ],
  [
    "links in the second line",
    "t.noLinks()",
    `const text = await t.text({ path: "a" }); const [first = "", second = ""] = text.split("\\n"); if (!first.includes("http")) ${notify('"a"', "second")}`,
  ],
  [
    "line by line",
    "t.noLinks()",
    `const text = await t.text({ path: "a" }); for (const line of text.split("\\n")) { if (line.startsWith("http")) continue; ${notify('"a"', "line")} }`,
  ],
  [
    "a column of a table",
    "t.payMax(100)",
    `const text = await t.text({ path: "a" }); for (const line of text.split("\\n")) { const amount = Number(line.split(",")[1]); if (amount > 0) await t.pay({ id: "a", amount }); }`,
  ],
  [
    "prefix of a path",
    't.dropOnly("/tmp/")',
    `const path = (await t.text({ path: "a" })).trim(); if (path.startsWith("/tmp")) await t.drop({ id: path });`,
  ],
  // Amounts.
  [
    "guard with the wrong field",
    "t.payMax(100)",
    `${all} for (const r of rows) if (r.status === "open" && r.tags.length <= 100) await t.pay({ id: r.id, amount: r.amount });`,
  ],
  [
    "off by one in the guard",
    "t.payMax(100)",
    `${all} for (const r of rows) if (r.amount <= 101) await t.pay({ id: r.id, amount: r.amount });`,
  ],
  [
    "rounding up",
    "t.payMax(100)",
    `${all} for (const r of rows) if (r.amount < 100.5) await t.pay({ id: r.id, amount: Math.ceil(r.amount) });`,
  ],
  [
    "fee on top",
    "t.payMax(100)",
    `${all} for (const r of rows) if (r.amount > 0 && r.amount <= 100) await t.pay({ id: r.id, amount: r.amount * 1.02 });`,
  ],
  [
    "total checked before adding",
    "t.payTotal(1000)",
    `${all} let total = 0; for (const r of rows) { if (r.amount <= 0) continue; if (total >= 1000) break; total += r.amount; await t.pay({ id: r.id, amount: r.amount }); }`,
  ],
  [
    "total by currency of one",
    "t.payTotal(500)",
    `${all} const by: Record<string, number> = {}; for (const r of rows) { const key = r.status; const so = by[key] ?? 0; if (r.amount <= 0 || so + r.amount > 500) continue; by[key] = so + r.amount; await t.pay({ id: r.id, amount: r.amount }); }`,
  ],
  [
    "reset in the loop",
    "t.payTotal(300)",
    `${all} for (const r of rows) { let total = 0; if (r.amount <= 0 || total + r.amount > 300) continue; total += r.amount; await t.pay({ id: r.id, amount: r.amount }); }`,
  ],
  [
    "paid twice",
    "t.payOnce()",
    `${all} for (const r of rows) { if (r.status === "open") await t.pay({ id: r.id, amount: 1 }); if (r.tags.includes("late")) await t.pay({ id: r.id, amount: 1 }); }`,
  ],
  [
    "all pairs",
    "t.payOnce()",
    `${all} for (let i = 0; i < rows.length; i++) for (let j = i + 1; j < rows.length; j++) { const a = rows[i]; const b = rows[j]; if (a && b && a.email === b.email) await t.pay({ id: b.id, amount: 1 }); }`,
  ],
  [
    "number in a text",
    "t.payMax(50)",
    `const text = await t.text({ path: "a" }); const n = parseInt(text, 10); if (n > 0) await t.pay({ id: "a", amount: n });`,
  ],
  [
    "amount in a pattern",
    "t.payMax(50)",
    `const text = await t.text({ path: "a" }); const m = /Total: (\\d+)/.exec(text); if (m) await t.pay({ id: "a", amount: Number(m[1]) });`,
  ],
  [
    "largest of a list",
    "t.payMax(50)",
    `${all} const most = Math.max(0, ...rows.map((r) => r.amount)); await t.pay({ id: "a", amount: most });`,
  ],
  [
    "sum of a list",
    "t.payMax(1000)",
    `${all} await t.pay({ id: "a", amount: rows.reduce((s, r) => s + r.amount, 0) });`,
  ],
  [
    "sorted the wrong way",
    "t.payMax(10)",
    `${all} const least = [...rows].sort((a, b) => b.amount - a.amount)[0]; if (rows.some((r) => r.amount <= 10) && least) await t.pay({ id: least.id, amount: least.amount });`,
  ],
  // Dates, JSON, options.
  [
    "a date in the past",
    "t.noPay()",
    `${all} for (const r of rows) { const due = Date.parse(r.createdAt); if (due > Date.parse("2026-03-01") && due < Date.parse("2026-03-31")) await t.pay({ id: r.id, amount: 1 }); }`,
  ],
  [
    "older than thirty days",
    "t.dropMax(0)",
    `${all} const now = Date.parse("2026-06-01T00:00:00Z"); for (const r of rows) { const age = (now - new Date(r.createdAt).getTime()) / 86_400_000; if (age > 30 && r.status === "void") await t.drop({ id: r.id }); }`,
  ],
  [
    "the row that is not there",
    "t.noPay()",
    `const r = await t.one({ id: "a-1" }); if (r === null || r.status === "paid") return; await t.pay({ id: r.id, amount: r.amount });`,
  ],
  [
    "an absent note",
    "t.noPay()",
    `${all} for (const r of rows) if (r.note === undefined && r.tags.length === 2) await t.pay({ id: r.id, amount: 1 });`,
  ],
  [
    "joined by id and state",
    "t.noPay()",
    `${all} const more = await t.few({ id: "x" }); for (const r of rows) { const m = more.find((x) => x.id === r.id && x.status === "paid"); if (m && r.status === "open") await t.pay({ id: m.id, amount: 1 }); }`,
  ],
  [
    "JSON with a kind",
    "t.noPay()",
    `const data: unknown = JSON.parse(await t.text({ path: "a" })); if (Array.isArray(data)) for (const x of data) if (typeof x === "number" && x > 40) await t.pay({ id: "a", amount: 1 });`,
  ],
];
