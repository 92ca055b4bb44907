/** Rate limiting with one token bucket per name. Memory is bounded, however many names there are. */
import { serviceLimits } from "./limits.ts";

export class Rate {
  readonly #perMs: number;
  readonly #most: number;
  readonly #buckets = new Map<string, { level: number; atMs: number }>();

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#perMs = most / windowMs;
  }

  /** Takes a token; returns false if the bucket is empty. */
  take(name: string, nowMs: number): boolean {
    const level = this.#level(name, nowMs);
    if (level < 1) return false;
    this.#put(name, level - 1, nowMs);
    return true;
  }

  /** Returns true if the bucket holds a token. */
  has(name: string, nowMs: number): boolean {
    return this.#level(name, nowMs) >= 1;
  }

  #level(name: string, nowMs: number): number {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return this.#most;
    return Math.min(this.#most, bucket.level + Math.max(0, nowMs - bucket.atMs) * this.#perMs);
  }

  /** The one that asked longest ago is forgotten first, which forgives it; there is no other way to stay bounded. */
  #put(name: string, level: number, atMs: number): void {
    this.#buckets.delete(name);
    this.#buckets.set(name, { level, atMs });
    if (this.#buckets.size <= serviceLimits.counted) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
