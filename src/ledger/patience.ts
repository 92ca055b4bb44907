/** How long an engine that is busy or away is asked again, and how the waits are spread. */

export interface Patience {
  /** From the first attempt to the last. */
  readonly totalMs: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** Calls `attempt` until it gives something else than `again`, or time is up: then the last reason is thrown. */
export async function patiently<T>(
  { totalMs, firstWaitMs, longestWaitMs }: Patience,
  attempt: () => Promise<T> | T,
  again: (error: unknown) => boolean,
): Promise<T> {
  const endMs = performance.now() + totalMs;
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!again(error) || performance.now() >= endMs) throw error;
    }
    // Anywhere below the bound: those who met once do not meet again at the same moment.
    const boundMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries, 16));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * boundMs));
  }
}
