/**
 * Group commit: what is asked while the engine is busy waits and goes in one transaction afterwards, so that a flush
 * to disk, which is what takes the time, is shared by all who wait for it.
 */

import type { Outcome, Request } from "./commit-batch.ts";

/** LIMIT: requests that share a transaction; more wait for the next one, so that no one holds the lock for long. */
const MAX_GROUP = 256;

/** Makes the requests durable, in order, and says what became of each; when it rejects, that goes for all of them. */
export type Commit = (group: readonly Request[]) => Promise<readonly Outcome[]>;

interface Waiting extends Request {
  readonly settle: (outcome: Outcome) => void;
}

export class GroupCommit {
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  readonly #commit: Commit;

  constructor(commit: Commit) {
    this.#commit = commit;
  }

  add(request: Request): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome) => (outcome.kind === "done" ? resolve() : reject(outcome.error));
      this.#waiting.push({ ...request, settle });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Those whom the last commit answered get their turn first: what they ask next can share this one.
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#waiting.splice(0, MAX_GROUP);
      const outcomes = await this.#commit(group).catch((error: unknown) =>
        group.map((): Outcome => ({ kind: "thrown", error })),
      );
      for (const [index, { settle }] of group.entries()) settle(outcomes[index] ?? unanswered);
    }
    this.#running = undefined;
  }
}

const unanswered: Outcome = { kind: "thrown", error: new Error("a request was not answered") };
