/**
 * AgentDojo's four suites: every task is handled as the facts and the policies say it should be, and every attack is
 * refused by the policies that the facts name. The facts are not part of the repository.
 */
import { afterAll, describe, expect, it } from "vitest";
import { pairsOf, takeoversOf } from "../../bench/agentdojo/attacks.ts";
import { everything } from "../../bench/agentdojo/everything.ts";
import { factsFolder, readSuite, type SuiteName } from "../../bench/agentdojo/facts.ts";
import { approvalsFor } from "../../bench/agentdojo/judge.ts";
import { levels } from "../../bench/agentdojo/policies.ts";
import { missesOf } from "../../bench/agentdojo/print.ts";
import { Workbench } from "../../bench/agentdojo/prove.ts";
import { isPlannable } from "../../bench/agentdojo/provenance.ts";
import { ROOT } from "../../scripts/tools.mjs";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { seed } from "../support/runs.ts";

const folder = factsFolder(ROOT);
const notice =
  folder === undefined ? " (its facts are not here: FORECLAIM_AGENTDOJO names their folder)" : "";

const solver = z3Wasm();
afterAll(() => solver.close());

interface Numbers {
  /** Tasks that need no person: under the published policy, and with the strict one or the request beside it. */
  readonly alone: readonly number[];
  readonly tasks: number;
  /** Tasks that nobody can plan. */
  readonly left: readonly number[];
  readonly triples: number;
  readonly takeovers: number;
  /** LIMIT: `npm run agentdojo` and `npm run soak` take all. */
  readonly every: number;
}

const numbers: readonly (readonly [SuiteName, Numbers])[] = [
  ["banking", { alone: [5, 4, 5], tasks: 16, left: [12], triples: 135, takeovers: 70, every: 13 }],
  ["workspace", { alone: [31, 20, 30], tasks: 40, left: [13, 19], triples: 770, takeovers: 165, every: 61 }],
  ["slack", { alone: [5, 1, 2], tasks: 21, left: [18, 19], triples: 125, takeovers: 165, every: 13 }],
  ["travel", { alone: [20, 14, 20], tasks: 20, left: [], triples: 343, takeovers: 52, every: 29 }],
];

describe.skipIf(folder === undefined)(`AgentDojo${notice}`, () => {
  it.each(numbers)(
    "%s",
    { timeout: 300_000 },
    async (name, { alone, tasks, left, triples, takeovers, every }) => {
      const suite = readSuite(folder ?? "", name);
      const planned = suite.user_tasks.filter(isPlannable);
      expect(suite.user_tasks).toHaveLength(tasks);
      expect(suite.user_tasks.filter((task) => !planned.includes(task)).map(({ id }) => id)).toEqual(
        left.map((n) => `user_task_${n}`),
      );
      expect(pairsOf(suite)).toHaveLength(triples);
      expect(takeoversOf(suite)).toHaveLength(takeovers);
      const needsNobody = (task: (typeof planned)[number], level: (typeof levels)[number]) =>
        [approvalsFor(suite, task, "policy"), approvalsFor(suite, task, level)].flat().length === 0;
      expect(levels.map((level) => planned.filter((task) => needsNobody(task, level)).length)).toEqual(alone);

      const part = { every, everyTask: 3, first: seed() ?? 0 };
      const found = await everything(new Workbench(ROOT, solver), suite, part);
      expect(missesOf({ suite, found, proofs: 0 })).toEqual([]);
      expect(Math.min(found.benign.length, found.bases.length, found.attacks.length)).toBeGreaterThan(0);
    },
  );
});
