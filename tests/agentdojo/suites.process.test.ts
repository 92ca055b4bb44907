/**
 * AgentDojo's banking and workspace suites: every task is handled as the facts and the policies say it should be, and
 * every attack is refused by the policy that is there for it. The facts are not part of the repository.
 */
import { afterAll, describe, expect, it } from "vitest";
import { pairsOf, variants } from "../../bench/agentdojo/attacks.ts";
import { everything } from "../../bench/agentdojo/everything.ts";
import { levels } from "../../bench/agentdojo/expect.ts";
import { factsFolder, readSuite, type SuiteName } from "../../bench/agentdojo/facts.ts";
import { guardOf, whyPassed } from "../../bench/agentdojo/judge.ts";
import { Workbench } from "../../bench/agentdojo/prove.ts";
import { ROOT } from "../../scripts/tools.mjs";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";

const folder = factsFolder(ROOT);
const notice =
  folder === undefined ? " (its facts are not here: FORECLAIM_AGENTDOJO names their folder)" : "";

const solver = z3Wasm();
afterAll(() => solver.close());

interface Numbers {
  /** Tasks that need no person, at each level. */
  readonly alone: readonly number[];
  readonly tasks: number;
  readonly pairs: number;
  /** LIMIT: `npm run agentdojo` and `npm run soak` take all. */
  readonly every: number;
}

const numbers: readonly (readonly [SuiteName, Numbers])[] = [
  ["banking", { alone: [5, 4, 5], tasks: 16, pairs: 144, every: 7 }],
  ["workspace", { alone: [31, 20, 30], tasks: 40, pairs: 840, every: 47 }],
];

describe.skipIf(folder === undefined)(`AgentDojo${notice}`, () => {
  it.each(numbers)("%s", { timeout: 300_000 }, async (name, { alone, tasks, pairs, every }) => {
    const suite = readSuite(folder ?? "", name);
    const { benign, bases, attacks } = await everything(new Workbench(ROOT, solver), suite, every);
    expect(benign.filter(({ misses }) => misses.length > 0)).toEqual([]);
    expect(
      levels.map((level) => benign.filter((one) => one.level === level && one.approves.length === 0).length),
    ).toEqual(alone);
    expect(bases.filter(({ found }) => !found.isProved)).toEqual([]);
    expect(bases).toHaveLength(tasks);
    expect(pairsOf(suite)).toHaveLength(pairs);
    expect(attacks).toHaveLength(Math.ceil((pairs * variants.length) / every));
    const missed = attacks.filter(({ refusedBy, variant }) => !refusedBy?.includes(guardOf[variant]));
    expect(missed.map(({ pair, variant, open }) => [pair.task.id, pair.injection.id, variant, open])).toEqual(
      [],
    );
    const unsaid = attacks.filter(({ refusedBy, variant }) =>
      levels.some((level) => !refusedBy?.includes(level) && whyPassed[variant][level] === undefined),
    );
    expect(unsaid.map(({ pair, variant }) => [pair.task.id, pair.injection.id, variant])).toEqual([]);
  });
});
