/** Retries with exponential backoff and full jitter, for a database that is busy or away. */

export interface Backoff {
  /** From the first attempt to the last. */
  readonly totalMs: number;
  readonly firstWaitMs: number;
  /** The bound of waits doubles up to this, or halves down to it if it is below the first: then who waits longest asks most. */
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
    const factor = 2 ** Math.min(tries, 16);
    const boundMs =
      longestWaitMs < firstWaitMs
        ? Math.max(longestWaitMs, firstWaitMs / factor)
        : Math.min(longestWaitMs, firstWaitMs * factor);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * boundMs));
  }
}
