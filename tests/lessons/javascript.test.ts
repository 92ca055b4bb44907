/** A program does compiled what it does in JavaScript, or it is refused: the places where that is easy to get wrong. */
import { describe, expect, it } from "vitest";
import { compileLab, type LabProgram, runAsIr, runAsJavaScript, sourceOf } from "../frontend/lab.ts";

type Expected = "same" | string;

/** With several answers of the tools: the same calls with the same arguments; or the codes of the problems. */
async function outcome(program: LabProgram): Promise<Expected> {
  const source = sourceOf(program);
  const made = compileLab(source);
  if (!("document" in made)) return [...new Set(made.problems.map((problem) => problem.code))].join(" ");
  for (let seed = 0; seed < 12; seed++) {
    const [expected, got] = [
      await runAsJavaScript(source, undefined, seed),
      await runAsIr(made.document, undefined, seed),
    ];
    if (JSON.stringify(expected.calls) !== JSON.stringify(got.calls))
      return `seed ${seed}: ${JSON.stringify(expected.calls)} but ${JSON.stringify(got.calls)}`;
  }
  return "same";
}

function like(
  name: string,
  cases: readonly (readonly [what: string, program: LabProgram | string, expected: Expected])[],
) {
  it.each(cases)(`${name}: %s`, async (_, program, expected) => {
    expect(await outcome(typeof program === "string" ? { body: program } : program)).toBe(expected);
  });
}

describe("arrays and objects", () => {
  const flag = 'const c = await lab.test({ key: "c" });';
  like("one under two names", [
    [
      "a chosen object",
      `${flag} const a = { t: "x" }; const b = { t: "y" }; const p = c ? a : b; p.t = "z"; await lab.say({ text: a.t });`,
      "same",
    ],
    [
      "a chosen array",
      `${flag} const a = ["x"]; const b = ["y"]; const p = c ? a : b; p.push("z"); await lab.list({ items: a });`,
      "same",
    ],
    [
      "assigned in a branch",
      `${flag} const a = ["x"]; let p = ["y"]; if (c) p = a; p.push("z"); await lab.list({ items: a });`,
      "FC2312",
    ],
    [
      "assigned in a loop",
      'const a = ["x"]; let p = ["y"]; for (const r of await lab.rows()) { if (r.ok) p = a; } p.push("z"); await lab.list({ items: a });',
      "FC2312",
    ],
    [
      "chosen by a helper",
      {
        top: "const pick = (c: boolean, a: string[], b: string[]) => { if (c) return a; return b; };",
        body: `${flag} const a = ["x"]; pick(c, a, ["y"]).push("z"); await lab.list({ items: a });`,
      },
      "same",
    ],
    [
      "chosen and only used under the new name",
      `${flag} let p = ["y"]; if (c) p = ["x"]; p.push("z"); await lab.list({ items: p });`,
      "same",
    ],
    [
      "chosen and not changed",
      `${flag} const a = ["x"]; const p = c ? a : ["y"]; await lab.list({ items: p }); await lab.list({ items: a });`,
      "same",
    ],
    [
      "an element",
      'const o = { t: "x" }; const l = [o, o]; l[0]!.t = "y"; await lab.say({ text: l[1]!.t + o.t });',
      "same",
    ],
    [
      "a parameter",
      {
        top: 'const f = ({ l }: { l: string[] }) => { l.push("z"); };',
        body: 'const l = ["a"]; f({ l }); await lab.list({ items: l });',
      },
      "same",
    ],
    [
      "a field of a copy",
      'const o = { p: { t: "x" } }; const c = { ...o }; c.p.t = "y"; await lab.say({ text: o.p.t });',
      "same",
    ],
    [
      "copied into a list of the run",
      'const o = { id: "x", n: 1, ok: true, tags: ["q"] }; const l = [...(await lab.rows()), o]; o.id = "y"; await lab.say({ text: l.at(-1)!.id });',
      "FC2312",
    ],
    [
      "what is frozen",
      "const o = Object.freeze({ a: 1 }); try { (o as { a: number }).a = 2; } catch {} await lab.put({ n: o.a });",
      "FC2312",
    ],
  ]);

  like("changed while a loop goes over it", [
    [
      "push",
      "const l = [1, 2]; for (const x of l) { if (x < 3) l.push(x + 2); await lab.put({ n: x }); }",
      "same",
    ],
    ["pop", "const l = [1, 2, 3]; for (const x of l) { l.pop(); await lab.put({ n: x }); }", "same"],
    ["an element", "const l = [1, 2]; for (const x of l) { l[1] = 9; await lab.put({ n: x }); }", "same"],
    [
      "behind continue",
      "const l = [1, 2]; for (const x of l) { if (x === 2) { l.push(9); continue; } await lab.put({ n: x }); }",
      "same",
    ],
    [
      "a list of the run",
      'const l = (await lab.rows()).map((r) => r.id); for (const x of l) { if (l.length < 6) l.push("z"); await lab.say({ text: x }); }',
      "FC2312",
    ],
    [
      "a set",
      'const s = new Set(["a"]); for (const x of s) { if (s.size < 3) s.add(x + "a"); await lab.say({ text: x }); }',
      "FC2312",
    ],
    [
      "in a callback",
      "const l = [1, 2, 3]; const m = l.map((x) => { l.pop(); return x; }); await lab.nums({ items: m });",
      "FC2312",
    ],
    [
      "just before it ends",
      "const l = [1, 2]; for (const x of l) { await lab.put({ n: x }); if (x === 1) { l.push(9); break; } } await lab.nums({ items: l });",
      "same",
    ],
    ["a copy", "const l = [1, 2]; for (const x of [...l]) l.push(x); await lab.nums({ items: l });", "same"],
  ]);

  like("the fields of an object", [
    [
      "given again",
      "for (const k of Object.keys({ ...{ a: 1, b: 2 }, a: 3 })) await lab.say({ text: k });",
      "same",
    ],
    [
      "given twice",
      'for (const [k, v] of Object.entries({ ["a"]: 1, b: 2, ["a"]: 3 })) await lab.say({ text: k + v });',
      "same",
    ],
    [
      "that may be absent",
      'const o: { a: string; b?: string } = { a: "x" }; for (const k of Object.keys(o)) await lab.say({ text: k });',
      "FC2309",
    ],
    [
      "with names of numbers",
      "for (const k of Object.keys({ b: 1, 2: 1, 1: 1 })) await lab.say({ text: k });",
      "FC2309",
    ],
    [
      "with names of every object",
      'const o = { constructor: "c", toString: "t" }; await lab.say({ text: o.constructor + o.toString });',
      "same",
    ],
    [
      "of every object",
      "const o = { a: 1 }; await lab.flag({ on: (o as never)['toString'] === undefined });",
      "FC2310",
    ],
    ["__proto__", 'const o = { ["__proto__"]: 1, a: 2 }; await lab.put({ n: o.a });', "FC2320"],
  ]);
});

describe("functions", () => {
  like("what a callback is given", [
    [
      "the array",
      "const l = [5, 6].filter((x, i, all = []) => all.length > 0); await lab.nums({ items: l });",
      "FC2314",
    ],
    ["the array in reduce", "await lab.put({ n: [1, 2].reduce((a, x, i, l) => a + x, 0) });", "FC2314"],
    ["everything", "await lab.nums({ items: [5, 6].map((...all) => all.length) });", "FC2314"],
    [
      "a position, by a choice of functions",
      'const f = (await lab.test({ key: "c" })) ? (x: number, i: number) => i : (x: number, i: number) => x; await lab.nums({ items: [5, 6].map(f) });',
      "same",
    ],
    [
      "a variable of another callback",
      'const l = (await lab.rows()).map((r) => { let k = 0; r.tags.some((t) => { k++; return t === "y"; }); return k; }); await lab.nums({ items: l });',
      "same",
    ],
  ]);

  like("what throws on the way", [
    [
      "in a switch",
      {
        top: 'const f = (n: number) => { if (n > 1) throw new Error("no"); return n; };',
        body: 'switch (f(await lab.read({ key: "a" }))) { case 1: await lab.say({ text: "one" }); break; default: break; } await lab.say({ text: "after" });',
      },
      "same",
    ],
    [
      "in a condition",
      {
        top: 'const f = (n: number) => { if (n > 1) throw new Error("no"); return n > 0; };',
        body: 'if (f(await lab.read({ key: "a" }))) await lab.say({ text: "y" }); await lab.say({ text: "after" });',
      },
      "same",
    ],
    [
      "in a while",
      {
        top: 'const f = (n: number) => { if (n > 1) throw new Error("no"); return n > 0; };',
        body: 'let i = 0; while (i < 2 && f(await lab.read({ key: "a" }))) i++; await lab.put({ n: i });',
      },
      "same",
    ],
    [
      "in an argument",
      {
        top: 'const f = (n: number) => { if (n > 1) throw new Error("no"); return n; };',
        body: 'try { await lab.put({ n: f(await lab.read({ key: "a" })) }); } catch { await lab.say({ text: "c" }); }',
      },
      "same",
    ],
    [
      "in a callback",
      '[0, await lab.read({ key: "a" })].map((x) => { if (x > 1) throw new Error("no"); return x; }); await lab.say({ text: "after" });',
      "same",
    ],
  ]);

  like("a case that was jumped over declares nothing", [
    [
      "a constant",
      'switch (await lab.level()) { case "low": const x = "one"; await lab.say({ text: x }); break; default: await lab.say({ text: x }); }',
      "FC2402",
    ],
    [
      "a function",
      'switch (await lab.level()) { case "low": await lab.say({ text: f() }); break; default: function f() { return "f"; } }',
      "same",
    ],
  ]);

  like("a string taken apart", [
    ["by code points", 'const [a] = "😀x"; await lab.say({ text: a! });', "FC2323"],
    ["of a tool", 'const [a] = await lab.word(); await lab.say({ text: a ?? "none" });', "FC2323"],
    ["in a loop", 'for (const c of "a😀b") await lab.say({ text: c });', "same"],
  ]);
});

describe("promises", () => {
  like("what nobody waits for yet", [
    [
      "a helper with two calls",
      {
        top: 'const f = async () => { await lab.say({ text: "1" }); await lab.say({ text: "2" }); };',
        body: 'const p = f(); await lab.say({ text: "m" }); await p;',
      },
      "same",
    ],
    [
      "handed to a helper",
      {
        top: 'const f = async () => { await lab.say({ text: "1" }); await lab.say({ text: "2" }); }; const g = async (p: Promise<void>) => { await lab.say({ text: "m" }); await p; };',
        body: "await g(f());",
      },
      "same",
    ],
    [
      "in an object",
      {
        top: 'const f = async () => { await lab.say({ text: "1" }); await lab.say({ text: "2" }); };',
        body: 'const o = { p: f() }; await lab.say({ text: "m" }); await o.p;',
      },
      "same",
    ],
    [
      "a call in a try",
      'try { const p = lab.risky({ key: "a" }); await lab.say({ text: "m" }); await p; } catch { await lab.say({ text: "c" }); }',
      "FC2311",
    ],
    [
      "returned from a try",
      {
        top: 'const f = async () => { try { return lab.risky({ key: "a" }); } catch { return -1; } };',
        body: "await lab.put({ n: await f() });",
      },
      "FC2311",
    ],
    [
      "one call",
      'const p = lab.read({ key: "a" }); await lab.say({ text: "m" }); await lab.put({ n: await p });',
      "same",
    ],
    [
      "a choice of calls",
      'const c = await lab.test({ key: "c" }); await (c ? lab.say({ text: "a" }) : lab.say({ text: "b" }));',
      "same",
    ],
    [
      "awaited where it is returned",
      {
        top: 'const f = async () => { try { return await lab.risky({ key: "a" }); } catch { return -1; } };',
        body: "await lab.put({ n: await f() });",
      },
      "same",
    ],
  ]);
});
