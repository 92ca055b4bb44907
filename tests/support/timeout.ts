import { runs } from "./runs.ts";

/** Seconds after which a test hangs: far above what any takes beside busy processes, so that load fails none. */
const leastSeconds = 600;

/** The time that a test of properties may take, in milliseconds; a soak gives it more. */
export function timeout(seconds: number): number {
  return Math.max(1, runs(1000) / 1000) * Math.max(seconds, leastSeconds) * 1000;
}
