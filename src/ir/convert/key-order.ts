/** The order of keys that an encoded JSON object has by itself. Part of what must be trusted. */

/** Returns whether an object has its keys in this order when they are set in the order of their names. */
export function isInOrder(keys: readonly string[]): boolean {
  const made: Record<string, null> = Object.create(null);
  for (const key of keys.toSorted()) made[key] = null;
  const named = Object.keys(made);
  return keys.every((key, i) => key === named[i]);
}
