/**
 * Messages to webhooks, kept in the store: each request that begins to wait or is decided is told to each webhook once,
 * whichever instance sends it, also after a restart.
 */
import { number, text } from "./rows.ts";
import type { Database } from "./sql.ts";

export const webhookEvents = ["pending", "decided"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export interface Delivery {
  readonly webhook: string;
  readonly request: string;
  readonly event: WebhookEvent;
  /** Number of attempts, including this one. */
  readonly attempts: number;
}

export class Deliveries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Records a message for each of these webhooks, unless it is there. */
  add(webhooks: readonly string[], request: string, event: WebhookEvent, nowMs: number): Promise<void> {
    return this.#database.write(async (sql) => {
      for (const webhook of webhooks)
        await sql.all(
          `INSERT INTO @delivery (webhook, request, event, state, attempts, next_at, made_at)
           VALUES (?1, ?2, ?3, 'open', 0, ?4, ?5) ON CONFLICT DO NOTHING`,
          [webhook, request, event, nowMs, nowMs],
        );
    });
  }

  /** Returns the requests that wait and of which a webhook knows nothing: an instance may have died before it told. */
  async untold(webhook: string): Promise<string[]> {
    const rows = await this.#database.read((sql) =>
      sql.all(
        `SELECT id FROM @request AS r WHERE status = 'pending' AND NOT EXISTS
           (SELECT 1 FROM @delivery AS d WHERE d.request = r.id AND d.webhook = ?1 AND d.event = 'pending')
         LIMIT 500`,
        [webhook],
      ),
    );
    return rows.map(({ id }) => text(id));
  }

  /** Takes a message that is due, for as long as an attempt may last; undefined if none is. */
  take(webhooks: readonly string[], nowMs: number, leaseMs: number): Promise<Delivery | undefined> {
    if (webhooks.length === 0) return Promise.resolve(undefined);
    const places = webhooks.map((_, i) => `?${i + 2}`).join(", ");
    return this.#database.write(async (sql) => {
      const [row] = await sql.all(
        `SELECT webhook, request, event, attempts FROM @delivery
         WHERE state = 'open' AND next_at <= ?1 AND webhook IN (${places}) ORDER BY next_at, made_at LIMIT 1`,
        [nowMs, ...webhooks],
      );
      if (row === undefined) return undefined;
      const attempts = number(row.attempts) + 1;
      const key = [text(row.webhook), text(row.request), text(row.event)] as const;
      await sql.all(
        "UPDATE @delivery SET attempts = ?1, next_at = ?2 WHERE webhook = ?3 AND request = ?4 AND event = ?5",
        [attempts, nowMs + leaseMs, ...key],
      );
      const event = webhookEvents.find((one) => one === key[2]);
      if (event === undefined) throw new TypeError("an event is none");
      return { webhook: key[0], request: key[1], event, attempts };
    });
  }

  /** Settles an attempt: `open` with the time of the next one. */
  async end(
    { webhook, request, event }: Delivery,
    state: "done" | "failed" | "open",
    nextMs: number,
  ): Promise<void> {
    await this.#database.write((sql) =>
      sql.all(
        "UPDATE @delivery SET state = ?1, next_at = ?2 WHERE webhook = ?3 AND request = ?4 AND event = ?5",
        [state, nextMs, webhook, request, event],
      ),
    );
  }
}
