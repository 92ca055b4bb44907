/** A few connections to the server, each made ready for a ledger before it is used, and asked to flush its commits. */

import pg from "pg";
import { LedgerUnavailable } from "../port.ts";
import type { Address } from "./address.ts";

/** LIMIT: one for each kernel that is busy at the same time; more kernels take turns. */
const MAX_CONNECTIONS = 4;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 15_000;
const LOCK_MS = 5_000;
/** A process that stands still inside a transaction holds up everyone; the server ends its session. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** The server did not even report that time was up: the way to it is broken. */
const ANSWER_MS = 20_000;
const OLDEST_SERVER = 130_000;

export class Connections {
  readonly #pool: pg.Pool;
  readonly #shown: string;
  readonly #ready = new WeakSet<pg.PoolClient>();

  constructor({ connectionString, shown }: Address) {
    this.#shown = shown;
    try {
      this.#pool = new pg.Pool({
        connectionString,
        max: MAX_CONNECTIONS,
        connectionTimeoutMillis: CONNECT_MS,
        query_timeout: ANSWER_MS,
        keepAlive: true,
        allowExitOnIdle: true,
        application_name: "foreclaim",
      });
    } catch {
      throw LedgerUnavailable.for("unreadable parameters", { url: shown });
    }
    // A connection that breaks while no one uses it is dropped by the pool; the next one who asks gets a new one.
    this.#pool.on("error", () => {});
    // One that breaks while it is used also fails its query, which is where it is noticed.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /** Lends a connection. It is given back if `work` resolves, and thrown away if it rejects. */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
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

  async end(): Promise<void> {
    await this.#pool.end();
  }

  async #prepare(client: pg.PoolClient): Promise<void> {
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
    if (found.version < OLDEST_SERVER) throw LedgerUnavailable.for("too old", { url: this.#shown });
    if (found.standby) throw LedgerUnavailable.for("standby", { url: this.#shown });
    if (found.encoding !== "UTF8") throw LedgerUnavailable.for("not UTF-8", { url: this.#shown });
    if (found.fsync !== "on") {
      throw LedgerUnavailable.for("fsync off", { url: this.#shown });
    }
    // INVARIANT: a commit is answered after it is flushed; stronger settings than `on` are left as they are.
    if (found.commits === "off") await client.query("SET synchronous_commit = on");
  }
}
