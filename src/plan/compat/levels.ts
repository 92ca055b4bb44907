/**
 * Levels as the Common Agent Runtime builds them, reconstructed: of the writers of a key only the last one of the
 * whole plan is known; a reader waits for it if it comes earlier in the list; a `state_write` waits for the one before it
 * on the same key. Preconditions, ids and references make nobody wait.
 */
import { type Action, keyOf } from "../plan.ts";

export function levelsOf(actions: readonly Action[]): number[][] {
  const writers = new Map<string, number>();
  for (const [i, action] of actions.entries()) for (const key of writtenKeys(action)) writers.set(key, i);
  const lastWrite = new Map<string, number>();
  const levelOf: number[] = [];
  const levels: number[][] = [];
  for (const [i, action] of actions.entries()) {
    let level = 0;
    const waitFor = (one: number | undefined): void => {
      if (one !== undefined && one < i) level = Math.max(level, (levelOf[one] ?? 0) + 1);
    };
    for (const key of action.stateDependencies) waitFor(writers.get(key));
    if (action.type === "state_write") {
      const key = keyOf(action);
      if (key !== undefined) {
        waitFor(lastWrite.get(key));
        lastWrite.set(key, i);
      }
    }
    levelOf.push(level);
    const row = levels[level];
    if (row === undefined) levels[level] = [i];
    else row.push(i);
  }
  return levels;
}

/** Each key once: that of a `state_write`, then the effects as they are listed. */
export function writtenKeys(action: Action): Set<string> {
  const keys = new Set<string>();
  const key = action.type === "state_write" ? keyOf(action) : undefined;
  if (key !== undefined) keys.add(key);
  for (const effect of action.expectedEffects) keys.add(effect.key);
  return keys;
}
