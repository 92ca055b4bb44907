// A reporter for vitest that ends a run in which a test file does not end. Vitest's own time limits cannot: a loop
// without an `await` keeps their timer from firing, and the run would stand still without a word of where.

/** LIMIT: far above what the longest file takes on a busy machine. */
const STALLED_MS = 30 * 60_000;
const LOOK_EVERY_MS = 15_000;

/** @typedef {{ readonly moduleId: string }} TestModule */

export default class StalledTests {
  /** @type {Map<string, number>} */
  #startedMs = new Map();
  #timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();

  /** @param {TestModule} module */
  onTestModuleStart({ moduleId }) {
    this.#startedMs.set(moduleId, performance.now());
  }

  /** @param {TestModule} module */
  onTestModuleEnd({ moduleId }) {
    this.#startedMs.delete(moduleId);
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
  }

  #look() {
    const stalled = stalledOf(this.#startedMs, performance.now());
    if (stalled.length === 0) return;
    for (const file of stalled)
      console.error(`${file} runs for over ${STALLED_MS / 60_000} minutes: stopped`);
    process.exit(1);
  }
}

/**
 * @param {ReadonlyMap<string, number>} startedMs by file
 * @param {number} nowMs
 */
export function stalledOf(startedMs, nowMs) {
  return [...startedMs].filter(([, ms]) => nowMs - ms > STALLED_MS).map(([file]) => file);
}
