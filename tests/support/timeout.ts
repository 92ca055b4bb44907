import { runs } from "./runs.ts";

/** The time that a test of properties may take, in milliseconds; a soak gives it more. */
export function timeout(seconds: number): number {
  return Math.max(1, runs(1000) / 1000) * seconds * 1000;
}
