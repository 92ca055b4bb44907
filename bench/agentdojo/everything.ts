/** All tasks of a suite that can be planned, and all attacks on them, or every so many of these. */
import { pairsOf, takeoversOf, variants } from "./attacks.ts";
import type { Suite } from "./facts.ts";
import {
  type Attack,
  type Benign,
  judgeAttack,
  judgeBase,
  judgeBenign,
  judgeTakeover,
  type TakenOver,
} from "./judge.ts";
import { levels } from "./policies.ts";
import type { Found, Workbench } from "./prove.ts";
import { isPlannable } from "./provenance.ts";

export interface Everything {
  readonly benign: readonly Benign[];
  /** The programs into which attacks are spliced, without one. */
  readonly bases: readonly { readonly task: string; readonly found: Found }[];
  readonly attacks: readonly Attack[];
  readonly takeovers: readonly TakenOver[];
}

/** The parts of a suite that are judged. */
export interface Part {
  /** 1 for all attacks, 10 for about every tenth, which takes a tenth of the time. */
  readonly every: number;
  /** The same for tasks. */
  readonly everyTask: number;
  /** Position of the first part, from 0. */
  readonly first: number;
}

export const all: Part = { every: 1, everyTask: 1, first: 0 };

export async function everything(bench: Workbench, suite: Suite, part: Part = all): Promise<Everything> {
  const taken = <One>(ones: readonly One[], every: number) =>
    ones.filter((_, i) => mixed(i) % every === part.first % every);
  const benign: Benign[] = [];
  const bases: { task: string; found: Found }[] = [];
  for (const task of taken(suite.user_tasks.filter(isPlannable), part.everyTask)) {
    for (const level of levels) benign.push(await judgeBenign(bench, suite, task, level));
    bases.push({ task: task.id, found: await judgeBase(bench, suite, task) });
  }
  const attacks: Attack[] = [];
  const cases = pairsOf(suite).flatMap((pair) => variants.map((variant) => ({ pair, variant })));
  for (const { pair, variant } of taken(cases, part.every))
    attacks.push(await judgeAttack(bench, suite, pair, variant));
  const takeovers: TakenOver[] = [];
  for (const takeover of taken(takeoversOf(suite), part.every))
    takeovers.push(await judgeTakeover(bench, suite, takeover));
  return { benign, bases, attacks, takeovers };
}

/** Spreads indexes, so that no part has all of its attacks from one injection or in one way. */
function mixed(i: number): number {
  return (Math.imul(i + 1, 0x9e3779b1) >>> 8) ^ 0x5bd1e;
}
