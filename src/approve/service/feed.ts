/** Notifies listeners of changes by this process, or by another one on the same store. */
import type { Change, RequestStore } from "../requests/store.ts";
import type { Log } from "./ports.ts";

/** LIMIT: changes that are read at once. */
const pageLength = 500;

export class Feed {
  readonly #store: RequestStore;
  readonly #log: Log;
  readonly #listeners = new Set<(change: Change) => void>();
  #seen = 0;
  #looking: Promise<void> | undefined;
  #isAsked = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: RequestStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** The last change that was told. */
  get seen(): number {
    return this.#seen;
  }

  async start(): Promise<void> {
    this.#seen = await this.#store.lastChange();
    this.#store.database.onNudge(() => this.look());
    this.#timer = setInterval(() => this.look(), this.#store.database.lookEveryMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#listeners.clear();
    await this.#looking;
  }

  /** Gives a way to listen no more. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something may have changed. */
  look(): void {
    this.#isAsked = true;
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookAll(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      try {
        const changes = await this.#store.changesAfter(this.#seen, pageLength);
        for (const change of changes) {
          this.#seen = change.change;
          for (const listener of [...this.#listeners]) listener(change);
        }
        if (changes.length === pageLength) this.#isAsked = true;
      } catch (error) {
        // The next look comes by itself.
        this.#log("warning", "store", { why: error instanceof Error ? error.message : String(error) });
      }
    }
  }
}
