/** A few connections to a server, each checked before it is used, and asked to flush its commits. */

import pg from "pg";
import { SqlFailure } from "../failure.ts";
import type { PostgresAddress } from "./address.ts";

export type PostgresConnection = pg.PoolClient;
export type PostgresResult = pg.QueryResult;

/** LIMIT: one for each kernel that is busy at the same time; more kernels take turns. */
const MAX_CONNECTIONS = 4;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 15_000;
const LOCK_MS = 5_000;
/** A process that stands still inside a transaction holds up everyone; the server ends its session. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** The server did not even report that time was up: the way to it is broken. */
const ANSWER_MS = 20_000;
/** Delay before a lost notification connection is reopened. */
const LISTEN_AGAIN_MS = 1_000;
const OLDEST_SERVER = 130_000;

export class PostgresConnections {
  readonly #address: PostgresAddress;
  readonly #pool: pg.Pool;
  readonly #ready = new WeakSet<pg.PoolClient>();
  #listening: pg.Client | undefined;
  #again: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(address: PostgresAddress) {
    this.#address = address;
    try {
      this.#pool = new pg.Pool({
        ...this.#clientOptions(),
        max: MAX_CONNECTIONS,
        query_timeout: ANSWER_MS,
        allowExitOnIdle: true,
      });
    } catch {
      throw SqlFailure.for("unreadable parameters", { url: address.shown });
    }
    // A connection that breaks while no one uses it is dropped by the pool; the next one who asks gets a new one.
    this.#pool.on("error", () => {});
    // One that breaks while it is used also fails its query, which is where it is noticed.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /** Lends a connection. It is given back if `work` resolves, and thrown away if it rejects. */
  async use<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let sound = false;
    try {
      if (!this.#ready.has(client)) await this.#prepare(client);
      this.#ready.add(client);
      const result = await work(client);
      sound = true;
      return result;
    } finally {
      client.release(!sound);
    }
  }

  /** Calls `notified` for each notification of a channel, and whenever some may have been lost. */
  listen(channel: string, notified: () => void): void {
    void this.#listen(channel, notified);
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#again);
    await this.#listening?.end().catch(() => undefined);
    await this.#pool.end();
  }

  async #listen(channel: string, notified: () => void): Promise<void> {
    const client = new pg.Client(this.#clientOptions());
    this.#listening = client;
    const lost = (): void => {
      if (this.#listening !== client) return;
      this.#listening = undefined;
      void client.end().catch(() => undefined);
      if (this.#ended) return;
      this.#again = setTimeout(() => void this.#listen(channel, notified), LISTEN_AGAIN_MS);
      this.#again.unref();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", notified);
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      notified();
    } catch {
      lost();
    }
  }

  #clientOptions(): pg.ClientConfig {
    return {
      connectionString: this.#address.connectionString,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      application_name: "foreclaim",
    };
  }

  async #prepare(client: pg.PoolClient): Promise<void> {
    const url = this.#address.shown;
    await client.query(
      `SET statement_timeout = ${STATEMENT_MS}; SET lock_timeout = ${LOCK_MS};
       SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS};
       SET client_encoding = 'UTF8'; SET bytea_output = 'hex'; SET search_path = pg_catalog`,
    );
    const { rows } = await client.query(
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commits,
         current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int AS version,
         pg_is_in_recovery() AS standby`,
    );
    const [found] = rows;
    if (found.version < OLDEST_SERVER) throw SqlFailure.for("too old", { url });
    if (found.standby) throw SqlFailure.for("standby", { url });
    if (found.encoding !== "UTF8") throw SqlFailure.for("not UTF-8", { url });
    if (found.fsync !== "on") throw SqlFailure.for("fsync off", { url });
    // INVARIANT: a commit is answered after it is flushed; stronger settings than `on` are left as they are.
    if (found.commits === "off") await client.query("SET synchronous_commit = on");
  }
}
