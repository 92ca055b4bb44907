/**
 * Which assumptions a goal needs: those that can be left out make the question smaller for everyone who asks it again.
 * It need not be the least number; the answer to the question with those that stay was `unsat`.
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
  // Parts of a half, then of a quarter, and so on are left out if the goal follows without them.
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
