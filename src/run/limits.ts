/** LIMIT: what a run may be asked for, of a plan or of a program. What lies beyond is refused before anything happens. */
export const callLimits = {
  /** Milliseconds that one try may take: a day. */
  timeoutMs: 86_400_000,
  /** Milliseconds that a tool is given to answer after it was told to stop. */
  graceMs: 600_000,
  /** Calls at the same time. */
  concurrency: 1_000,
  /** Code units of the id of a run. */
  runIdLength: 64,
  /** Code units of what is kept of a reason that a tool gives. */
  reasonLength: 500,
} as const;

/** Before the second try at most `firstMs`, twice as long before each further one, and never longer than `mostMs`. */
export const backOff = { firstMs: 200, mostMs: 30_000 } as const;

/**
 * LIMIT: retries of a compensation, if repeating it does no harm.
 * SOUNDNESS: proofs count so many calls, so this is the one place that says how many.
 */
export const undoRetries = 3;
