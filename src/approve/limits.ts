/** LIMIT: every bound of a receipt, in one place. What lies beyond one is refused. Part of what must be trusted. */
export const receiptLimits = {
  /** Code units of the text of a receipt. */
  length: 4_096,
  /** Code units of who decided. */
  byLength: 200,
  /** Maximum uses of one receipt: the ledger is asked about each earlier use. */
  uses: 20,
  /** Milliseconds from the first moment to the last: a year. */
  lifetimeMs: 366 * 24 * 60 * 60 * 1000,
} as const;
