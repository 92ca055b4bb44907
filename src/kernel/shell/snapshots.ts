/**
 * Schedules snapshots of states that an entry vouches for. Saving is asynchronous, and a failed snapshot costs only
 * time later.
 */
import type { KernelState } from "../core/state.ts";
import { snapshotSize, snapshotText } from "../trace/snapshot.ts";
import type { Log } from "./log.ts";

/** While steps are taken, so many entries must pay for each part of a snapshot. */
const spread = 4;
/** On closing, a snapshot is worth it if it is at most so many times the work of the entries since the last one. */
const worth = 64;

export class Snapshots {
  readonly #log: Log;
  readonly #every: number;
  #saved: number;
  #saving: Promise<void> | undefined;

  constructor(log: Log, every: number, saved: number) {
    this.#log = log;
    this.#every = log.saveSnapshot === undefined ? 0 : every;
    this.#saved = saved;
  }

  /** A big state is saved less often, so that saving costs a small part of the steps themselves. */
  saveIfDue(state: KernelState | undefined): void {
    if (state === undefined) return;
    const due = Math.max(this.#every, spread * snapshotSize(state));
    if (this.#every > 0 && this.#saving === undefined && state.seq - this.#saved >= due) this.#save(state);
  }

  async end(state: KernelState | undefined): Promise<void> {
    await this.#saving;
    if (state === undefined) return;
    const isWorthIt = (state.seq - this.#saved) * worth >= snapshotSize(state);
    if (this.#every > 0 && state.seq > this.#saved && isWorthIt) this.#save(state);
    await this.#saving;
  }

  #save(state: KernelState): void {
    this.#saved = state.seq;
    // On any failure: the steps are committed, and the caller must learn that and nothing else.
    this.#saving = this.#write(state)
      .catch(() => undefined)
      .then(() => {
        this.#saving = undefined;
      });
  }

  async #write(state: KernelState): Promise<void> {
    const bytes = new TextEncoder().encode(snapshotText(state));
    await this.#log.saveSnapshot?.(state.name, { seq: state.seq, bytes });
  }
}
