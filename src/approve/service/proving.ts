/**
 * Has requests proved: takes those that nobody proves, holds them with a lease while it does, and settles what was found.
 * When this instance dies, its leases end, and another one, or the next start, begins again.
 */
import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as later } from "node:timers/promises";
import type { Claimed, RequestStore, WithStanding } from "../requests/store.ts";
import { onAny } from "./any-signal.ts";
import { policyDecision, standingDecision } from "./decisions.ts";
import type { Feed } from "./feed.ts";
import { serviceLimits } from "./limits.ts";
import { BeginAgain, type Ports, type Proved } from "./ports.ts";
import { unprovedResult } from "./unproved-result.ts";

export class Proving {
  readonly #ports: Ports;
  readonly #feed: Feed;
  readonly #store: RequestStore;
  readonly #by = randomBytes(8).toString("hex");
  readonly #underWay = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #taking: Promise<void> | undefined;
  #isAsked = false;
  /** Number of settled requests. */
  settled = 0;

  constructor(ports: Ports, feed: Feed) {
    this.#ports = ports;
    this.#feed = feed;
    this.#store = ports.store;
    setMaxListeners(0, this.#stop.signal);
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  start(): void {
    this.#feed.listen(({ status }) => {
      if (status === "proving") this.take();
    });
    this.#ports.prover.onRoom(() => this.take());
    // Leases of those who are gone end without a word.
    this.#timer = setInterval(() => this.take(), Math.min(1_000, this.#ports.settings.leaseMs / 2));
    this.take();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#taking;
    await Promise.all(this.#underWay);
    await this.#store.release(this.#by).catch(() => undefined);
  }

  take(): void {
    this.#isAsked = true;
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined;
    });
  }

  async #takeAll(): Promise<void> {
    while (this.#isAsked && !this.#stop.signal.aborted) {
      this.#isAsked = false;
      try {
        while (this.#ports.prover.hasRoom() && !this.#stop.signal.aborted) {
          const claimed = await this.#store.claim(this.#lease(), this.#ports.clock());
          if (claimed === undefined) break;
          const work = this.#prove(claimed).finally(() => {
            this.#underWay.delete(work);
            this.take();
          });
          this.#underWay.add(work);
        }
      } catch (error) {
        this.#ports.log("warning", "store", { why: wordsOf(error) });
      }
    }
  }

  #lease() {
    return { by: this.#by, untilMs: this.#ports.clock() + this.#ports.settings.leaseMs };
  }

  async #prove({ record, attempts }: Claimed): Promise<void> {
    const { log } = this.#ports;
    const gone = new AbortController();
    const { signal } = gone;
    const leave = onAny([this.#stop.signal], () => gone.abort());
    const isHeld = this.#hold(record.id, gone, signal);
    try {
      const proved =
        attempts > serviceLimits.attempts
          ? unprovedResult(
              `it was begun ${serviceLimits.attempts} times, and each time the service stopped before it ended`,
            )
          : await this.#ports.prover.prove(record, signal);
      await this.#settle(record, proved);
    } catch (error) {
      // Aborted, or the store is away: the lease ends, and it is begun again, as often as that is counted.
      if (!signal.aborted) log("warning", "proving", { request: record.id, why: wordsOf(error) });
      if (error instanceof BeginAgain) await this.#store.release(this.#by, record.id).catch(() => undefined);
    } finally {
      leave();
      gone.abort();
      await isHeld;
    }
  }

  async #settle(record: Claimed["record"], { found, policy }: Proved): Promise<void> {
    const given = policyDecision(this.#ports, record, found, policy);
    // A reviewer who changed the inputs is about to decide; a rule may still reject.
    const decision = record.edited !== undefined && given?.decision === "auto_approved" ? undefined : given;
    const withDecision = decision && { decision, charges: policy.charges };
    const done = await this.#store.settle(record.id, this.#by, found, withDecision, this.#standing());
    this.settled++;
    this.#feed.look();
    const status = done.kind === "changed" ? done.record.status : done.kind;
    const limit = done.kind === "used_up" ? { limit: done.limit } : {};
    this.#ports.log("info", "proved", { request: record.id, status, ...limit });
  }

  /** SOUNDNESS: while the policy cannot be read, a rule that rejects may be missing, so no approval stands. */
  #standing(): WithStanding | undefined {
    const { policy, clock } = this.#ports;
    if (policy !== null && policy.view().problem !== null) return undefined;
    const at = Math.floor(clock());
    return {
      needed: policy?.reviewers() ?? 1,
      at,
      decisionOf: (record, use) => standingDecision(this.#ports, record, use, at),
    };
  }

  /** Renews the lease until it is aborted, and aborts the proof if the lease was lost. */
  async #hold(id: string, gone: AbortController, signal: AbortSignal): Promise<void> {
    const everyMs = this.#ports.settings.leaseMs / 3;
    try {
      for (;;) {
        await later(everyMs, undefined, { signal });
        if (await this.#store.renew(id, this.#lease()).catch(() => true)) continue;
        gone.abort();
        return;
      }
    } catch {
      // The proof has ended.
    }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
