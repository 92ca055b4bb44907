/**
 * Effort of the property tests, from the environment: FORECLAIM_RUNS multiplies the number of runs, FORECLAIM_SEED
 * repeats the runs of a seed.
 */

const scale = numberFrom("FORECLAIM_RUNS") ?? 1;

/** The number of runs for a property that normally takes `n`: `fc.assert(property, { numRuns: runs(500) })`. */
export function runs(n: number): number {
  return Math.max(1, Math.round(n * scale));
}

/**
 * Returns the least number that so many runs must show. With fewer runs than usual nothing is required: their
 * findings are chance, and the usual number shows that a property looks at what it is for.
 */
export function atLeast(n: number): number {
  return scale < 1 ? -1 : runs(n);
}

/** The seed to use, if one was asked for; fast-check has it already, this is for other sources of chance. */
export function seed(): number | undefined {
  return numberFrom("FORECLAIM_SEED");
}

/**
 * Returns the cases whose turn it is: every so-many-th of them, by the seed. Commits take other turns, and a soak takes all of
 * them.
 */
export function inTurns<T>(cases: readonly T[], turns: number): T[] {
  const turn = (seed() ?? 0) % turns;
  return scale > 1 ? [...cases] : cases.filter((_, i) => i % turns === turn);
}

function numberFrom(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const number = Number(text);
  // A typo must not quietly turn into a normal run that looks like the asked-for one.
  if (!Number.isFinite(number)) throw new Error(`${name} is not a number: ${text}`);
  return number;
}
