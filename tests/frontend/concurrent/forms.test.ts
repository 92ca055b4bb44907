/**
 * Calls that JavaScript makes at the same time, form by form: each makes the same calls in the same order under Node, in a
 * reading of its document and in the interpreter, however long each call takes; the rest is refused.
 */
import { describe, expect, it } from "vitest";
import { compileProgram } from "../../../src/frontend/index.ts";
import { commandsIn, isParallel, printDocument } from "../../../src/ir/index.ts";
import { compileLab, sourceOf } from "../lab.ts";
import { withoutTracking } from "./both.ts";
import { compare, newTally } from "./compare.ts";

const say = (text: string) => `lab.say({ text: ${text} })`;
const read = (key: string) => `lab.read({ key: ${key} })`;
const risky = (key: string) => `lab.risky({ key: ${key} })`;
const put = (n: string) => `lab.put({ n: ${n} })`;
const act = `const act = async (k: string) => { const n = await ${read("k")}; if (n > 2) await ${put("n")}; return n; };`;
const settle = `const settle = async (n: number) => { if (n > 2) throw new Error("own"); await ${put("n")}; };`;

const parallel: Readonly<Record<string, string>> = {
  "two sends": `await Promise.all([${say('"a"')}, ${say('"b"')}]);`,
  "two tools": `await Promise.all([${say('"a"')}, ${put("1")}]);`,
  "calls that may fail, outside every try": `await Promise.all([${risky('"a"')}, ${risky('"b"')}]); await ${put("1")};`,
  "a known list": `const ns = await Promise.all(["a", "b"].map((key) => lab.read({ key }))); await lab.nums({ items: ns });`,
  "a list of the run": `const ns = await Promise.all((await lab.rows()).map((r) => ${read("r.id")})); await lab.nums({ items: ns });`,
  "a list of the run, filtered": `await Promise.all((await lab.rows()).filter((r) => r.ok).map(async ({ id }) => ${say("id")}));`,
  "a value made of what a call gave": `const rs = await Promise.all((await lab.rows()).map(async (r) => ({ id: r.id, n: await ${read("r.id")} }))); for (const r of rs) await ${put("r.n")};`,
  "one call on each path": `const ns = await Promise.all((await lab.rows()).map(async (r) => { if (r.ok) return await ${read("r.id")}; return ${read('"z"')}; })); await lab.nums({ items: ns });`,
  "a call on one path only": `await Promise.all((await lab.rows()).map(async (r) => { if (r.ok) await ${say("r.id")}; }));`,
  "each with a try of its own": `const oks = await Promise.all(["a", "b"].map(async (k) => { try { return (await ${risky("k")}) > 3; } catch { return false; } })); for (const on of oks) await lab.flag({ on });`,
  "each with a try of its own, inside a try": `try { const ns = await Promise.all(["a", "b"].map(async (k) => { try { return await ${risky("k")}; } catch { return -1; } })); await lab.nums({ items: ns }); await ${risky('"z"')}; } catch { await ${put("0")}; }`,
  "one call at a time, with a variable that changes before each": `let n = 0; await Promise.all(["a", "b"].map((k) => { n += 1; return ${say("k + n")}; })); await ${put("n")};`,
  "promises that are awaited one by one": `const p = ${read('"a"')}; const q = ${risky('"b"')}; const x = await p; const y = await q; await ${put("x + y")};`,
  "a promise that is awaited later": `const p = ${read('"a"')}; const n = await ${read('"b"')}; await ${put("n - (await p)")};`,
  "what comes after the first, beside the others": `const p = ${read('"a"')}; const q = ${read('"b"')}; const r = ${read('"c"')}; await ${put("await p")}; await ${put("await q")}; await ${put("await r")};`,
  "promises in a list": `const ps = ["a", "b"].map((k) => ${read("k")}); await lab.nums({ items: await Promise.all(ps) });`,
  "promises of a list of the run": `const ps = (await lab.rows()).map((r) => ${read("r.id")}); await lab.nums({ items: await Promise.all(ps) });`,
  "promises that were pushed": `const ps: Promise<number>[] = []; for (const k of ["a", "b"]) ps.push(${read("k")}); await lab.nums({ items: await Promise.all(ps) });`,
  "one inside another": `await Promise.all([Promise.all([${say('"a"')}, ${say('"b"')}]), ${say('"c"')}]);`,
  "a choice between calls": `const on = await lab.test({ key: "t" }); await Promise.all([on ? ${say('"a"')} : ${put("1")}, ${say('"c"')}]);`,
  "a call or nothing": `const on = await lab.test({ key: "t" }); const [n] = await Promise.all([on ? ${read('"a"')} : undefined, ${say('"c"')}]); await ${put("n ?? 7")};`,
  "a value beside a call": `const [x, y, z] = await Promise.all([${read('"a"')}, 3, ${read('"b"')}]); await ${put("x + y + z")};`,
  "in a loop over a list of the run": `for (const r of await lab.rows()) await Promise.all(r.tags.map((t) => ${say("t")}));`,
  "two in each iteration": `for (const r of await lab.rows()) { const [n, on] = await Promise.all([${read("r.id")}, lab.test({ key: r.id })]); if (on) await ${put("n")}; }`,
  "helpers that look, wait and act": `${act} const ns = await Promise.all([act("a"), act("b")]); await lab.nums({ items: ns });`,
  "a helper that looks, waits and acts beside a call": `${act} await Promise.all([${put("1")}, act("b")]);`,
  "helpers for each of a list of the run": `${act} await lab.nums({ items: await Promise.all((await lab.rows()).map((r) => act(r.id))) });`,
  "several calls for each of a list of the run": `await Promise.all((await lab.rows()).map(async (r) => { await ${say("r.id")}; await ${say('"x"')}; }));`,
  "branches in each of a list of the run": `const ns = await Promise.all((await lab.rows()).map(async (r) => { const [x, y] = await Promise.all([${read("r.id")}, ${read('"z"')}]); return x + y; })); await lab.nums({ items: ns });`,
  "a loop in an element": `const rows = await lab.rows(); const all = async () => { for (const r of rows) await ${say("r.id")}; }; await Promise.all([all(), ${put("1")}]);`,
  "an early return in an element": `const f = async (k: string) => { const n = await ${read("k")}; if (n < 2) return 0; await ${put("n")}; return n; }; await lab.nums({ items: await Promise.all([f("a"), f("b")]) });`,
  "helpers that throw": `${settle} const n = await ${read('"n"')}; await Promise.all([settle(n), settle(1), ${say('"x"')}]); await ${say('"after"')};`,
  "a helper that throws, for each of a list of the run": `${settle} const rows = await lab.rows(); await Promise.all(rows.map((r) => settle(r.n))); await ${say('"after"')};`,
  "inside a try": `try { await Promise.all([${risky('"a"')}, ${risky('"b"')}, ${put("1")}]); await ${say('"ok"')}; } catch { await ${put("2")}; } await ${say('"after"')};`,
  "inside a try with finally": `try { await Promise.all([${risky('"a"')}, ${put("1")}]); } finally { await ${put("2")}; }`,
  "a list of the run inside a try": `const rows = await lab.rows(); try { await lab.nums({ items: await Promise.all(rows.map((r) => ${risky("r.id")})) }); } catch { await ${put("1")}; }`,
  "a helper that is called inside a try": `const both = async () => { await Promise.all([${risky('"a"')}, ${put("1")}]); }; try { await both(); } catch { await ${put("2")}; }`,
  "one that may fail beside one with several calls that cannot": `const safe = async () => { try { await ${risky('"a"')}; await ${put("1")}; } catch { return; } }; try { await Promise.all([safe(), safe()]); await ${risky('"z"')}; } catch { await ${put("2")}; }`,
  "kept promises inside a try, awaited together": `try { const p = ${risky('"a"')}; const q = ${risky('"b"')}; await lab.nums({ items: await Promise.all([p, q]) }); } catch { await ${put("2")}; }`,
  allSettled: `const [a, b] = await Promise.allSettled([${risky('"a"')}, ${put("1")}]); if (a.status === "fulfilled") await ${put("a.value")}; else await ${say('"no"')}; await ${say("b.status")};`,
  "allSettled of a list of the run": `const rs = await Promise.allSettled((await lab.rows()).map((r) => ${risky("r.id")})); await lab.nums({ items: rs.filter((r) => r.status === "fulfilled").map((r) => r.value) }); await ${put('rs.filter((r) => r.status === "rejected").length')};`,
  "allSettled with a type guard": `const rs = await Promise.allSettled(["a", "b"].map((k) => ${risky("k")})); await lab.nums({ items: rs.filter((r): r is PromiseFulfilledResult<number> => r.status === "fulfilled").map((r) => r.value) });`,
  "allSettled with flatMap": `const rs = await Promise.allSettled(["a", "b"].map((k) => ${risky("k")})); await lab.nums({ items: rs.flatMap((r) => (r.status === "fulfilled" ? [r.value] : [])) });`,
  "allSettled of helpers that throw": `${settle} const rs = await Promise.allSettled((await lab.rows()).map((r) => settle(r.n))); for (const r of rs) await ${say("r.status")};`,
  "allSettled of kept promises": `const ps = ["a", "b"].map((k) => ${risky("k")}); for (const { status } of await Promise.allSettled(ps)) await ${say("status")};`,
  "allSettled of pushed promises": `const ps: Promise<number>[] = []; for (const k of ["a", "b"]) ps.push(${risky("k")}); for (const r of await Promise.allSettled(ps)) await ${say("r.status")};`,
  "allSettled inside a try": `try { const rs = await Promise.allSettled([${risky('"a"')}, ${risky('"b"')}]); await ${put("rs.length")}; await ${risky('"c"')}; } catch { await ${say('"caught"')}; }`,
  "allSettled of what may be absent": `const rs = await Promise.allSettled([lab.maybe({ key: "a" }), lab.find({ id: "b" })]); for (const r of rs) await ${say("r.status")}; const [m] = rs; if (m.status === "fulfilled") await ${say('m.value ?? "none"')};`,
  "a variable that one function alone changes": `let n = 0; const f = async () => { const x = await ${read('"a"')}; n = x; await ${put("n")}; }; await Promise.all([f(), ${say('"b"')}]); await ${put("n")};`,
  "a count of what was started": `let n = 0; await Promise.all((await lab.rows()).map(async (r) => { n += 1; await ${say("r.id")}; })); await ${put("n")};`,
  "a list of what was started": `const seen: string[] = []; await Promise.all((await lab.rows()).map(async (r) => { seen.push(r.id); await ${say("r.id")}; })); await lab.list({ items: seen });`,
};

/** Nothing happens at the same time, so nothing is said of it. */
const sequential: Readonly<Record<string, string>> = {
  "one element": `try { await Promise.all([${risky('"a"')}]); } catch { await ${put("1")}; }`,
  "a helper with two calls, alone": `const f = async () => { await ${say('"a"')}; await ${say('"b"')}; }; await Promise.all([f()]);`,
  "a promise that is awaited at once": `const p = ${read('"a"')}; await ${put("await p")};`,
  "functions that only compute": `const ns = await Promise.all((await lab.rows()).map(async (r) => r.n + 1)); await lab.nums({ items: ns });`,
  nothing: `await Promise.all([]); const [x] = await Promise.all([3]); await ${put("x")};`,
  "a variable that is added to by one alone": `let n = 0; const f = async () => { n += await ${read('"a"')}; }; await Promise.all([f()]); await ${put("n")};`,
};

async function expectSame(body: string, isConcurrent: boolean): Promise<void> {
  const source = sourceOf({ body });
  const compiled = compileLab(source);
  if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
  expect([...commandsIn(compiled.document.program.body)].some(isParallel)).toBe(isConcurrent);
  const seeds = Array.from({ length: 24 }, (_, i) => i);
  const tally = newTally();
  await withoutTracking(() =>
    compare(source, compiled, seeds, tally, (found, wanted, what) =>
      expect(found, `${what}\n${printDocument(compiled.document)}`).toEqual(wanted),
    ),
  );
}

describe("calls at the same time", () => {
  it.each(Object.entries(parallel))("%s", async (_, body) => expectSame(body, true));
});

describe("what makes no calls at the same time", () => {
  it.each(Object.entries(sequential))("%s", async (_, body) => expectSame(body, false));
});

/** Each: the case, the body, the code, the message, and the underlined text. */
const refused: readonly (readonly [string, string, string, RegExp, string])[] = [
  [
    "one that may fail beside one with calls to make, inside a try",
    `${act} try { await Promise.all([${risky('"a"')}, act("b")]); } catch { await ${put("1")}; }`,
    "FC2324",
    /^one of these may fail while another has calls to make/,
    `await Promise.all([${risky('"a"')}, act("b")])`,
  ],
  [
    "functions that may fail between their calls, for each of a list of the run, inside a try",
    `${act} const rows = await lab.rows(); try { await Promise.all(rows.map((r) => act(r.id))); } finally { await ${put("1")}; }`,
    "FC2324",
    /^one of these may fail while another has calls to make/,
    "await Promise.all(rows.map((r) => act(r.id)))",
  ],
  [
    "functions with a call in a catch, of which one may throw, inside a try",
    `const f = async (k: string) => { try { await ${risky("k")}; } catch { await ${put("1")}; } if (k === "a") throw new Error("own"); }; const key = await lab.word(); try { await Promise.all([f(key), f("b")]); } finally { await ${put("2")}; }`,
    "FC2324",
    /^one of these may fail while another has calls to make/,
    'await Promise.all([f(key), f("b")])',
  ],
  [
    "a variable that is added to",
    `let n = 0; await Promise.all(["a", "b"].map(async (k) => { n += await ${read("k")}; })); await ${put("n")};`,
    "FC2324",
    /reads or changes this variable/,
    `["a", "b"].map(async (k) => { n += await ${read("k")}; })`,
  ],
  [
    "a variable that is added to for each of a list of the run",
    `let n = 0; const rows = await lab.rows(); await Promise.all(rows.map(async (r) => { n += await ${read("r.id")}; })); await ${put("n")};`,
    "FC2324",
    /^this function changes a variable after it waited/,
    `rows.map(async (r) => { n += await ${read("r.id")}; })`,
  ],
  [
    "a list that is pushed to after a call",
    `const done: string[] = []; const rows = await lab.rows(); await Promise.all(rows.map(async (r) => { await ${say("r.id")}; done.push(r.id); })); await lab.list({ items: done });`,
    "FC2324",
    /^this function changes a variable after it waited/,
    `rows.map(async (r) => { await ${say("r.id")}; done.push(r.id); })`,
  ],
  [
    "a call with a variable that the one before it changes",
    `let n = 0; const rows = await lab.rows(); await Promise.all(rows.map(async () => { n += 1; await ${put("n")}; }));`,
    "FC2324",
    /^each of these calls reads a variable that the one before it changes/,
    `rows.map(async () => { n += 1; await ${put("n")}; })`,
  ],
  [
    "a variable that is read after a call and changes in another",
    `let n = 0; const ns = await Promise.all(["a", "b"].map(async (k) => { n += 1; return (await ${read("k")}) + n; })); await lab.nums({ items: ns });`,
    "FC2324",
    /reads or changes this variable/,
    "n += 1",
  ],
  [
    "a variable that is read after a call and changes in each of a list of the run",
    `let n = 0; const rows = await lab.rows(); const ns = await Promise.all(rows.map(async (r) => { n += 1; return (await ${read("r.id")}) + n; })); await lab.nums({ items: ns });`,
    "FC2324",
    /reads or changes this variable/,
    `rows.map(async (r) => { n += 1; return (await ${read("r.id")}) + n; })`,
  ],
  [
    "a change after an await of nothing",
    `let n = 0; const late = async () => { await undefined; n += 1; }; await Promise.all([late(), ${put("n")}]);`,
    "FC2324",
    /reads or changes this variable/,
    "late()",
  ],
  [
    "a call after an await of nothing",
    `const late = async () => { await undefined; await ${say('"a"')}; }; await Promise.all([late(), ${put("1")}]);`,
    "FC2324",
    /^this function waits for something else before its first call/,
    "late()",
  ],
  [
    "a promise that is awaited inside a try",
    `const p = ${risky('"a"')}; try { await p; } catch { await ${put("1")}; }`,
    "FC2311",
    /^this waits inside a `try` for what was started outside it/,
    "await p",
  ],
  [
    "kept promises inside a try, awaited one by one",
    `try { const p = ${risky('"a"')}; const q = ${risky('"b"')}; await p; await q; } catch { await ${put("1")}; }`,
    "FC2324",
    /^if this fails, the calls in progress/,
    "await p",
  ],
  [
    "a promise that is not awaited where the run ends early",
    `const p = ${read('"a"')}; const n = await ${read('"b"')}; if (n > 2) return; await p;`,
    "FC2311",
    /^this waits on some paths only/,
    "await p",
  ],
  [
    "a promise that another function awaits",
    `const p = ${read('"a"')}; const f = async () => { await ${put("await p")}; }; await Promise.all([f(), f()]);`,
    "FC2311",
    /^this waits for a call that was started outside this function or loop/,
    "await p",
  ],
  [
    "what comes after one and beside one that was started in between",
    `const p = ${read('"a"')}; const q = ${read('"b"')}; const r = ${read('"c"')}; await p; await r; await ${put("1")}; await q;`,
    "FC2324",
    /^this comes after one of the calls that are under way/,
    put("1"),
  ],
  [
    "promises that others await, for allSettled",
    `const p = ${risky('"a"')}; await p; await Promise.allSettled([p]);`,
    "FC2311",
    /^this waits for what is made for `Promise.allSettled`/,
    "await p",
  ],
  [
    "a result of allSettled as a value",
    `const rs = await Promise.allSettled([${risky('"a"')}]); await lab.keep({ value: rs });`,
    "FC2105",
    /PromiseSettledResult<number>/,
    "lab.keep({ value: rs })",
  ],
  [
    "race",
    `await Promise.race([${read('"a"')}, ${read('"b"')}]);`,
    "FC2309",
    /./,
    `Promise.race([${read('"a"')}, ${read('"b"')}])`,
  ],
  ["any", `await Promise.any([${read('"a"')}]);`, "FC2309", /./, `Promise.any([${read('"a"')}])`],
  ["what is no list", "await Promise.all(lab.rows());", "FC2315", /./, "Promise.all(lab.rows())"],
  ["calls in a list that nobody waits for", `[${put("1")}, ${put("2")}];`, "FC2311", /./, put("1")],
  ["map without Promise.all", `["a", "b"].map((k) => ${say("k")});`, "FC2311", /./, say("k")],
  [
    "map of a list of the run without Promise.all",
    `(await lab.rows()).map((r) => ${say("r.id")});`,
    "FC2311",
    /./,
    `(await lab.rows()).map((r) => ${say("r.id")});`,
  ],
  [
    "await of a list of promises",
    `const ns = await (await lab.rows()).map((r) => ${read("r.id")});`,
    "FC2311",
    /./,
    `await (await lab.rows()).map((r) => ${read("r.id")})`,
  ],
  [
    "more promises on one path than on another",
    `const ps = [${read('"a"')}]; if (await lab.test({ key: "t" })) ps.push(${read('"b"')}); await Promise.all(ps);`,
    "FC2311",
    /^this list holds more promises on one path/,
    "Promise.all(ps)",
  ],
  ["a call in a condition that nobody waits for", `const x = true && ${put("1")};`, "FC2311", /./, put("1")],
  [
    "reduce whose calls nobody waits for but the last",
    `await ["a", "b"].reduce((_, k) => ${say("k")}, Promise.resolve());`,
    "FC2311",
    /^this call is not awaited/,
    say("k"),
  ],
  [
    "reduce whose functions wait for one another",
    `await ${put('await ["a", "b"].reduce(async (sum, k) => { const n = await lab.read({ key: k }); return (await sum) + n; }, Promise.resolve(0))')};`,
    "FC2311",
    /^this waits for a call that was started outside this function or loop/,
    "await sum",
  ],
  [
    "await of a known list of promises",
    `await ["a", "b"].map((k) => ${say("k")});`,
    "FC2311",
    /^this call is not awaited/,
    say("k"),
  ],
  [
    "reduce with a function that waits",
    `await (await lab.rows()).reduce(async (sum, r) => (await sum) + (await ${read("r.id")}), 0);`,
    "FC2311",
    /./,
    `(await lab.rows()).reduce(async (sum, r) => (await sum) + (await ${read("r.id")}), 0)`,
  ],
];

describe("calls at the same time that a document cannot say are refused", () => {
  it.each(refused)("%s", (_, body, code, message, underlined) => {
    const source = sourceOf({ body });
    const compiled = compileLab(source);
    const problems = "problems" in compiled ? compiled.problems : [];
    const shown = JSON.stringify(problems, null, 1);
    const found = problems.find(
      (one) => one.code === code && source.slice(one.span.start, one.span.end) === underlined,
    );
    expect(found?.message, shown).toMatch(message);
    if (code === "FC2324") expect(found?.help, shown).toBeDefined();
  });
});

// ── state and guarantees ─────────────────────────────────────────────────────────────────────────────────

const house = `
import { contract, fluent, tool } from "foreclaim";
export const open = fluent<string, boolean>({ initial: false });
export const ask = tool({ run: async (): Promise<boolean> => true });
export const pay = tool({ run: async ({ amount }: { amount: number }): Promise<void> => {} });
export const lock = tool({ effects: ({ door }) => [open.set(door, false)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const unlock = tool({ effects: ({ door }) => [open.set(door, true)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const enter = tool({ requires: ({ door }) => open.get(door), run: async ({ door }: { door: string }): Promise<void> => {} });
export const asked = contract(() => ask.before(pay));
export const fine = contract(() => true);
`;

describe("what the state and the guarantees can tell is left to the proof", () => {
  it.each([
    ["two changes of one door", "h.fine()", `await Promise.all([h.lock({ door }), h.unlock({ door })]);`],
    ["a change and what needs it", "h.fine()", `await Promise.all([h.unlock({ door }), h.enter({ door })]);`],
    ["an order of the calls", "h.asked()", `await Promise.all([h.ask(), h.pay({ amount: 1 })]);`],
  ])("%s", (_, guarantee, body) => {
    const source = `import { program } from "foreclaim";
import * as h from "./tools/h";
export default program({ guarantees: [${guarantee}], async run({ door }: { door: string }) { ${body} } });`;
    const files: Record<string, string> = { "program.ts": source, "tools/h.ts": house };
    const result = compileProgram("program.ts", { readFile: (path) => files[path] });
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    expect(result.value.document.program.body.map(({ kind }) => kind)).toEqual(["parallel"]);
  });
});
