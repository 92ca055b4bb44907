/**
 * Calls that JavaScript makes at the same time. What is accepted makes the same calls in the same order under Node and on
 * the interpreter, however long each call takes; the rest is refused. Where a call fails that nothing catches, the run
 * stops there and JavaScript has started those beside it: its calls begin with those of the run.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import type { Document } from "../../src/ir/index.ts";
import { atLeast, runs } from "../support/runs.ts";
import { compileLab, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";

async function expectSame(source: string, document: Document, seeds: number): Promise<void> {
  for (let seed = 0; seed < seeds; seed++) {
    const inIr = await runAsIr(document, undefined, seed);
    for (const late of [false, true]) {
      const inJavaScript = await runAsJavaScript(source, undefined, seed, late);
      const shown = `seed ${seed}, late ${late}\n${source}\n${inJavaScript.end} | ${inIr.end}`;
      if (inIr.end.startsWith("FC1504")) {
        expect(inJavaScript.end, shown).toBe("broken");
        expect(inJavaScript.calls.slice(0, inIr.calls.length), shown).toEqual(inIr.calls);
      } else {
        expect(inJavaScript.calls, shown).toEqual(inIr.calls);
        expect(inIr.end, shown).toBe("done");
      }
    }
  }
}

const say = (text: string) => `lab.say({ text: ${text} })`;
const read = (key: string) => `lab.read({ key: ${key} })`;
const risky = (key: string) => `lab.risky({ key: ${key} })`;
const put = (n: string) => `lab.put({ n: ${n} })`;

const accepted: Readonly<Record<string, string>> = {
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
  "one element inside a try": `try { await Promise.all([${risky('"a"')}]); } catch { await ${put("1")}; }`,
  "a helper with two calls, alone": `const f = async () => { await ${say('"a"')}; await ${say('"b"')}; }; await Promise.all([f()]);`,
  "a variable that changes before the calls": `let n = 0; await Promise.all(["a", "b"].map((k) => { n += 1; return ${say("k + n")}; })); await ${put("n")};`,
  "a promise that is waited for later": `const p = ${read('"a"')}; const n = await ${read('"b"')}; await ${put("n - (await p)")};`,
  "promises in a list": `const ps = ["a", "b"].map((k) => ${read("k")}); await lab.nums({ items: await Promise.all(ps) });`,
  "promises of a list of the run": `const ps = (await lab.rows()).map((r) => ${read("r.id")}); await lab.nums({ items: await Promise.all(ps) });`,
  "promises that were pushed": `const ps: Promise<number>[] = []; for (const k of ["a", "b"]) ps.push(${read("k")}); await lab.nums({ items: await Promise.all(ps) });`,
  "one inside another": `await Promise.all([Promise.all([${say('"a"')}, ${say('"b"')}]), ${say('"c"')}]);`,
  "a choice between calls": `const on = await lab.test({ key: "t" }); await Promise.all([on ? ${say('"a"')} : ${put("1")}, ${say('"c"')}]);`,
  "functions that only compute": `const ns = await Promise.all((await lab.rows()).map(async (r) => r.n + 1)); await lab.nums({ items: ns });`,
  "values and nothing": `await Promise.all([]); const [x, y] = await Promise.all([${read('"a"')}, 3]); await ${put("x + y")};`,
  "one after the other in a loop": `for (const r of await lab.rows()) await Promise.all(r.tags.map((t) => ${say("t")}));`,
};

describe("calls at the same time that cannot be told from calls one after the other", () => {
  it.each(Object.entries(accepted))("%s", async (_, body) => {
    const source = sourceOf({ body });
    const compiled = compileLab(source);
    if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
    await expectSame(source, compiled.document, 24);
  });
});

const settle = `const settle = async (n: number) => { if (n > 2) throw new Error("x"); await ${put("n")}; };`;
const act = `const act = async (k: string) => { const n = await ${read("k")}; if (n > 2) await ${put("n")}; };`;

/** What is tried, the body, the code, and what is underlined. */
const refused: readonly (readonly [string, string, string, string])[] = [
  ["a helper that throws", `${settle} await Promise.all([settle(5), settle(1)]);`, "FC2324", "settle(1)"],
  [
    "a helper that may throw, last",
    `${settle} const n = await ${read('"a"')}; await Promise.all([${say('"a"')}, settle(n)]);`,
    "FC2324",
    "settle(n)",
  ],
  [
    "a helper that throws and makes no call",
    `const no = async () => { throw new Error("x"); }; await Promise.all([no(), ${put("1")}]);`,
    "FC2324",
    put("1"),
  ],
  [
    "a helper that throws, for each of a list of the run",
    `${settle} const rows = await lab.rows(); await Promise.all(rows.map((r) => settle(r.n)));`,
    "FC2324",
    "rows.map((r) => settle(r.n))",
  ],
  ["inside a try", `try { await Promise.all([${risky('"a"')}, ${put("1")}]); } catch {}`, "FC2324", put("1")],
  [
    "inside a try with finally alone",
    `try { await Promise.all([${risky('"a"')}, ${put("1")}]); } finally { await ${put("2")}; }`,
    "FC2324",
    put("1"),
  ],
  [
    "a list of the run inside a try",
    `const rows = await lab.rows(); try { await Promise.all(rows.map((r) => ${risky("r.id")})); } catch {}`,
    "FC2324",
    `rows.map((r) => ${risky("r.id")})`,
  ],
  [
    "a helper that is called inside a try",
    `const both = async () => { await Promise.all([${risky('"a"')}, ${put("1")}]); }; try { await both(); } catch {}`,
    "FC2324",
    put("1"),
  ],
  [
    "a function of a known list inside a try",
    `try { await Promise.all(["a", "b"].map(async (k) => { await ${risky("k")}; })); } catch {}`,
    "FC2324",
    `["a", "b"].map(async (k) => { await ${risky("k")}; })`,
  ],
  ["helpers that look, wait and act", `${act} await Promise.all([act("a"), act("b")]);`, "FC2324", read("k")],
  [
    "a helper that looks, waits and acts beside a call",
    `${act} await Promise.all([${put("1")}, act("b")]);`,
    "FC2324",
    'act("b")',
  ],
  [
    "several calls for each of a list of the run",
    `const rows = await lab.rows(); await Promise.all(rows.map(async (r) => { await ${say("r.id")}; await ${say('"x"')}; }));`,
    "FC2324",
    `rows.map(async (r) => { await ${say("r.id")}; await ${say('"x"')}; })`,
  ],
  [
    "a loop in an element",
    `const rows = await lab.rows(); const all = async () => { for (const r of rows) await ${say("r.id")}; }; await Promise.all([all(), ${put("1")}]);`,
    "FC2324",
    put("1"),
  ],
  [
    "a variable that is added to",
    `let n = 0; await Promise.all(["a", "b"].map(async (k) => { n += await ${read("k")}; })); await ${put("n")};`,
    "FC2324",
    `["a", "b"].map(async (k) => { n += await ${read("k")}; })`,
  ],
  [
    "a list that is pushed to after a call",
    `const done: string[] = []; const rows = await lab.rows(); await Promise.all(rows.map(async (r) => { await ${say("r.id")}; done.push(r.id); })); await lab.list({ items: done });`,
    "FC2324",
    `rows.map(async (r) => { await ${say("r.id")}; done.push(r.id); })`,
  ],
  [
    "a variable that is read after a call and changes in another",
    `let n = 0; const ns = await Promise.all(["a", "b"].map(async (k) => { n += 1; return (await ${read("k")}) + n; })); await lab.nums({ items: ns });`,
    "FC2324",
    "n += 1",
  ],
  [
    "a change after an await of nothing",
    `let n = 0; const late = async () => { await undefined; n += 1; }; await Promise.all([late(), ${put("n")}]);`,
    "FC2324",
    "late()",
  ],
  [
    "a call after an await of nothing",
    `const late = async () => { await undefined; await ${say('"a"')}; }; await Promise.all([late(), ${put("1")}]);`,
    "FC2324",
    put("1"),
  ],
  [
    "an element that may stop the run",
    `const rows = await lab.rows(); await Promise.all(rows.map(async (r) => { const found = await lab.find({ id: r.id }); return found!.n; }));`,
    "FC2324",
    "rows.map(async (r) => { const found = await lab.find({ id: r.id }); return found!.n; })",
  ],
  [
    "a promise that is waited for inside a try",
    `const p = ${risky('"a"')}; try { await p; } catch { await ${put("1")}; }`,
    "FC2311",
    "await p",
  ],
  [
    "allSettled",
    `await Promise.allSettled([${read('"a"')}]);`,
    "FC2309",
    `Promise.allSettled([${read('"a"')}])`,
  ],
  [
    "race",
    `await Promise.race([${read('"a"')}, ${read('"b"')}]);`,
    "FC2309",
    `Promise.race([${read('"a"')}, ${read('"b"')}])`,
  ],
  ["any", `await Promise.any([${read('"a"')}]);`, "FC2309", `Promise.any([${read('"a"')}])`],
  ["then", `await ${read('"a"')}.then((n) => n + 1);`, "FC2311", `${read('"a"')}.then((n) => n + 1)`],
  ["what is no list", "await Promise.all(lab.rows());", "FC2315", "Promise.all(lab.rows())"],
  ["calls in a list that nobody waits for", `[${put("1")}, ${put("2")}];`, "FC2311", put("1")],
  [
    "map without Promise.all",
    `["a", "b"].map((k) => ${say("k")});`,
    "FC2311",
    `["a", "b"].map((k) => ${say("k")})`,
  ],
  [
    "map of a list of the run without Promise.all",
    `(await lab.rows()).map((r) => ${say("r.id")});`,
    "FC2311",
    `(await lab.rows()).map((r) => ${say("r.id")});`,
  ],
  [
    "await of a list of promises",
    `const ns = await (await lab.rows()).map((r) => ${read("r.id")});`,
    "FC2311",
    `await (await lab.rows()).map((r) => ${read("r.id")})`,
  ],
  ["a call in a condition that nobody waits for", `const x = true && ${put("1")};`, "FC2311", put("1")],
  [
    "reduce with a function that waits",
    `await (await lab.rows()).reduce(async (sum, r) => (await sum) + (await ${read("r.id")}), 0);`,
    "FC2311",
    `(await lab.rows()).reduce(async (sum, r) => (await sum) + (await ${read("r.id")}), 0)`,
  ],
];

describe("calls at the same time that can be told from calls one after the other are refused", () => {
  it.each(refused)("%s", (_, body, code, underlined) => {
    const source = sourceOf({ body });
    const compiled = compileLab(source);
    const problems = "problems" in compiled ? compiled.problems : [];
    const found = problems.map((one) => [one.code, source.slice(one.span.start, one.span.end)]);
    expect(found, JSON.stringify(problems, null, 1)).toContainEqual([code, underlined]);
    expect(problems.every(({ help }) => help !== undefined) || code !== "FC2324").toBe(true);
  });
});

// ── state and guarantees ─────────────────────────────────────────────────────────────────────────────────

const house = `
import { contract, fluent, tool } from "foreclaim";
export const open = fluent<string, boolean>({ initial: false });
export const armed = fluent<string, boolean>({ initial: false });
export const ask = tool({ labels: ["talk"], run: async (): Promise<boolean> => true });
export const pay = tool({ run: async ({ amount }: { amount: number }): Promise<void> => {} });
export const lock = tool({ effects: ({ door }) => [open.set(door, false)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const unlock = tool({ effects: ({ door }) => [open.set(door, true)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const enter = tool({ requires: ({ door }) => open.get(door), run: async ({ door }: { door: string }): Promise<void> => {} });
export const arm = tool({ effects: () => [armed.set("all", true)], run: async (): Promise<void> => {} });
export const asked = contract(() => ask.before(pay));
export const answered = contract(() => pay.all(() => ask.some(() => true)));
export const noMore = contract(() => pay.count() <= ask.count());
export const talked = contract(() => pay.count() <= ask.count() + lock.count());
export const both = contract(() => pay.count() === 1 && ask.count() === 1);
export const small = contract(() => pay.all((p) => p.amount <= 5) && pay.sum((p) => p.amount) <= 10);
export const safe = contract(() => armed.always("all", (on) => !on || !open.final("front")));
export const fine = contract(() => true);
`;

function problemsIn(guarantee: string, body: string): readonly string[] {
  const source = `import { program } from "foreclaim";
import * as h from "./tools/h";
export default program({ guarantees: [${guarantee}], async run({ door, doors }: { door: string; doors: string[] }) { ${body} } });`;
  const files: Record<string, string> = { "program.ts": source, "tools/h.ts": house };
  const result = compileProgram("program.ts", { readFile: (path) => files[path] });
  return result.ok ? [] : result.problems.map(({ code, message }) => `${code} ${message}`);
}

const both = "await Promise.all([h.ask(), h.pay({ amount: 1 })]);";

describe("what the state and the guarantees can tell", () => {
  it.each([
    ["two changes of one door", `await Promise.all([h.lock({ door }), h.unlock({ door })]);`],
    ["a change and what needs it", `await Promise.all([h.unlock({ door }), h.enter({ door })]);`],
    ["what needs it and a change", `await Promise.all([h.enter({ door: "a" }), h.lock({ door })]);`],
    ["a promise that is under way", `const p = h.unlock({ door }); await h.lock({ door }); await p;`],
  ])("refuses %s", (_, body) => {
    expect(problemsIn("h.fine()", body).join()).toMatch(/^FC2324 one of these calls changes `h.open`/);
  });

  it.each([
    ["the same change of several doors", `await Promise.all(doors.map((one) => h.lock({ door: one })));`],
    ["changes of different doors", `await Promise.all([h.lock({ door: "a" }), h.unlock({ door: "b" })]);`],
    ["changes of different fluents", `await Promise.all([h.lock({ door }), h.arm()]);`],
  ])("accepts %s", (_, body) => {
    expect(problemsIn("h.fine()", body)).toEqual([]);
  });

  it.each([
    ["a question before each payment", "h.asked()"],
    ["a payment only where there is a question", "h.answered()"],
    ["no more payments than questions", "h.noMore()"],
    ["no more payments than questions and more", "h.talked()"],
  ])("refuses calls of which the second is allowed only with the first: %s", (_, guarantee) => {
    expect(problemsIn(guarantee, both).join()).toMatch(
      /^FC2324 JavaScript makes this call of `h.pay` even if/,
    );
    expect(problemsIn(guarantee, "await h.ask(); await h.pay({ amount: 1 });")).toEqual([]);
    expect(problemsIn(guarantee, "const p = h.ask(); await h.pay({ amount: 1 }); await p;")).toHaveLength(1);
  });

  it.each([
    ["what must be there", "h.both()"],
    ["what bounds each", "h.small()"],
    ["what holds anyway", "h.fine()"],
  ])("accepts them for %s", (_, guarantee) => {
    expect(problemsIn(guarantee, both)).toEqual([]);
  });

  it("accepts the calls the other way round, since a run that stops between them is told of", () => {
    expect(problemsIn("h.asked()", "await Promise.all([h.pay({ amount: 1 }), h.ask()]);")).toEqual([]);
  });
});

// ── random programs ──────────────────────────────────────────────────────────────────────────────────────

const key = fc.constantFrom('"a"', '"b"', "k");
const call = fc.oneof(
  key.map((one) => read(one)),
  key.map((one) => risky(one)),
  key.map((one) => say(`String(${one})`)),
  fc.constantFrom(put("n"), put("1")),
);
const line = fc.oneof(
  { weight: 4, arbitrary: call.map((one) => `await ${one};`) },
  fc.constantFrom("n += 1;", "n += await lab.read({ key: k });", "seen.push(k);", "await undefined;"),
  call.map((one) => `if (n > 1) { await ${one}; } else { await lab.put({ n: 9 }); }`),
  call.map((one) => `if (n > 1) return;  await ${one};`),
  call.map((one) => `try { await ${one}; } catch { n += 0; }`),
  fc.constantFrom(
    'if (n > 3) throw new Error("x");',
    "{ const x = await lab.read({ key: k }); if (x > 1) return; }",
  ),
);
const helper = fc
  .tuple(fc.boolean(), fc.array(line, { minLength: 1, maxLength: 2 }), call)
  .map(([isShort, lines, one]) =>
    isShort ? `async (k: string) => ${one}` : `async (k: string) => { ${lines.join(" ")} }`,
  );
const element = fc.oneof(
  call.map((one) => one.replaceAll("k }", '"c" }').replaceAll("String(k)", '"c"')),
  fc.constantFrom('f("a")', 'g("b")', "undefined", '(n > 1 ? f("d") : g("e"))'),
);
const group = fc.oneof(
  fc.array(element, { minLength: 1, maxLength: 3 }).map((all) => `await Promise.all([${all.join(", ")}]);`),
  fc.constantFrom("f", "g").map((one) => `await Promise.all(["a", "b"].map((k) => ${one}(k)));`),
  fc.constantFrom("f", "g").map((one) => `await Promise.all((await lab.rows()).map((r) => ${one}(r.id)));`),
  // The call in between never fails, or nobody would wait for the others.
  fc
    .tuple(element, fc.constantFrom(read('"m"'), put("n"), "undefined"))
    .map(([one, between]) => `const ps = [${one}]; n += 1; await ${between}; await Promise.all(ps);`),
);
const body = fc
  .tuple(helper, helper, group, fc.constantFrom("none", "none", "catch", "finally", "helper"))
  .map(([f, g, together, around]) => {
    const wrapped = {
      none: together,
      catch: `try { ${together} } catch { await lab.put({ n: 77 }); }`,
      finally: `try { ${together} } finally { await lab.put({ n: 78 }); }`,
      helper: `const h = async () => { ${together} }; try { await h(); } catch { await lab.put({ n: 79 }); }`,
    }[around];
    return `let n = await lab.read({ key: "n" }); const seen: string[] = []; const f = ${f}; const g = ${g};
      ${wrapped}
      await lab.put({ n }); await lab.list({ items: seen });`;
  });

describe("random programs with calls at the same time", () => {
  it("do as in JavaScript or are refused", async () => {
    const seen = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const source = sourceOf({ body: text });
        const compiled = compileLab(source);
        if ("problems" in compiled) {
          seen.refused += 1;
          for (const { code } of compiled.problems) expect(["FC2324", "FC2311"], source).toContain(code);
          return;
        }
        seen.accepted += 1;
        await expectSame(source, compiled.document, 4);
      }),
      { numRuns: runs(200) },
    );
    expect(seen.accepted).toBeGreaterThan(atLeast(30));
    expect(seen.refused).toBeGreaterThan(atLeast(30));
  }, 120_000);
});
