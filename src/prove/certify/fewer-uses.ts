/**
 * Minimizes the assumptions of a goal, like an unsat core: a smaller query is cheaper for every checker. The result
 * need not be minimal; the query with the remaining assumptions was `unsat`.
 */

/** LIMIT: of questions for one goal. */
const mostQuestions = 16;

export async function fewerUses(
  all: readonly number[],
  isEnough: (uses: readonly number[]) => Promise<boolean>,
  most = mostQuestions,
): Promise<readonly number[]> {
  if (all.length === 0) return all;
  if (await isEnough([])) return [];
  let kept = all;
  let questions = 1;
  // Parts of a half, then of a quarter, and so on are omitted if the goal follows without them.
  for (let size = Math.ceil(all.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length && kept.length > 1; ) {
      if (questions++ >= most) return kept;
      const without = kept.filter((_, i) => i < from || i >= from + size);
      if (await isEnough(without)) kept = without;
      else from += size;
    }
  }
  return kept;
}
