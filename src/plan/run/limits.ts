import { callLimits } from "../../run/index.ts";

/** LIMIT: what a run of a plan may be asked for. What lies beyond is refused before anything happens. */
export const runLimits = {
  /** Actions of a plan that is run: as many as a kernel can roll back. */
  actions: 10_000,
  /** Tries of one action after the first. */
  retries: 100,
  ...callLimits,
} as const;
