/** Retries with exponential backoff and full jitter, for a database that is busy or away. */

export interface Backoff {
  /** From the first attempt to the last. */
  readonly totalMs: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** Calls `attempt` until it succeeds, fails for good, or time is up; then throws the last error. */
export async function retry<T>(
  { totalMs, firstWaitMs, longestWaitMs }: Backoff,
  attempt: () => Promise<T> | T,
  isTransient: (error: unknown) => boolean,
): Promise<T> {
  const endMs = performance.now() + totalMs;
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTransient(error) || performance.now() >= endMs) throw error;
    }
    // Full jitter: writers that collided once do not collide again at the same moment.
    const boundMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries, 16));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * boundMs));
  }
}
