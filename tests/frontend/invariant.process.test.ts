/** `invariant(…)` and loops whose bound is proved, from source to verdict: both are shown, and never believed. */
import { afterAll, expect, it } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { labModule } from "./lab.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const contracts =
  "export const total = contract((n: number) => put.sum((p) => p.n) <= n);\nexport const puts = contract((n: number) => put.count() <= n);\n";

async function verdictsOf(guarantee: string, body: string): Promise<readonly string[]> {
  const files = new Map([
    ["/tools/lab.ts", labModule + contracts],
    [
      "/program.ts",
      `import { invariant, program } from "foreclaim";\nimport * as lab from "./tools/lab";\nexport default program({ guarantees: [${guarantee}], async run() {\n${body}\n} });\n`,
    ],
  ]);
  const compiled = compileProgram("/program.ts", { readFile: (path) => files.get(path) });
  if (!compiled.ok) return compiled.problems.map(({ code }) => code);
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new TypeError("a compiled document does not check");
  const limits = { timeoutMs: 60_000, resources: 20_000_000 };
  const proof = await prove(checked.value, { solver: async () => solver, limits });
  return [...proof.guarantees, ...proof.obligations].map(({ verdict }) => verdict.kind);
}

const loop = (stated: string, step: string) =>
  `let left = 8; let spent = 0;
   for (const row of await lab.rows()) {
     ${stated}
     if (left < 1) break;
     await lab.put({ n: 5 });
     left -= 1;
     spent += ${step};
   }`;
const kept = "invariant(left >= 0 && spent + 5 * left === 40);";

it.each<[name: string, guarantee: string, body: string, expected: readonly string[]]>([
  ["is proved, and helps", "lab.total(40)", loop(kept, "5"), ["proved", "proved"]],
  ["is refuted where it is not kept", "lab.puts(10)", loop(kept, "row.ok ? 5 : 4"), ["proved", "refuted"]],
  [
    "is refuted where it does not hold at first",
    "lab.puts(10)",
    loop("invariant(spent > 0);", "5"),
    ["proved", "refuted"],
  ],
  [
    "may speak of the element, and is then only an obligation",
    "lab.puts(10)",
    loop("invariant(row.n >= 0);", "5"),
    ["proved", "refuted"],
  ],
  [
    "stands outside of loops too",
    "lab.puts(0)",
    "const n = await lab.read({ key: 'a' }); invariant(n > 0);",
    ["proved", "refuted"],
  ],
  ["takes a condition", "lab.puts(0)", "(invariant as () => void)();", ["FC2314"]],
  ["takes one condition", "lab.puts(0)", "const a = true; invariant(a, a);", ["FC2314"]],
])("invariant: %s", { timeout: 120_000 }, async (_, guarantee, body, expected) => {
  expect(await verdictsOf(guarantee, body)).toEqual(expected);
});

it.each<[name: string, guarantee: string, body: string, expected: readonly string[]]>([
  [
    "counts only what failed",
    "lab.puts(3)",
    "let sent = false; let tries = 0; while (!sent && tries < 3) { try { await lab.put({ n: 1 }); sent = true; } catch { tries += 1; } }",
    ["proved", "proved"],
  ],
  [
    "counts not in every turn",
    "lab.puts(9)",
    "let sent = false; let tries = 0; while (!sent && tries < 3) { try { await lab.put({ n: 1 }); tries += 1; } catch { sent = false; } }",
    ["proved", "refuted"],
  ],
])("while: %s", { timeout: 120_000 }, async (_, guarantee, body, expected) => {
  expect(await verdictsOf(guarantee, body)).toEqual(expected);
});
