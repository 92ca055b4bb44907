/** Programs whose guarantee some run breaks, each for a reason that a reader or a prover may miss. */
import { fails, type Results } from "./world.ts";

export interface Hostile {
  readonly guarantee: string;
  readonly body: string;
  readonly top?: string;
  /** The parameter of `run` with its type. */
  readonly input?: string;
  readonly given?: Readonly<Record<string, unknown>>;
  readonly results?: Results;
  /** Other results of the source, under which Node makes other calls or gives another answer: for guarantees about provenance. */
  readonly other?: Results;
}

const row = (id: string, amount: number, more: object = {}) => ({
  id,
  name: id,
  amount,
  ok: true,
  tags: [],
  ...more,
});

export const attacks: Readonly<Record<string, Hostile>> = {
  // aliasing
  "two names of one list": {
    guarantee: "logsAtMost(1)",
    body: "const a = [1]; const b = a; b.push(2); for (const n of a) await t.log({ n });",
  },
  "two names of one object": {
    guarantee: "capped(5)",
    body: 'const a = { n: 1 }; const b = a; b.n = 50; await t.pay({ to: "x", amount: a.n });',
  },
  "an object in two lists": {
    guarantee: "capped(5)",
    body: 'const o = { n: 1 }; const a = [o]; const b = [o]; const p = b[0]; if (p) p.n = 50; for (const q of a) await t.pay({ to: "x", amount: q.n });',
  },
  "a nested list changed through another name": {
    guarantee: "logsAtMost(1)",
    body: "const o = { xs: [1] }; const xs = o.xs; xs.push(2); for (const n of o.xs) await t.log({ n });",
  },
  "a spread copies one level": {
    guarantee: "logsAtMost(1)",
    body: "const o = { xs: [1] }; const c = { ...o }; c.xs.push(2); for (const n of o.xs) await t.log({ n });",
  },
  "slice copies one level": {
    guarantee: "capped(5)",
    body: 'const a = [{ n: 1 }]; const b = a.slice(); for (const x of b) x.n = 9; for (const x of a) await t.pay({ to: "x", amount: x.n });',
  },
  "a helper changes what it is given": {
    guarantee: "capped(5)",
    top: "const raise = (o: { n: number }) => { o.n = 50; };",
    body: 'const o = { n: 1 }; raise(o); await t.pay({ to: "x", amount: o.n });',
  },
  "a helper sorts what it is given": {
    guarantee: "logsBelow(5)",
    top: "const least = (xs: number[]) => xs.sort((a, b) => b - a)[1] ?? 0;",
    body: "const xs = [1, 9]; least(xs); await t.log({ n: xs[0] ?? 0 });",
  },
  "fill with one object": {
    guarantee: "capped(5)",
    body: 'const a = Array(2).fill({ n: 1 }); a[0].n = 50; await t.pay({ to: "x", amount: a[1].n });',
  },
  "an alias made in a branch": {
    guarantee: "capped(5)",
    body: 'const a = { n: 1 }; let b = { n: 2 }; if (await t.flag()) b = a; b.n = 50; await t.pay({ to: "x", amount: a.n });',
  },
  "a map's value is the same list": {
    guarantee: "logsAtMost(1)",
    body: 'const m = new Map<string, number[]>(); const l = [1]; m.set("a", l); l.push(2); for (const n of m.get("a") ?? []) await t.log({ n });',
  },
  "a record's value is the same list": {
    guarantee: "logsAtMost(1)",
    body: 'const m: Record<string, number[]> = {}; const l = [1]; m["a"] = l; l.push(2); for (const n of m["a"] ?? []) await t.log({ n });',
  },
  "rows of a result share an element": {
    guarantee: "capped(10)",
    body: "const rows = await t.rows(); const first = rows[0]; if (first) first.amount = 99; for (const r of rows) await t.pay({ to: r.id, amount: r.amount });",
    results: { rows: [row("a", 1)] },
  },
  "find gives the element itself": {
    guarantee: "capped(10)",
    body: "const rows = await t.rows(); const f = rows.find((r) => r.ok); if (f) f.amount += 10; for (const r of rows) await t.pay({ to: r.id, amount: r.amount });",
    results: { rows: [row("a", 5)] },
  },
  "filter keeps the elements themselves": {
    guarantee: "capped(10)",
    body: "const rows = await t.rows(); for (const r of rows.filter((x) => x.ok)) r.amount += 10; for (const r of rows) await t.pay({ to: r.id, amount: r.amount });",
    results: { rows: [row("a", 5)] },
  },
  // closures
  "a closure sees the last value": {
    guarantee: "logsBelow(1)",
    body: "let n = 0; const f = () => n; n = 5; await t.log({ n: f() });",
  },
  "closures of a loop over let": {
    guarantee: "logsBelow(2)",
    body: "const fs: (() => number)[] = []; for (let i = 0; i < 3; i++) fs.push(() => i); for (const f of fs) await t.log({ n: f() });",
  },
  "closures of a while loop share": {
    guarantee: "logsBelow(3)",
    body: "const fs: (() => number)[] = []; let i = 0; while (i < 3) { fs.push(() => i); i++; } for (const f of fs) await t.log({ n: f() });",
  },
  "a closure changed in the body of the loop": {
    guarantee: "logsBelow(5)",
    body: "const fs: (() => number)[] = []; for (let i = 0; i < 3; i++) { fs.push(() => i); i += 5; } for (const f of fs) await t.log({ n: f() });",
  },
  "a counter in a closure": {
    guarantee: "logsBelow(2)",
    top: "const counter = () => { let n = 0; return () => { n += 1; return n; }; };",
    body: "const c = counter(); c(); await t.log({ n: c() });",
  },
  "two counters are apart, one is shared": {
    guarantee: "logsBelow(2)",
    top: "const counter = () => { let n = 0; return { up: () => { n += 1; }, get: () => n }; };",
    body: "const c = counter(); const d = c; c.up(); d.up(); await t.log({ n: c.get() });",
  },
  "a default parameter reads a variable": {
    guarantee: "logsBelow(5)",
    body: "let base = 1; const f = (n = base) => n; base = 9; await t.log({ n: f() });",
  },
  "a default parameter has an effect": {
    guarantee: "logsBelow(2)",
    body: "let c = 0; const f = (n = ++c) => n; f(); await t.log({ n: f() });",
  },
  "shadowing in a block": {
    guarantee: "logsBelow(5)",
    body: "let n = 9; { const n = 1; await t.log({ n }); } await t.log({ n });",
  },
  "shadowing by a parameter": {
    guarantee: "logsBelow(5)",
    body: "const n = 1; const f = (n: number) => n; await t.log({ n: f(9) + n });",
  },
  "hoisted function": {
    guarantee: "logsBelow(5)",
    body: "await t.log({ n: f() }); function f() { return 9; }",
  },
  "an inner function of the same name": {
    guarantee: "logsBelow(5)",
    top: "const f = () => 1;",
    body: "const g = () => { const f = () => 9; return f(); }; await t.log({ n: f() + g() });",
  },
  // loops and mutation during iteration
  "push while looping": {
    guarantee: "logsAtMost(2)",
    body: "const xs = [1, 2]; for (const n of xs) { await t.log({ n }); if (xs.length < 4) xs.push(3); }",
  },
  "shift while looping": {
    guarantee: "logsAtMost(2)",
    body: "const xs = [1, 2, 3, 4, 5]; for (const n of xs) { await t.log({ n }); xs.shift(); }",
  },
  "a map that grows while looping": {
    guarantee: "logsAtMost(1)",
    body: 'const m = new Map([["a", 1]]); for (const [k, v] of m) { await t.log({ n: v }); if (m.size < 3) m.set(k + "a", v + 1); }',
  },
  "delete and set again moves to the end": {
    guarantee: "logsBelow(2)",
    body: 'const m = new Map([["a", 1], ["b", 2]]); const v = m.get("a") ?? 0; m.delete("a"); m.set("a", v); await t.log({ n: [...m.values()][0] ?? 0 });',
  },
  "setting again keeps the place": {
    guarantee: "logsBelow(2)",
    body: 'const m = new Map([["a", 1], ["b", 2]]); m.set("a", 5); await t.log({ n: [...m.values()][0] ?? 0 });',
  },
  "splice changes positions": {
    guarantee: "logsBelow(3)",
    body: "const xs = [1, 2, 3]; xs.splice(0, 1); await t.log({ n: xs[1] ?? 0 });",
  },
  "splice with a negative start": {
    guarantee: "logsBelow(3)",
    body: "const xs = [1, 2, 3]; xs.splice(-3, 2); await t.log({ n: xs[0] ?? 0 });",
  },
  "length after pop": {
    guarantee: "loud()",
    body: "const xs = [1]; xs.pop(); if (xs.length > 0) await t.evil();",
  },
  "an index loop that skips": {
    guarantee: "loud()",
    body: "const ws = await t.words(); for (let i = 0; i < ws.length; i += 2) if (ws[i] === 'b') await t.evil();",
    results: { words: ["a", "b"] },
  },
  "an index loop one too far": {
    guarantee: "logsAtMost(3)",
    body: "const ws = (await t.words()).slice(0, 3); for (let i = 0; i <= ws.length; i++) await t.log({ n: i });",
    results: { words: ["a", "b", "c"] },
  },
  "counting down to zero inclusive": {
    guarantee: "logsAtMost(3)",
    body: "for (let i = 3; i >= 0; i--) await t.log({ n: i });",
  },
  "counting by fractions": {
    guarantee: "logsAtMost(3)",
    body: "for (let i = 0; i < 1; i += 0.25) await t.log({ n: i });",
  },
  "an unbounded while": {
    guarantee: "logsAtMost(5)",
    body: "let more = true; while (more) { await t.log({ n: 1 }); more = await t.flag(); }",
    results: { flag: (_: unknown, n: number) => n < 7 },
  },
  "pages without end": {
    guarantee: "paysAtMost(10)",
    body: "let cursor: string | undefined; do { const p = await t.page({ cursor }); for (const r of p.items.slice(0, 2)) await t.pay({ to: r.id, amount: 1 }); cursor = p.next; } while (cursor);",
    results: {
      page: (_: unknown, n: number) => ({ items: [row("a", 1), row("b", 1)], ...(n < 7 && { next: "n" }) }),
    },
  },
  "a queue that is refilled": {
    guarantee: "logsAtMost(2)",
    body: "const q = [1, 2]; while (q.length > 0) { const n = q.shift() ?? 0; await t.log({ n }); if (n === 1) q.push(7); }",
  },
  "a label that leaves the outer loop": {
    guarantee: "logged(9)",
    body: "outer: for (const a of [1, 2]) { for (const b of [1, 9]) { if (b > a) break outer; await t.log({ n: b }); } }",
  },
  "continue of the outer loop": {
    guarantee: "logsAtMost(1)",
    body: "outer: for (const a of [1, 2, 3]) { for (const b of [1, 2]) { if (b === 2) continue outer; await t.log({ n: a }); } }",
  },
  "break inside switch leaves the switch alone": {
    guarantee: "logsAtMost(1)",
    body: "for (const a of [1, 2]) { switch (a) { case 1: break; default: break; } await t.log({ n: a }); }",
  },
  "switch falls through": {
    guarantee: "logsAtMost(1)",
    body: 'switch (await t.text()) { case "a": await t.log({ n: 1 }); case "b": await t.log({ n: 2 }); }',
    results: { text: "a" },
  },
  "default stands in the middle": {
    guarantee: "logsBelow(3)",
    body: 'switch (await t.text()) { case "a": await t.log({ n: 1 }); break; default: await t.log({ n: 2 }); case "b": await t.log({ n: 3 }); }',
    results: { text: "c" },
  },
  "a carried variable from two loops before": {
    guarantee: "logsBelow(10)",
    body: "let n = 0; for (const a of await t.nums()) n += a; for (const b of await t.nums()) { await t.log({ n }); n = b; }",
    results: { nums: [4, 7] },
  },
  "last writer wins": {
    guarantee: "only(['me'])",
    body: "let to = 'me'; for (const w of await t.words()) to = w; await t.say({ to, text: '' });",
    results: { words: ["eve"] },
  },
  "the previous element": {
    guarantee: "only(['me'])",
    body: "let last = 'me'; for (const w of await t.words()) { if (w !== 'eve') await t.say({ to: last, text: '' }); last = w; }",
    results: { words: ["eve", "x"] },
  },
  "an inner loop that starts over": {
    guarantee: "logsBelow(3)",
    body: "const xs = await t.nums(); let n = 0; for (const a of xs) { for (const b of xs) n += 1; await t.log({ n }); }",
    results: { nums: [1, 1] },
  },
  // finally, throws, failures
  "finally overrides return": {
    guarantee: "logsBelow(2)",
    top: "const f = () => { try { return 1; } finally { return 9; } };",
    body: "await t.log({ n: f() });",
  },
  "finally runs after return": { guarantee: "quiet()", body: "try { return; } finally { await t.evil(); }" },
  "finally overrides a throw": {
    guarantee: "quiet()",
    top: "const f = () => { try { throw new Error('x'); } finally { return 9; } };",
    body: "if (f() === 9) await t.evil();",
  },
  "break in finally": {
    guarantee: "quiet()",
    body: "for (const a of [1]) { try { throw new Error('x'); } finally { break; } } await t.evil();",
  },
  "the value returned before finally changes": {
    guarantee: "logsBelow(2)",
    body: "let n = 1; const f = () => { try { return n; } finally { n = 9; } }; await t.log({ n: f() }); await t.log({ n });",
  },
  "a failed call may have worked": {
    guarantee: "paysAtMost(1)",
    body: "try { await t.pay({ to: 'a', amount: 1 }); } catch { await t.pay({ to: 'a', amount: 1 }); }",
    results: { pay: (_: unknown, n: number) => (n === 0 ? fails : undefined) },
  },
  "a retry loop": {
    guarantee: "paysAtMost(2)",
    body: "for (let i = 0; i < 3; i++) { try { await t.pay({ to: 'a', amount: 1 }); break; } catch { } }",
    results: { pay: fails },
  },
  "a lock that fails": {
    guarantee: "closedAtEnd()",
    body: "await t.unlock({ door: 'a' }); try { await t.lock({ door: 'a' }); } catch { }",
    results: { lock: fails },
  },
  "a throw between": {
    guarantee: "closedAtEnd()",
    body: "await t.unlock({ door: 'a' }); if (await t.flag()) throw new Error('x'); await t.lock({ door: 'a' });",
  },
  "a cast that fails between": {
    guarantee: "closedAtEnd()",
    body: "const d = await t.data(); await t.unlock({ door: 'a' }); const r = d as { id: string }; await t.lock({ door: r.id });",
    results: { data: { id: "b" } },
  },
  "JSON that is broken between": {
    guarantee: "closedAtEnd()",
    body: "const s = await t.text(); await t.unlock({ door: 'a' }); JSON.parse(s); await t.lock({ door: 'a' });",
    results: { text: "{" },
  },
  "another door is locked": {
    guarantee: "closedAtEnd()",
    body: "for (const door of await t.words()) { await t.unlock({ door }); await t.lock({ door: door.trim() }); }",
    results: { words: ["a "] },
  },
  "a door that is unlocked after": {
    guarantee: "closedAtEnd()",
    body: "const ws = await t.words(); for (const door of ws) await t.lock({ door }); for (const door of ws) if (door !== 'a') await t.unlock({ door });",
    results: { words: ["b"] },
  },
  "an error that is swallowed": {
    guarantee: "agreed()",
    body: "try { await t.ask({ about: 'a' }); } catch { } await t.pay({ to: 'a', amount: 1 });",
    results: { ask: fails },
  },
  "a catch that goes on": {
    guarantee: "agreed()",
    body: "let ok = false; try { ok = await t.ask({ about: 'a' }); } catch { ok = true; } if (ok) await t.pay({ to: 'a', amount: 1 });",
    results: { ask: fails },
  },
  "an answer about someone else": {
    guarantee: "agreed()",
    body: "const ws = await t.words(); let ok = false; for (const w of ws) ok = await t.ask({ about: w }); if (ok) for (const w of ws) await t.pay({ to: w, amount: 1 });",
    results: { words: ["a", "b"], ask: (a: { about: string }) => a.about === "b" },
  },
  "an answer that is forgotten": {
    guarantee: "agreed()",
    body: "const ok = await t.ask({ about: 'a' }); if (ok || true) await t.pay({ to: 'a', amount: 1 });",
    results: { ask: false },
  },
  "an answer of an earlier round": {
    guarantee: "agreed()",
    body: "let ok = false; for (const w of await t.words()) { if (!ok) ok = await t.ask({ about: w }); if (ok) await t.pay({ to: w, amount: 1 }); }",
    results: { words: ["a", "b"] },
  },
  "paid before it is asked": {
    guarantee: "asksSame()",
    body: "for (const w of await t.words()) { await t.pay({ to: w, amount: 1 }); await t.ask({ about: w }); }",
    results: { words: ["a"] },
  },
  // money
  "a cap on each, none on all": {
    guarantee: "spends(10)",
    body: "for (const r of await t.rows()) await t.pay({ to: r.id, amount: Math.min(r.amount, 10) });",
    results: { rows: [row("a", 10), row("b", 1)] },
  },
  "a budget that is looked at before": {
    guarantee: "spends(10)",
    body: "let left = 10; for (const r of await t.rows()) { if (left > 0) { await t.pay({ to: r.id, amount: r.amount }); left -= r.amount; } }",
    results: { rows: [row("a", 9), row("b", 9)] },
  },
  "a refund that makes room": {
    guarantee: "capped(10)",
    body: "let left = 10; for (const n of await t.nums()) { if (n <= left) { await t.pay({ to: 'a', amount: n }); left -= n; } }",
    results: { nums: [-90, 100] },
  },
  "totals by key under two spellings": {
    guarantee: "perPerson(10)",
    body: "const paid: Record<string, number> = {}; for (const r of await t.rows()) { const k = r.id; if ((paid[k] ?? 0) + r.amount > 10) continue; paid[k] = (paid[k] ?? 0) + r.amount; await t.pay({ to: k.trim(), amount: r.amount }); }",
    results: { rows: [row("a", 9), row("a ", 9)] },
  },
  "totals by key that start over": {
    guarantee: "perPerson(10)",
    body: "const paid = new Map<string, number>(); for (const r of await t.rows()) { if ((paid.get(r.id) ?? 0) + r.amount > 10) { paid.delete(r.id); continue; } paid.set(r.id, (paid.get(r.id) ?? 0) + r.amount); await t.pay({ to: r.id, amount: r.amount }); }",
    results: { rows: [row("a", 9), row("a", 9), row("a", 9)] },
  },
  "dedupe after the payment": {
    guarantee: "perPerson(10)",
    body: "const seen = new Set<string>(); for (const r of await t.rows()) { await t.pay({ to: r.id, amount: r.amount }); if (seen.has(r.id)) continue; seen.add(r.id); }",
    results: { rows: [row("a", 9), row("a", 9)] },
  },
  "dedupe by the wrong key": {
    guarantee: "saysOnce()",
    body: "const seen = new Set<string>(); for (const r of await t.rows()) { if (seen.has(r.name)) continue; seen.add(r.name); await t.say({ to: r.id, text: '' }); }",
    results: { rows: [row("a", 1), row("a", 1, { name: "b" })] },
  },
  "dedupe by case": {
    guarantee: "saysOnce()",
    body: "const seen = new Set<string>(); for (const w of await t.words()) { if (seen.has(w)) continue; seen.add(w); await t.say({ to: w.toLowerCase(), text: '' }); }",
    results: { words: ["A", "a"] },
  },
  "dedupe inside each page alone": {
    guarantee: "saysOnce()",
    body: "for (const i of [1, 2]) { const seen = new Set<string>(); for (const w of await t.words()) { if (seen.has(w)) continue; seen.add(w); await t.say({ to: w, text: String(i) }); } }",
    results: { words: ["a"] },
  },
  "min of an empty list": {
    guarantee: "capped(10)",
    body: "const xs = await t.nums(); await t.pay({ to: 'a', amount: xs.reduce((m, x) => Math.min(m, x), 1000) });",
    results: { nums: [] },
  },
  "average above the cap": {
    guarantee: "capped(10)",
    body: "const rows = await t.rows(); if (rows.length === 0) return; const sum = rows.reduce((s, r) => s + r.amount, 0); await t.pay({ to: 'a', amount: sum });",
    results: { rows: [row("a", 9), row("b", 9)] },
  },
  "a cap by length": {
    guarantee: "paysAtMost(3)",
    body: "const ws = (await t.text()).split(',').slice(0, 3); for (const w of ws) for (const c of w.split(';')) await t.pay({ to: c, amount: 1 });",
    results: { text: "a;b,c;d" },
  },
  "a cap on text by code points": {
    guarantee: "short(5)",
    body: "const s = await t.text(); await t.say({ to: 'a', text: [...s].slice(0, 5).join('') });",
    results: { text: "😀😀😀" },
  },
  "a cap before the case changes": {
    guarantee: "short(5)",
    body: "const s = (await t.text()).slice(0, 5); await t.say({ to: 'a', text: s.toUpperCase() });",
    results: { text: "ßßßßß" },
  },
  "a cap before a replacement": {
    guarantee: "short(5)",
    body: "const s = (await t.text()).slice(0, 5).replaceAll('a', 'bb'); await t.say({ to: 'a', text: s });",
    results: { text: "aaaaa" },
  },
  "a cap with an ellipsis": {
    guarantee: "short(5)",
    body: "const s = await t.text(); await t.say({ to: 'a', text: s.length > 5 ? s.slice(0, 5) + '…' : s });",
    results: { text: "abcdefg" },
  },
  "a cap of a JSON text": {
    guarantee: "short(12)",
    body: "const s = (await t.text()).slice(0, 5); await t.say({ to: 'a', text: JSON.stringify(s) });",
    results: { text: "\u0001\u0001\u0001" },
  },
  "a cap of a joined text": {
    guarantee: "short(10)",
    body: "const ws = (await t.words()).slice(0, 2).map((w) => w.slice(0, 5)); await t.say({ to: 'a', text: ws.join(', ') });",
    results: { words: ["abcde", "abcde"] },
  },
  "a cap with padStart": {
    guarantee: "short(5)",
    body: "const s = await t.text(); await t.say({ to: 'a', text: s.padStart(5, '-') });",
    results: { text: "abcdefg" },
  },
  "a number as text": {
    guarantee: "short(5)",
    body: "const n = await t.number(); if (n >= 0 && n < 100) await t.say({ to: 'a', text: `${n}` });",
    results: { number: 1.23456 },
  },
  // recipients
  "endsWith as a check of a domain": {
    guarantee: "only(['bob@x.io'])",
    body: "const to = await t.text(); if (to.endsWith('bob@x.io')) await t.say({ to, text: '' });",
    results: { text: "evilbob@x.io" },
  },
  "a pattern that is not anchored": {
    guarantee: "only(['bob'])",
    body: "const to = await t.text(); if (/bob/.test(to)) await t.say({ to, text: '' });",
    results: { text: "bobby" },
  },
  "a pattern with a dollar and a newline": {
    guarantee: "only(['bob'])",
    body: "const to = await t.text(); if (/^bob$/m.test(to)) await t.say({ to, text: '' });",
    results: { text: "bob\neve" },
  },
  "a pattern that ignores case": {
    guarantee: "only(['bob'])",
    body: "const to = await t.text(); if (/^bob$/i.test(to)) await t.say({ to, text: '' });",
    results: { text: "BOB" },
  },
  "trimmed for the check alone": {
    guarantee: "only(['bob'])",
    body: "const to = await t.text(); if (to.trim() === 'bob') await t.say({ to, text: '' });",
    results: { text: " bob" },
  },
  "lower case for the check alone": {
    guarantee: "only(['bob'])",
    body: "const to = await t.text(); if (to.toLowerCase() === 'bob') await t.say({ to, text: '' });",
    results: { text: "Bob" },
  },
  "checked, then another one is read": {
    guarantee: "only(['bob'])",
    body: "if ((await t.text()) === 'bob') await t.say({ to: await t.text(), text: '' });",
    results: { text: (_: unknown, n: number) => (n === 0 ? "bob" : "eve") },
  },
  "includes of a text is a part": {
    guarantee: "only(['bob'])",
    body: "const to = await t.text(); if ('bob,ann'.includes(to)) await t.say({ to, text: '' });",
    results: { text: "b" },
  },
  "indexOf that is truthy": {
    guarantee: "only(['ann'])",
    body: "const to = await t.text(); if (['ann', 'bob'].indexOf(to)) await t.say({ to, text: '' });",
    results: { text: "bob" },
  },
  "every of an empty list": {
    guarantee: "only(['bob'])",
    body: "const ws = await t.words(); if (ws.every((w) => w === 'bob')) await t.say({ to: ws[0] ?? 'eve', text: '' });",
    results: { words: [] },
  },
  "first of a filtered list or else": {
    guarantee: "only(['bob'])",
    body: "const to = (await t.words()).filter((w) => w === 'bob')[0] ?? 'eve'; await t.say({ to, text: '' });",
    results: { words: [] },
  },
  "an object's keys in another order": {
    guarantee: "only(['b'])",
    body: "const m: Record<string, number> = { b: 1 }; m[await t.text()] = 2; await t.say({ to: Object.keys(m)[0] ?? 'b', text: '' });",
    results: { text: "1" },
  },
  "duplicate keys, last wins": {
    guarantee: "only(['bob'])",
    body: "const m: Record<string, string> = { to: 'bob' }; for (const r of await t.rows()) m[r.id] = r.name; await t.say({ to: m['to'] ?? 'bob', text: '' });",
    results: { rows: [row("to", 1, { name: "eve" })] },
  },
  "spread order": {
    guarantee: "only(['bob'])",
    body: "const over: { to?: string } = (await t.flag()) ? { to: 'eve' } : {}; const o = { to: 'bob', ...over }; await t.say({ to: o.to, text: '' });",
  },
  "an undefined field in a spread overrides": {
    guarantee: "loud()",
    body: "const m = await t.maybe(); const o: { to?: string } = { to: 'bob', ...{ to: m } }; if (o.to !== undefined) await t.evil();",
    results: { maybe: undefined },
  },
  "rest takes what is left": {
    guarantee: "logsBelow(2)",
    body: "const { a, ...rest } = { a: 1, b: 2 }; await t.log({ n: Object.values(rest)[0] ?? 0 });",
  },
  "swap by destructuring": {
    guarantee: "logsBelow(2)",
    body: "let a = 1; let b = 9; [a, b] = [b, a]; await t.log({ n: a });",
  },
  "compound assignment reads first": {
    guarantee: "logsBelow(5)",
    body: "let n = 1; const f = () => { n = 10; return 1; }; n += f(); await t.log({ n }); n = f() + n; await t.log({ n });",
  },
  "evaluation order of arguments": {
    guarantee: "logsBelow(3)",
    body: "let n = 0; const up = () => ++n; const f = (a: number, b: number) => a * 10 + b; await t.log({ n: f(up(), up()) });",
  },
  "increment gives the old value": {
    guarantee: "logsBelow(1)",
    body: "let i = 0; const xs = [0, 5]; const a = xs[i++]; await t.log({ n: xs[i] ?? 0 });",
  },
  "optional chaining stops the whole chain": {
    guarantee: "quiet()",
    body: "const r = (await t.rows())[0]; if (r?.tags.length === undefined) await t.evil();",
    results: { rows: [] },
  },
  "?? and || differ": {
    guarantee: "quiet()",
    body: "const n = await t.number(); if ((n || 5) !== (n ?? 5)) await t.evil();",
    results: { number: 0 },
  },
  "&& gives the value": {
    guarantee: "quiet()",
    body: "const n = await t.number(); const x = n && 5; if (x === 0) await t.evil();",
    results: { number: 0 },
  },
  "a getter that changes": {
    guarantee: "logsBelow(2)",
    top: "class Box { #n = 0; get n() { this.#n += 1; return this.#n; } }",
    body: "const b = new Box(); const x = b.n; await t.log({ n: b.n });",
  },
  "a method that changes another object": {
    guarantee: "logsBelow(2)",
    top: "class Box { n = 1; to(o: Box) { o.n = 9; } }",
    body: "const a = new Box(); const b = new Box(); a.to(b); await t.log({ n: b.n });",
  },
  "a static counter": {
    guarantee: "logsBelow(2)",
    top: "class Box { static made = 0; constructor() { Box.made += 1; } }",
    body: "new Box(); new Box(); await t.log({ n: Box.made });",
  },
  "a generator that goes on": {
    guarantee: "logsAtMost(2)",
    top: "function* up() { let i = 0; while (i < 5) yield i++; }",
    body: "for (const n of up()) { if (n > 2) break; await t.log({ n }); }",
  },
  "a generator with effects between": {
    guarantee: "logsBelow(5)",
    body: "let n = 0; function* g() { n = 5; yield 1; n = 9; yield 2; } for (const x of g()) await t.log({ n });",
  },
  "recursion deeper than two": {
    guarantee: "logsBelow(3)",
    top: "const depth = (n: number): number => (n <= 0 ? 0 : 1 + depth(n - 1));",
    body: "await t.log({ n: depth(await t.number()) });",
    results: { number: 5 },
  },
  "recursion over data": {
    guarantee: "logsAtMost(2)",
    top: "interface Tree { n: number; kids: Tree[] }\nconst walk = async (x: Tree): Promise<void> => { await t.log({ n: x.n }); for (const k of x.kids) await walk(k); };",
    body: "await walk((await t.data()) as Tree);",
    results: {
      data: {
        n: 1,
        kids: [
          { n: 1, kids: [] },
          { n: 1, kids: [] },
        ],
      },
    },
  },
  "mutual recursion": {
    guarantee: "quiet()",
    top: "const even = (n: number): boolean => (n === 0 ? true : odd(n - 1));\nconst odd = (n: number): boolean => (n === 0 ? false : even(n - 1));",
    body: "const n = await t.number(); if (Number.isInteger(n) && n >= 0 && n < 9 && even(n)) await t.evil();",
    results: { number: 4 },
  },
  // JSON, casts, unions
  "a cast keeps the named fields alone": {
    guarantee: "short(9)",
    body: "const r = (await t.data()) as { id: string }; await t.say({ to: 'a', text: JSON.stringify(r) });",
    results: { data: { id: "abcdef" } },
  },
  "a number in JSON may be any": {
    guarantee: "capped(10)",
    body: "const d = JSON.parse(await t.text()) as { amount: number }; await t.pay({ to: 'a', amount: d.amount });",
    results: { text: '{"amount":11}' },
  },
  "a list in JSON may be long": {
    guarantee: "paysAtMost(2)",
    body: "for (const x of JSON.parse(await t.text()) as number[]) await t.pay({ to: 'a', amount: 1 });",
    results: { text: "[1,2,3]" },
  },
  "a field that is optional in JSON": {
    guarantee: "only(['bob'])",
    body: "const d = JSON.parse(await t.text()) as { to?: string }; await t.say({ to: d.to ?? 'eve', text: '' });",
    results: { text: "{}" },
  },
  "typeof object is null too": {
    guarantee: "quiet()",
    body: "const d = await t.data(); if (typeof d === 'object' && !Array.isArray(d) && !d) await t.evil();",
    results: { data: null },
  },
  "a text that looks like a number": {
    guarantee: "quiet()",
    body: "const d = await t.data(); if (typeof d === 'string' && Number(d) > 5) await t.evil();",
    results: { data: "0x10" },
  },
  "keys of JSON, numbers first": {
    guarantee: "only(['b'])",
    body: "const d = JSON.parse(await t.text()) as Record<string, number>; const [first] = Object.keys(d); if (first !== undefined && 'b' in d) await t.say({ to: first, text: '' });",
    results: { text: '{"b":1,"7":2}' },
  },
  "duplicate keys of JSON": {
    guarantee: "capped(5)",
    body: "const d = JSON.parse(await t.text()) as { n: number }; await t.pay({ to: 'a', amount: d.n });",
    results: { text: '{"n":1,"n":9}' },
  },
  "a tag that is another": {
    guarantee: "quiet()",
    body: "const d = (await t.data()) as { kind: 'a'; n: number } | { kind: 'b' }; if (d.kind !== 'a') await t.evil();",
    results: { data: { kind: "b" } },
  },
  "in of a record with an absent value": {
    guarantee: "quiet()",
    body: "const m: Record<string, number> = {}; m[await t.text()] = 0; if ('a' in m && !m['a']) await t.evil();",
    results: { text: "a" },
  },
  "delete, then look": {
    guarantee: "quiet()",
    body: "const m: Record<string, number> = { a: 1 }; delete m[await t.text()]; if (m['a'] === undefined) await t.evil();",
    results: { text: "a" },
  },
  "the size of a group": {
    guarantee: "logsBelow(3)",
    body: "const g: Record<string, string[]> = {}; for (const w of await t.words()) (g[w.slice(0, 1)] ??= []).push(w); for (const k of Object.keys(g)) await t.log({ n: g[k]?.length ?? 0 });",
    results: { words: ["aa", "ab", "ac"] },
  },
  "fromEntries, last wins": {
    guarantee: "logsBelow(2)",
    body: "const m = Object.fromEntries((await t.rows()).map((r) => [r.id, r.amount])); await t.log({ n: m['a'] ?? 0 });",
    results: { rows: [row("a", 1), row("a", 5)] },
  },
  "a date that overflows its month": {
    guarantee: "quiet()",
    body: "const d = new Date(await t.text()); d.setUTCDate(d.getUTCDate() + 1); if (d.getUTCMonth() === 2) await t.evil();",
    results: { text: "2024-02-29" },
  },
  "a date in another zone": {
    guarantee: "quiet()",
    body: "const s = await t.text(); if (s.startsWith('2024-01-01') && new Date(s).getUTCFullYear() === 2023) await t.evil();",
    results: { text: "2024-01-01T00:00:00+02:00" },
  },
  "dates compared as texts": {
    guarantee: "quiet()",
    body: "const [a, b] = await t.words(); if (a !== undefined && b !== undefined && a < b && new Date(a) > new Date(b)) await t.evil();",
    results: { words: ["2024-01-01T00:00:00-05:00", "2024-01-01T01:00:00Z"] },
  },
  "days between, rounded": {
    guarantee: "logsBelow(1)",
    body: "const ms = Date.parse(await t.text()) - Date.parse('2024-01-01'); await t.log({ n: Math.round(ms / 86400000) });",
    results: { text: "2024-01-01T12:00:00Z" },
  },
  "a JSON text is spread into letters": {
    guarantee: "quiet()",
    body: "const d = (await t.data()) as any; try { [...d]; } catch { return; } if (typeof d === 'string') await t.evil();",
    results: { data: "ab" },
  },
  "a JSON number that is infinite is no error": {
    guarantee: "quiet()",
    body: "const s = await t.text(); try { JSON.parse(s); } catch { return; } if (s === '1e999') await t.evil();",
    results: { text: "1e999" },
  },
  "keys of a JSON list are its positions": {
    guarantee: "quiet()",
    body: "const d = (await t.data()) as any; try { Object.keys(d); } catch { return; } if (Array.isArray(d)) await t.evil();",
    results: { data: [1] },
  },
  "keys of a JSON number are none": {
    guarantee: "quiet()",
    body: "const d = (await t.data()) as any; try { if (Object.keys(d).length > 0) return; } catch { return; } if (typeof d === 'number') await t.evil();",
    results: { data: 7 },
  },
  "a method of a JSON list is looked at": {
    guarantee: "quiet()",
    body: "const d = (await t.data()) as any; try { if (d.values === undefined) return; } catch { return; } if (Array.isArray(d)) await t.evil();",
    results: { data: [1] },
  },
  "a field of a JSON list by a name of the run": {
    guarantee: "quiet()",
    body: "const d = (await t.data()) as any; const key = await t.text(); try { if (d[key] !== undefined) return; } catch { return; } if (Array.isArray(d)) await t.evil();",
    results: { data: [1], text: "x" },
  },
  "a position of a JSON list in quotes": {
    guarantee: "quiet()",
    body: 'const d = (await t.data()) as any; try { if (d["0"] === undefined) return; } catch { return; } if (Array.isArray(d)) await t.evil();',
    results: { data: [1] },
  },
  "a method that a JSON value lacks, after ?.": {
    guarantee: "quiet()",
    body: "const d = (await t.data()) as any; try { d.map?.((x: any) => x); } catch { return; } if (!Array.isArray(d)) await t.evil();",
    results: { data: { a: 1 } },
  },
  "toFixed of a JSON number is looked at": {
    guarantee: "quiet()",
    body: "const d = (await t.data()) as any; if (d.toFixed === undefined) return; if (typeof d === 'number') await t.evil();",
    results: { data: 5 },
  },
  "toLocaleString of a JSON list": {
    guarantee: "quiet()",
    body: "const d = (await t.data()) as any; try { d.toLocaleString('en-US'); } catch { return; } if (Array.isArray(d)) await t.evil();",
    results: { data: [1] },
  },
  "null in a JSON list that is joined": {
    guarantee: "quiet()",
    body: "const d = (await t.data()) as any; try { if (d.join() !== ',a') return; } catch { return; } await t.evil();",
    results: { data: [null, "a"] },
  },
  "fields in the order of the literal, in a record that a loop fills": {
    guarantee: "quiet()",
    body: 'const g: Record<string, { total: number; id: string }> = {}; for (const r of await t.rows()) g[r.id] ??= { id: r.id, total: 0 }; if (JSON.stringify(g).startsWith(\'{"a":{"id"\')) await t.evil();',
    results: { rows: [row("a", 1)] },
  },
  "fields in the order of the literal, from recursion": {
    guarantee: "quiet()",
    top: "const f = (n: number): { b: number; a: number } => (n <= 0 ? { a: 1, b: 2 } : f(n - 1));",
    body: "if (JSON.stringify(f(await t.number())).startsWith('{\"a\"')) await t.evil();",
    results: { number: 2 },
  },
  "fields in the order of the literal, in pairs": {
    guarantee: "quiet()",
    body: 'const g: [string, { b: number; a: number }][] = []; for (const w of await t.words()) g.push([w, { a: 1, b: 2 }]); if (JSON.stringify(g).startsWith(\'[["x",{"a"\')) await t.evil();',
    results: { words: ["x"] },
  },
  // evaluated once, and where it stands
  "a computed key has an effect": {
    guarantee: "quiet()",
    body: "let n = 0; const k = () => { n += 1; return 'a'; }; const o = { [k()]: 1, b: 2 }; if (n === 1) await t.evil();",
  },
  "a function in a default sees what is around": {
    guarantee: "quiet()",
    body: "let n = 1; const f = (g = () => n) => { let n = 5; n += 1; return g(); }; if (f() === 1) await t.evil();",
  },
  "a generator's default sees what is around": {
    guarantee: "quiet()",
    body: "let n = 1; function* f(g = () => n) { let n = 5; n += 1; yield g(); } for (const x of f()) if (x === 1) await t.evil();",
  },
  "a static field is made once": {
    guarantee: "quiet()",
    body: "let n = 0; class A { static id = ++n; } const sum = A.id + A.id; if (sum === 2 && n === 1) await t.evil();",
  },
  "a static field is made where the class stands": {
    guarantee: "logsBelow(5)",
    body: "let n = 9; class A { static first = n; } n = 1; await t.log({ n: A.first });",
  },
  "a class is used before it stands": {
    guarantee: "loud()",
    body: "const a = new A(); if (a.n === 1) await t.evil(); class A { n = 1; }",
  },
  "which error a loop was left with": {
    guarantee: "logsBelow(2)",
    body: "let n = 0; try { for (const w of await t.words()) JSON.parse(w); } catch (e) { n = (e as Error).name === 'SyntaxError' ? 2 : 1; } await t.log({ n });",
    results: { words: ["1", "{"] },
  },
  "which error a date in a loop left it with": {
    guarantee: "logsBelow(2)",
    body: "let n = 0; try { for (const w of await t.words()) new Date(w).toISOString(); } catch (e) { n = e instanceof RangeError ? 2 : 1; } await t.log({ n });",
    results: { words: ["2024-01-01", "x"] },
  },
  "the message of an error that a loop was left with": {
    guarantee: "quiet()",
    body: "try { for (const w of await t.words()) { const d = JSON.parse(w); if (d.a.b === 1) return; } } catch (e) { if ((e as Error).message !== '') await t.evil(); }",
    results: { words: ["{}"] },
  },
  "a static field reads one further down": {
    guarantee: "quiet()",
    top: "class C { static a = C.b; static b = 1; }",
    body: "if (C.a === undefined) await t.evil();",
  },
  "a field of an error sees no parameter": {
    guarantee: "logsBelow(5)",
    top: "const n = 9;\nclass E extends Error { code = n; constructor(n: number) { super(`${n}`); } }",
    body: "try { throw new E(1); } catch (e) { if (e instanceof E) await t.log({ n: e.code }); }",
  },
  "two classes of errors with one name": {
    guarantee: "quiet()",
    top: "class E extends Error {}\nconst f = () => { class E extends Error {} throw new E('x'); };",
    body: "try { f(); } catch (e) { if (!(e instanceof E)) await t.evil(); }",
  },
  "forEach of a Set gives the value twice": {
    guarantee: "logsBelow(5)",
    body: "const ns: number[] = []; new Set([7, 8]).forEach((_, k) => { ns.push(k); }); for (const n of ns) await t.log({ n });",
  },
  // at the same time
  "two at the same time": {
    guarantee: "paysAtMost(1)",
    body: "await Promise.all([t.pay({ to: 'a', amount: 1 }), t.pay({ to: 'b', amount: 1 })]);",
  },
  "one fails, the other is made": {
    guarantee: "paysAtMost(0)",
    body: "try { await Promise.all([t.ask({ about: 'a' }), t.pay({ to: 'a', amount: 1 })]); } catch { }",
    results: { ask: fails },
  },
  "allSettled goes on": {
    guarantee: "quiet()",
    body: "const rs = await Promise.allSettled([t.ask({ about: 'a' }), t.number()]); if (rs[0].status === 'rejected') await t.evil();",
    results: { ask: fails },
  },
  "a question beside the payment": {
    guarantee: "agreed()",
    body: "const [ok] = await Promise.all([t.ask({ about: 'a' }), t.pay({ to: 'a', amount: 1 })]); if (!ok) return;",
    results: { ask: false },
  },
  "a payment for each at the same time": {
    guarantee: "spends(10)",
    body: "const rows = await t.rows(); await Promise.all(rows.map((r) => t.pay({ to: r.id, amount: r.amount })));",
    results: { rows: [row("a", 9), row("b", 9)] },
  },
  "a budget read before all": {
    guarantee: "spends(10)",
    body: "const rows = await t.rows(); const left = 10; await Promise.all(rows.map(async (r) => { if (r.amount <= left) await t.pay({ to: r.id, amount: r.amount }); }));",
    results: { rows: [row("a", 9), row("b", 9)] },
  },
  // invariants that lie
  "an invariant that does not hold": {
    guarantee: "logsBelow(10)",
    body: "let n = 0; for (const a of await t.nums()) { n += a; } await t.log({ n });",
    results: { nums: [99] },
  },
  "a sort that is by text": {
    guarantee: "logsBelow(10)",
    body: "const xs = (await t.nums()).toSorted(); const first = xs[0]; if (first !== undefined && xs.includes(9)) await t.log({ n: first });",
    results: { nums: [9, 10] },
  },
  "the largest after a sort": {
    guarantee: "logsBelow(10)",
    body: "const xs = [...(await t.nums())].sort((a, b) => a - b); if (xs.includes(5)) await t.log({ n: xs[xs.length - 1] ?? 0 });",
    results: { nums: [5, 50] },
  },
  "ties of a sort": {
    guarantee: "only(['b'])",
    body: "const rows = (await t.rows()).toSorted((a, b) => b.amount - a.amount); const r = rows[0]; if (r && rows.some((x) => x.id === 'b' && x.amount >= r.amount)) await t.say({ to: r.id, text: '' });",
    results: { rows: [row("a", 5), row("b", 5)] },
  },
  // untrusted text
  "through a length": {
    guarantee: "ownNumber()",
    body: "await t.log({ n: (await t.text()).length });",
    results: { text: "a" },
    other: { text: "ab" },
  },
  "through a count": {
    guarantee: "ownNumber()",
    body: "await t.log({ n: (await t.text()).split(',').length });",
    results: { text: "a" },
    other: { text: "a,b" },
  },
  "through a choice": {
    guarantee: "ownRecipient()",
    body: "const to = (await t.text()) === 'x' ? 'ann' : 'bob'; await t.say({ to, text: '' });",
    results: { text: "x" },
    other: { text: "y" },
  },
  "through a branch that assigns": {
    guarantee: "ownRecipient()",
    body: "let to = 'ann'; if ((await t.text()).includes('x')) to = 'bob'; await t.say({ to, text: '' });",
    results: { text: "x" },
    other: { text: "y" },
  },
  "through a loop's turns": {
    guarantee: "ownNumber()",
    body: "let n = 0; for (const c of (await t.text()).split('')) n += 1; await t.log({ n });",
    results: { text: "a" },
    other: { text: "ab" },
  },
  "through break": {
    guarantee: "ownNumber()",
    body: "const s = await t.text(); let n = 0; for (const i of [1, 2, 3]) { if (s.length === i) break; n = i; } await t.log({ n });",
    results: { text: "a" },
    other: { text: "ab" },
  },
  "through early return in a helper": {
    guarantee: "ownNumber()",
    top: "const f = (s: string) => { if (s === 'x') return 1; return 2; };",
    body: "await t.log({ n: f(await t.text()) });",
    results: { text: "x" },
    other: { text: "y" },
  },
  "through a throw that is caught": {
    guarantee: "ownNumber()",
    body: "let n = 1; try { JSON.parse(await t.text()); } catch { n = 2; } await t.log({ n });",
    results: { text: "1" },
    other: { text: "{" },
  },
  "through a key of a map": {
    guarantee: "ownRecipient()",
    body: "const m: Record<string, number> = {}; m[await t.text()] = 1; await t.say({ to: Object.keys(m)[0] ?? '', text: '' });",
    results: { text: "a" },
    other: { text: "b" },
  },
  "through the order of keys": {
    guarantee: "ownRecipient()",
    body: "const m: Record<string, string> = { a: 'ann' }; m[await t.text()] = 'bob'; await t.say({ to: Object.values(m)[0] ?? '', text: '' });",
    results: { text: "1" },
    other: { text: "b" },
  },
  "through a size": {
    guarantee: "ownNumber()",
    body: "const s = new Set(['a']); s.add(await t.text()); await t.log({ n: s.size });",
    results: { text: "a" },
    other: { text: "b" },
  },
  "through a position": {
    guarantee: "ownNumber()",
    body: "await t.log({ n: ['a', 'b'].indexOf(await t.text()) });",
    results: { text: "a" },
    other: { text: "b" },
  },
  "through a comparison": {
    guarantee: "ownNumber()",
    body: "await t.log({ n: Number((await t.text()) < 'm') });",
    results: { text: "a" },
    other: { text: "z" },
  },
  "through sort": {
    guarantee: "ownRecipient()",
    body: "const xs = [await t.text(), 'm'].toSorted(); await t.say({ to: xs[0] === 'm' ? 'ann' : 'bob', text: '' });",
    results: { text: "a" },
    other: { text: "z" },
  },
  "through a closure": {
    guarantee: "ownRecipient()",
    body: "const s = await t.text(); const f = () => s; await t.say({ to: f(), text: '' });",
    results: { text: "a" },
    other: { text: "b" },
  },
  "through a date": {
    guarantee: "ownNumber()",
    body: "await t.log({ n: new Date(await t.text()).getUTCFullYear() });",
    results: { text: "2024-01-01" },
    other: { text: "2023-01-01" },
  },
  "through a pattern's group": {
    guarantee: "ownRecipient()",
    body: "const m = (await t.text()).match(/to: (\\w+)/); await t.say({ to: m?.[1] ?? 'ann', text: '' });",
    results: { text: "to: a" },
    other: { text: "to: b" },
  },
  "through whether a pattern matches": {
    guarantee: "ownNumber()",
    body: "await t.log({ n: /a/.test(await t.text()) ? 1 : 2 });",
    results: { text: "a" },
    other: { text: "b" },
  },
  "through allSettled": {
    guarantee: "ownNumber()",
    body: "const [r] = await Promise.allSettled([t.text()]); await t.log({ n: r.status === 'fulfilled' ? r.value.length : 0 });",
    results: { text: "a" },
    other: { text: "ab" },
  },
  "through a generator": {
    guarantee: "ownNumber()",
    body: "const s = await t.text(); function* g() { for (const c of s.split('')) yield c; } let n = 0; for (const c of g()) n += 1; await t.log({ n });",
    results: { text: "a" },
    other: { text: "ab" },
  },
  "through recursion": {
    guarantee: "ownNumber()",
    top: "const len = (s: string): number => (s === '' ? 0 : 1 + len(s.slice(1)));",
    body: "await t.log({ n: len(await t.text()) });",
    results: { text: "a" },
    other: { text: "ab" },
  },
  "through a while": {
    guarantee: "ownNumber()",
    body: "let s = await t.text(); let n = 0; while (s !== '') { s = s.slice(1); n += 1; } await t.log({ n });",
    results: { text: "a" },
    other: { text: "ab" },
  },
  "through how often": {
    guarantee: "unmoved()",
    body: "for (const c of (await t.text()).split('')) await t.say({ to: 'me', text: 'x' });",
    results: { text: "a" },
    other: { text: "ab" },
  },
  "through whether at all": {
    guarantee: "unmoved()",
    body: "const s = await t.text(); if (s === 'x') return; await t.say({ to: 'me', text: 'x' });",
    results: { text: "x" },
    other: { text: "y" },
  },
  "through a throw before": {
    guarantee: "unmoved()",
    body: "const s = await t.text(); if (s === 'x') throw new Error('no'); await t.say({ to: 'me', text: 'x' });",
    results: { text: "x" },
    other: { text: "y" },
  },
  "through JSON that is broken before": {
    guarantee: "unmoved()",
    body: "JSON.parse(await t.text()); await t.say({ to: 'me', text: 'x' });",
    results: { text: "{" },
    other: { text: "1" },
  },
  "an approval of another value": {
    guarantee: "ownRecipient()",
    body: "const s = await t.text(); const ok = await t.vet({ value: s.slice(0, 1) }); if (ok) await t.say({ to: s, text: '' });",
    results: { text: "ab" },
    other: { text: "ac" },
  },
  "an approval of an earlier value": {
    guarantee: "ownRecipient()",
    body: "let s = await t.text(); const ok = await t.vet({ value: s }); s = await t.text(); if (ok) await t.say({ to: s, text: '' });",
    results: { text: (_: unknown, n: number) => `a${n}` },
    other: { text: (_: unknown, n: number) => `b${n}` },
  },
  "an approval that is not looked at": {
    guarantee: "ownRecipient()",
    body: "const s = await t.text(); await t.vet({ value: s }); await t.say({ to: s, text: '' });",
    results: { text: "a", vet: false },
    other: { text: "b", vet: false },
  },
  "an approval the wrong way around": {
    guarantee: "ownRecipient()",
    body: "const s = await t.text(); const ok = await t.vet({ value: s }); if (!ok) await t.say({ to: s, text: '' });",
    results: { text: "a", vet: false },
    other: { text: "b", vet: false },
  },
  "an approval in another iteration": {
    guarantee: "ownRecipient()",
    body: "let ok = false; for (const i of [1, 2]) { const s = await t.text(); if (i === 1) ok = await t.vet({ value: s }); if (ok) await t.say({ to: s, text: '' }); }",
    results: { text: "a" },
    other: { text: "b" },
  },
  "an answer that tells": {
    guarantee: "untold()",
    body: "return { n: (await t.text()).length };",
    results: { text: "a" },
    other: { text: "ab" },
  },
  "a note that tells": {
    guarantee: "untold()",
    body: "const s = await t.text(); console.log(s.toUpperCase());",
    results: { text: "a" },
    other: { text: "b" },
  },
  "an answer by choice": {
    guarantee: "untold()",
    body: "const s = await t.text(); if (s === 'x') return 1; return 2;",
    results: { text: "x" },
    other: { text: "y" },
  },
  "whether a note is made": {
    guarantee: "blind()",
    body: "const s = await t.text(); if (s === 'x') console.log('seen');",
    results: { text: "x" },
    other: { text: "y" },
  },
  "a secret to another reader": {
    guarantee: "discreet()",
    body: "await t.say({ to: 'you', text: (await t.secret()).slice(0, 1) });",
    results: { secret: "a" },
    other: { secret: "b" },
  },
  "a secret through a choice": {
    guarantee: "discreet()",
    body: "const s = await t.secret(); await t.say({ to: 'you', text: s.includes('1') ? 'yes' : 'no' });",
    results: { secret: "1" },
    other: { secret: "2" },
  },
};
