/** Verdicts about programs that read JSON: what a check before a call proves, and what it does not. */
import { afterAll, describe, expect, test } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { nobody } from "../support/net/attempt.ts";
import { labModule, sourceOf } from "./lab.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const module = `${labModule}
export const small = contract((n: number) => put.all((p) => p.n <= n));
export const silent = contract(() => say.none());
export const puts = contract((n: number) => put.count() <= n);`;

async function verdictOf(body: string, guarantee: string, by: "solver" | "nobody"): Promise<string> {
  const source = sourceOf({ input: "{ text: string; any: unknown }", body }).replace(
    "lab.nothing()",
    guarantee,
  );
  const files: Record<string, string> = { "program.ts": source, "tools/lab.ts": module };
  const compiled = compileProgram("program.ts", { readFile: (path) => files[path] });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems, null, 1));
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const proof = await prove(checked.value, {
    solver: async () => (by === "solver" ? solver : nobody),
    limits: { timeoutMs: 20_000, resources: 500_000 },
  });
  return proof.guarantees[0]?.verdict.kind ?? "none";
}

const rows = "const rows = JSON.parse(input.text) as { n: number; ok: boolean }[];";

describe("what a program checks is proved", () => {
  test.each([
    [
      "a bound after a cast",
      `${rows} for (const r of rows) if (r.n <= 5) await lab.put({ n: r.n });`,
      "lab.small(5)",
    ],
    [
      "a bound after typeof",
      "const x = input.any; if (typeof x === 'number' && x <= 5) await lab.put({ n: x });",
      "lab.small(5)",
    ],
    [
      "a bound after a tag",
      "const x = JSON.parse(input.text) as { k: 'a'; n: number } | { k: 'b' }; if (x.k === 'a' && x.n <= 5) await lab.put({ n: x.n });",
      "lab.small(5)",
    ],
    ["no call after a failed cast", `${rows} await lab.put({ n: 1 });`, "lab.silent()"],
    [
      "one call at most, whether it throws or not",
      "try { const x = JSON.parse(input.text) as { n: number }; await lab.put({ n: x.n }); } catch { await lab.say({ text: 'bad' }); }",
      "lab.puts(1)",
    ],
  ])("%s", async (_, body, guarantee) => {
    expect(await verdictOf(body, guarantee, "solver")).toBe("proved");
  });
});

describe("what it does not check is not proved, with and without a solver", () => {
  test.each([
    [
      "a weaker bound",
      `${rows} for (const r of rows) if (r.n <= 6) await lab.put({ n: r.n });`,
      "lab.small(5)",
    ],
    [
      "a bound of another field",
      "const x = JSON.parse(input.text) as { a: number; n: number }; if (x.a <= 5) await lab.put({ n: x.n });",
      "lab.small(5)",
    ],
    [
      "texts of objects in another order",
      "const n = input.text; const a = JSON.stringify({ a: n, b: 1 }); const b = JSON.stringify({ b: 1, a: n }); if (a !== b) await lab.say({ text: 'x' });",
      "lab.silent()",
    ],
    [
      "texts of unknown values",
      "const a = JSON.stringify(input.any); if (a !== input.text) await lab.say({ text: 'x' });",
      "lab.silent()",
    ],
    ["a cast that may succeed", `${rows} await lab.say({ text: "x" });`, "lab.silent()"],
    ["a cast that may fail", `try { ${rows} } catch { await lab.say({ text: "x" }); }`, "lab.silent()"],
    [
      "a step that may throw",
      "try { const y = (input.any as any).a.b; } catch { await lab.say({ text: 'x' }); }",
      "lab.silent()",
    ],
    [
      "the order of keys",
      "if (JSON.stringify(JSON.parse(input.text)) !== input.text) await lab.say({ text: 'x' });",
      "lab.silent()",
    ],
  ])("%s", async (_, body, guarantee) => {
    for (const by of ["solver", "nobody"] as const)
      expect(await verdictOf(body, guarantee, by), by).not.toBe("proved");
  });
});
