/**
 * Programs with loops and fluents that differ from an example in one place, as a slip of an agent would make them: no
 * run by chance breaks what is proved of them, and what is refuted is broken by the run that is shown.
 */
import { afterAll, expect, it } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { type Checked, check, type Document, judge } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { obligationCodes } from "../../src/prove/symbolic/call-events.ts";
import { mutationsOf } from "../support/mutations.ts";
import { byLooking, type Tally, wrongProofs } from "../support/net/attempt.ts";
import { Chance, hashText } from "../support/program/chance.ts";
import { atLeast, seed as givenSeed, runs } from "../support/runs.ts";
import { examples, readFile } from "./examples.ts";
import { randomRun } from "./random-runs.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const limits = { timeoutMs: 5_000, resources: 2_000_000 };
const documents = examples
  .filter(({ domain }) => ["club", "warehouse", "order"].includes(domain))
  .map(({ path, name }) => ({ name, document: compiled(path) }));

function compiled(path: string): Document {
  const found = compileProgram(path, { readFile });
  if (!found.ok) throw new Error(`${path} does not compile`);
  return found.value.document;
}

interface Mutant {
  readonly what: string;
  readonly checked: Checked;
}

/** One that still makes sense, changed in the program, in a promise or in what a tool says of itself. */
function mutantFrom(chance: Chance, document: Document): Mutant | undefined {
  const mutants = mutationsOf(document);
  for (let i = 0; i < 40; i++) {
    const { what, document: changed } = chance.pick(mutants);
    const checked = check(changed);
    if (checked.ok) return { what, checked: checked.value };
  }
  return undefined;
}

it("no run breaks what is proved of a changed example", { timeout: 3_600_000 }, async () => {
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  const tally = { proved: 0, refuted: 0, unknown: 0 };
  const attempts: Tally = new Map();
  for (let seed = first; seed < first + runs(30); seed++) {
    const chance = Chance.seeded(hashText(`mutant ${seed}`));
    const { name, document } = chance.pick(documents);
    const mutant = mutantFrom(chance, document);
    if (mutant === undefined) continue;
    const where = `seed ${seed}, ${name}: ${mutant.what}`;
    const { guarantees, obligations } = await prove(mutant.checked, { solver: async () => solver, limits });
    for (const { verdict } of [...guarantees, ...obligations]) tally[verdict.kind] += 1;
    for (const { guarantee, verdict } of guarantees) {
      if (verdict.kind !== "refuted" || guarantee.formula === undefined) continue;
      expect(judge(mutant.checked, guarantee.formula, verdict.run).kind, where).toBe("violated");
    }
    expect(await wrongProofs(mutant.checked, seed, byLooking, attempts), where).toEqual([]);
    const open = obligations.filter(({ verdict }) => verdict.kind !== "proved");
    for (let i = 0; i < 25; i++) {
      const { inputs, trace, outcome } = await randomRun(mutant.checked, seed + i, i % 4 === 0 ? 25 : 0);
      const stopped = outcome.kind === "stopped" ? outcome.problem : undefined;
      if (stopped !== undefined && Object.values(obligationCodes).some((code) => code === stopped.code))
        expect(
          open.map(({ obligation }) => obligation.path.join()),
          `${where}: ${stopped.message}`,
        ).toContain(stopped.path.join());
      for (const { guarantee, verdict, interruption } of guarantees) {
        const { formula } = guarantee;
        if (verdict.kind !== "proved" || formula === undefined) continue;
        const kept = (length: number) =>
          judge(mutant.checked, formula, { inputs, trace: trace.slice(0, length) }).kind;
        if (stopped === undefined) expect(kept(trace.length), where).not.toBe("violated");
        for (let length = 0; interruption?.kind === "safe" && length < trace.length; length++)
          expect(kept(length), `${where}, after ${length} calls`).not.toBe("violated");
      }
    }
  }
  expect(tally.proved).toBeGreaterThan(atLeast(3));
  expect(tally.refuted).toBeGreaterThan(atLeast(1));
  expect(attempts.get("attempted") ?? 0).toBeGreaterThan(atLeast(1));
});
