/**
 * No run breaks a proved guarantee about loops over unknown lists, for any lists from tools, and some run breaks a
 * refuted one. The interpreter is the judge.
 */
import { afterAll, expect, test } from "vitest";
import { type WayName, waysWith, wrongWith } from "../../../tests/support/loops/fuzz.ts";
import { atLeast, seed as givenSeed, runs } from "../../../tests/support/runs.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const ways = waysWith(solver);

test.each<[way: WayName, programs: number]>([
  ["large", 6],
  ["small", 240],
  ["by looking", 1_000],
])(
  "no run breaks what is proved of loops: %s, %d programs",
  { timeout: 3_600_000 },
  async (way, programs) => {
    const tally = new Map<string, number>();
    const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
    for (let seed = first; seed < first + runs(programs); seed++)
      expect(await wrongWith(seed, ways[way], tally)).toBeUndefined();
    // A test of proofs that finds nothing to prove tests nothing; a few programs may be anything.
    const invariants = ["invariant proved", "invariant refuted", "automaton proved", "automaton refuted"];
    const kinds = ["proved by induction", "refuted", "unknown", "kept", "min or max proved", ...invariants];
    if (programs < 1_000) return;
    for (const kind of kinds) expect(tally.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(atLeast(1));
  },
);
