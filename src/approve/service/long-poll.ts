/** Long polling: clients wait for a change of a request, in bounded number and for a bounded time. */
import type { RequestRecord } from "../requests/record.ts";
import { onAny } from "./any-signal.ts";
import { Refusal } from "./codes.ts";
import type { Ask, Shared } from "./context.ts";
import { serviceLimits } from "./limits.ts";

export class LongPoll {
  readonly #shared: Shared;
  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** The request as soon as its revision is above that one; undefined once the time is up, or the service stops. */
  async until(id: string, revision: number, ms: number, c: Ask): Promise<RequestRecord | undefined> {
    const { feed, ports, stopping, metrics } = this.#shared;
    const { name } = c.get("who").credential;
    const here = this.#counts.get(name) ?? 0;
    if (here >= serviceLimits.waitingEach || this.#all >= serviceLimits.waiting)
      throw new Refusal("FC4110", "too many clients are waiting", "wait a moment");
    this.#counts.set(name, here + 1);
    this.#all++;
    metrics.count("foreclaim_waiting");
    const leaving: (() => void)[] = [];
    try {
      let isOver = false;
      const changed = new Promise<void>((resolve) => {
        const end = (): void => {
          isOver = true;
          resolve();
        };
        const timer = setTimeout(end, ms);
        leaving.push(() => clearTimeout(timer), onAny([stopping, c.req.raw.signal], end));
        // Before it is read: what changes in between is heard.
        leaving.push(
          feed.listen((change) => {
            if (change.id === id && change.revision > revision) resolve();
          }),
        );
      });
      const now = await ports.store.get(id);
      if (now !== undefined && now.revision > revision) return now;
      if (!isOver) await changed;
      return await ports.store.get(id);
    } finally {
      for (const leave of leaving) leave();
      metrics.count("foreclaim_waiting", "", -1);
      this.#all--;
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left === 0) this.#counts.delete(name);
      else this.#counts.set(name, left);
    }
  }
}
