import { callLimits } from "../../run/index.ts";

/** LIMIT: what a run of a plan may be asked for. What lies beyond is refused before anything happens. */
export const runLimits = {
  /** Actions of a plan that is run: as many as a kernel can roll back. */
  actions: 10_000,
  /** Actions that run at the same time. */
  concurrency: 1_000,
  /** Tries of one action after the first. */
  retries: 100,
  ...callLimits,
} as const;

export const runDefaults = { concurrency: 8, graceMs: 1_000 } as const;

/**
 * LIMIT: tries of a compensation after the first, where trying again does no harm.
 * SOUNDNESS: proofs count so many calls, so this is the one place that says how many.
 */
export const undoRetries = 3;
