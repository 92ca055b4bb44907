/** Changes of a store, for those who wait: at once where the engine tells of them, and now and then everywhere. */
import type { Database } from "../../approve/index.ts";

export class Changes {
  readonly #waiting = new Set<() => void>();

  constructor(database: Pick<Database, "onNudge">) {
    database.onNudge(() => {
      for (const wake of [...this.#waiting]) wake();
    });
  }

  /** Resolves at the next change, after the time, or when the signal is aborted. */
  next(mostMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, mostMs);
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
      if (signal.aborted) wake();
    });
  }
}
