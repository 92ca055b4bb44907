/** Programs with time, chance, pauses, methods of promises, and numbers from JSON. */
import type { LabProgram, Time } from "./lab.ts";

export interface AmbientProgram extends LabProgram {
  /** Programs with calls at the same time have a clock that stands still. */
  readonly time?: Time;
}

const passing = (body: string, more: Partial<AmbientProgram> = {}): AmbientProgram => ({
  time: "passes",
  body,
  ...more,
});

const jsons = [
  '"12"',
  '" 5 "',
  "12.5",
  "true",
  "null",
  "[]",
  "[7]",
  '["8"]',
  "[1,2]",
  '{"a":1}',
  '"abc"',
  '"0x1f"',
  '""',
  "[null]",
  "[[3]]",
  "-0",
  '"12px"',
];

export const ambient: Readonly<Record<string, AmbientProgram>> = {
  now: passing("await lab.put({ n: Date.now() });"),
  "time that has passed": passing(
    "const a = Date.now(); await lab.word(); const b = Date.now(); await lab.put({ n: b - a });",
  ),
  "the start of today": passing(
    "const d = new Date(); d.setUTCHours(0, 0, 0, 0); await lab.say({ text: d.toISOString() });",
  ),
  "a week ago": passing(
    "const t = new Date(Date.now() - 7 * 86_400_000); await lab.say({ text: t.toISOString().slice(0, 10) }); return new Date();",
  ),
  "local parts of now": passing(
    "const d = new Date(); await lab.nums({ items: [d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate(), d.getUTCDay()] });",
  ),
  "now in a filter": passing(
    "const rows = await lab.rows(); const old = rows.filter((r) => r.n * 10 + Date.now() > Date.now()); await lab.put({ n: old.length });",
  ),
  "now in a filter that calls": passing(
    "const rows = await lab.rows(); const kept: number[] = []; rows.forEach((r) => { if (r.n + Date.now() > 0) kept.push(r.n); }); await lab.nums({ items: kept });",
  ),
  "now in a loop": passing(
    "for (const r of await lab.rows()) { if (r.ok) await lab.put({ n: Date.now() }); }",
  ),
  "now on one path": passing(
    'let t = 0; if (await lab.test({ key: "a" })) { t = Date.now(); } const u = Date.now(); await lab.flag({ on: u >= t });',
  ),
  "until a deadline": passing(
    "const end = Date.now() + 100; let k = 0; while (Date.now() < end && k < 5) { await lab.word(); k++; } await lab.put({ n: k });",
  ),
  "until a deadline, without a bound": passing(
    "const end = Date.now() + 500; let k = 0; while (Date.now() < end) { await lab.word(); k++; } await lab.put({ n: k });",
  ),
  "now inside a try": passing(
    'try { const t = Date.now(); await lab.risky({ key: "a" }); await lab.put({ n: Date.now() - t }); } catch { await lab.put({ n: Date.now() }); }',
  ),
  "now beside calls": {
    body: "const rows = await lab.rows(); await Promise.all(rows.map(async (r) => { const t = Date.now(); await lab.put({ n: t }); await lab.put({ n: Date.now() - t }); }));",
  },
  "now while a call is under way": {
    body: "const p = lab.word(); const t = Date.now(); await p; await lab.put({ n: Date.now() - t });",
  },
  chance: passing(
    'await lab.count({ i: Math.floor(Math.random() * 10) }); const xs = ["a", "b", "c"]; await lab.say({ text: xs[Math.floor(Math.random() * xs.length)] ?? "" }); await lab.put({ n: Math.random() });',
  ),
  "chance for each": passing(
    "const rows = await lab.rows(); const p = rows.map(() => Math.random()); await lab.nums({ items: p });",
  ),
  "a pause": passing("await new Promise((resolve) => setTimeout(resolve, 1000)); await lab.word();"),
  "pauses that grow": passing(
    "for (let i = 0; i < 3; i++) { await sleep(100 * 2 ** i); await lab.word(); }",
    {
      top: "const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));",
    },
  ),
  "a pause beside a call": {
    top: "function sleep(ms: number): Promise<void> { return new Promise((r) => { setTimeout(() => r(), ms); }); }",
    body: "await sleep(5); await lab.word(); await Promise.all([sleep(10), lab.word()]);",
  },
  "tries with pauses": passing(
    'const n = await retry(() => lab.risky({ key: "a" })); await lab.put({ n: n ?? -1 });',
    {
      top: "async function retry<T>(f: () => Promise<T>): Promise<T | undefined> { for (let i = 0; i < 3; i++) { try { return await f(); } catch (e) { await new Promise((r) => setTimeout(r, 500)); } } return undefined; }",
    },
  ),
  "asking until it is done": passing(
    'while (true) { const d = await lab.test({ key: "x" }); if (d) break; await new Promise((r) => setTimeout(r, 250)); } return new Date().getUTCFullYear();',
  ),
  "catch with a value": passing(
    'const n = await lab.risky({ key: "a" }).catch(() => -1); await lab.put({ n });',
  ),
  "catch with a call": passing(
    'const n = await lab.risky({ key: "a" }).catch(async (e) => await lab.read({ key: e.message })); await lab.put({ n });',
  ),
  "catch with nothing": passing(
    'const n = await lab.risky({ key: "a" }).catch(() => null); await lab.put({ n: n ?? 7 });',
  ),
  "catch for each": {
    body: "const rows = await lab.rows(); const ns = await Promise.all(rows.map((r) => lab.risky({ key: r.id }).catch(() => r.n))); await lab.nums({ items: ns });",
  },
  "then after then": passing(
    "const t = await lab.word().then((w) => w.trim()).then((w) => w.length); await lab.put({ n: t });",
  ),
  "then and catch": passing(
    'await lab.risky({ key: "q" }).then((n) => lab.put({ n })).catch((e) => lab.say({ text: e.message }));',
  ),
  finally: passing(
    'try { await lab.risky({ key: "q" }).finally(() => lab.say({ text: "end" })); } catch { await lab.say({ text: "caught" }); }',
  ),
  "then of all": {
    body: "await Promise.all([lab.word(), lab.word()]).then((ws) => lab.list({ items: ws }));",
  },
  "numbers from JSON": {
    input: "{ text: string }",
    inputs: jsons.map((text) => ({ text })),
    body: "const x: unknown = JSON.parse(input.text); const n = Number(x); await lab.say({ text: String(n) }); await lab.flag({ on: Number.isNaN(n) });",
  },
  "integers and fractions from JSON": {
    input: "{ text: string }",
    inputs: jsons.map((text) => ({ text })),
    body: "const x = JSON.parse(input.text); await lab.say({ text: `${parseInt(x, 10)} ${parseFloat(x)} ${+x}` });",
  },
  "dates from JSON": {
    input: "{ text: string }",
    inputs: ['"2024-05-05"', "1700000000000", "null", "true", "1e20", '"2024-05-05T10:00:00Z"'].map(
      (text) => ({ text }),
    ),
    body: "const x = JSON.parse(input.text); const d = new Date(x); await lab.say({ text: String(d.getTime()) });",
  },
  "square roots": {
    input: "{ x: number }",
    inputs: [0, 1, 2, 4, 10, 0.1, -1, 1e-7, 123456789].map((x) => ({ x })),
    body: "const r = Math.sqrt(input.x); await lab.say({ text: String(r) }); await lab.say({ text: (Math.sqrt(Math.abs(input.x)) * 1.5).toFixed(3) });",
  },
  "digits that are chosen": {
    input: "{ x: number; b: boolean }",
    inputs: [0, 1.25, 2.5, -4.125, 10].flatMap((x) => [
      { x, b: true },
      { x, b: false },
    ]),
    body: "const d = input.b ? 1 : input.x > 5 ? 2 : 3; await lab.say({ text: input.x.toFixed(d) + input.x.toFixed(input.b ? 0 : 2) });",
  },
};
