/** All tasks and all pairs of a suite, or every so many of the pairs. */
import { pairsOf, variants } from "./attacks.ts";
import { levels } from "./expect.ts";
import type { Suite } from "./facts.ts";
import { type Attack, type Benign, judgeAttack, judgeBase, judgeBenign } from "./judge.ts";
import type { Found, Workbench } from "./prove.ts";

export interface Everything {
  readonly benign: readonly Benign[];
  /** The programs into which attacks are spliced, without one. */
  readonly bases: readonly { readonly task: string; readonly found: Found }[];
  readonly attacks: readonly Attack[];
}

/**
 * @param every 1 for all pairs, 10 for every tenth, which takes a tenth of the time
 * @param first which one is the first
 */
export async function everything(bench: Workbench, suite: Suite, every = 1, first = 0): Promise<Everything> {
  const benign: Benign[] = [];
  const bases: { task: string; found: Found }[] = [];
  for (const task of suite.user_tasks) {
    for (const level of levels) benign.push(await judgeBenign(bench, suite, task, level));
    bases.push({ task: task.id, found: await judgeBase(bench, suite, task) });
  }
  const attacks: Attack[] = [];
  const cases = pairsOf(suite).flatMap((pair) => variants.map((variant) => ({ pair, variant })));
  for (const [i, { pair, variant }] of cases.entries())
    if (i % every === first % every) attacks.push(await judgeAttack(bench, suite, pair, variant));
  return { benign, bases, attacks };
}
