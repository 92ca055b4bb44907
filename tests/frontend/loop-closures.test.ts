/**
 * Functions made in the parts of a `for`. JavaScript gives each turn variables of its own, copied from those of the turn
 * before; a function keeps the ones of the part it was made in, and one that was made in the head keeps those of the head.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atLeast, runs } from "../support/runs.ts";
import { compileLab, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";

const show = "for (const f of fs) await lab.put({ n: f() });";
const start = "const fs: (() => number)[] = [];";

const loops: Readonly<Record<string, string>> = {
  "made in the head, and the first turn changes the variable":
    "for (let i = 0, f = () => i; i < 4; i++) { i += 1; await lab.put({ n: f() }); }",
  "made in the head, and changes the variable of the head":
    "for (let i = 0, f = () => i++, g = () => i; i < 3; i++) { f(); await lab.put({ n: g() + 10 * i }); }",
  "made in the head, and kept": `${start} for (let i = 0, f = () => i; i < 3; i++) { i++; fs.push(f); } ${show}`,
  "made in the test": `${start} for (let i = 0; fs.push(() => i) < 5 && i < 3; i++) { i += 0; } ${show}`,
  "made in the update": `${start} for (let i = 0; i < 3; fs.push(() => i), i++) {} ${show}`,
  "made in the body": `${start} for (let i = 0; i < 3; i++) fs.push(() => i); ${show}`,
  "made in the body, before it changes the variable": `${start} for (let i = 0; i < 4; i++) { fs.push(() => i); i++; } ${show}`,
  "made in the body, and changes the variable":
    "for (let i = 0; i < 4; i++) { const up = () => { i += 1; }; up(); await lab.put({ n: i }); }",
  "made in the body, and called in a later turn": `${start} for (let i = 0; i < 3; i++) { fs.push(() => (i += 10)); } ${show} ${show}`,
  "made in the head of a loop whose end the run knows":
    'const n = await lab.read({ key: "n" }); for (let i = 0, f = () => i; i < n && i < 3; i++) { i += 1; await lab.put({ n: f() }); }',
  "an object of the head is shared by all turns":
    "for (let i = 0, o = { n: 0 }, f = () => o.n; i < 3; i++) { o.n += 1; await lab.put({ n: f() }); }",
  "the head comes before the bound is looked at":
    "let n = (await lab.rows()).length; const more = () => { n += 1; return 0; }; for (let i = more(); i < n; i++) await lab.put({ n: i });",
};

async function expectSame(body: string): Promise<boolean> {
  const source = sourceOf({ body });
  const compiled = compileLab(source);
  if (!("document" in compiled)) return false;
  for (let seed = 0; seed < 8; seed++) {
    const inIr = await runAsIr(compiled.document, undefined, seed);
    expect(inIr.end, source).toBe("done");
    expect(inIr.calls, source).toEqual((await runAsJavaScript(source, undefined, seed)).calls);
  }
  return true;
}

describe("a function made in a loop keeps the variables that JavaScript gives it", () => {
  it.each(Object.entries(loops))("%s", async (_, body) => {
    expect(await expectSame(body)).toBe(true);
  });

  it("wherever it is made", async () => {
    const step = fc.constantFrom(
      "fs.push(() => i)",
      "fs.push(() => (i += 1))",
      "(i += 1)",
      "(j += i)",
      "f()",
      "g()",
    );
    const steps = fc.array(step, { maxLength: 3 });
    const made = fc.constantFrom("() => i", "() => i++", "() => (j += i)", "() => { i += 2; return j; }");
    const loop = fc
      .tuple(made, made, steps, steps, steps, fc.constantFrom("turns < 4", "turns < 4 && i < n"))
      .map(
        ([
          f,
          g,
          test,
          body,
          update,
          bound,
        ]) => `const fs: (() => number)[] = []; let turns = 0; const n = await lab.read({ key: "n" });
for (let i = 0, j = 1, f = ${f}, g = ${g}; ${[...test, bound].join(", ")}; ${[...update, "i++"].join(", ")}) { turns += 1; ${body.map((one) => `${one};`).join(" ")} await lab.put({ n: f() }); await lab.put({ n: i }); fs.push(g); }
for (const f of fs.slice(0, 6)) await lab.put({ n: f() });`,
      );
    let same = 0;
    await fc.assert(
      fc.asyncProperty(loop, async (body) => {
        if (await expectSame(body)) same += 1;
      }),
      { numRuns: runs(100) },
    );
    expect(same).toBeGreaterThan(atLeast(40));
  });
});
