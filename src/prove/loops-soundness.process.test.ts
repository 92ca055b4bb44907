/**
 * What is proved of loops over lists that are not known is never broken by a run, whatever lists the tools return, and
 * what is refuted is. The interpreter is the judge.
 */
import { afterAll, expect, test } from "vitest";
import { loopCase, smallLoops, usualLoops } from "../../tests/support/loops/programs.ts";
import { wrongIn } from "../../tests/support/loops/runs.ts";
import { seed as givenSeed, runs } from "../../tests/support/runs.ts";
import { prove } from "./prove.ts";
import { z3Wasm } from "./solver/z3-wasm.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

test.each([
  ["large", usualLoops, 30, { timeoutMs: 4_000, resources: 1_000_000 }],
  ["small", smallLoops, 300, { timeoutMs: 4_000, resources: 20_000 }],
] as const)(
  "no run breaks what is proved of %s loops",
  { timeout: 3_600_000 },
  async (_, size, n, limits) => {
    const tally = new Map<string, number>();
    const count = (kind: string) => tally.set(kind, (tally.get(kind) ?? 0) + 1);
    const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
    for (let seed = first; seed < first + runs(n); seed++) {
      const one = loopCase(seed, size);
      const proof = await prove(one.checked, { solver: async () => solver, limits });
      for (const { verdict } of [...proof.guarantees, ...proof.obligations])
        count(verdict.kind === "proved" ? `proved by ${verdict.by}` : verdict.kind);
      expect(await wrongIn(one, proof, seed, 25, count), `seed ${seed}\n${one.text}`).toBeUndefined();
    }
    for (const kind of ["proved by induction", "refuted", "unknown", "kept"])
      expect(tally.get(kind) ?? 0).toBeGreaterThan(0);
  },
);
