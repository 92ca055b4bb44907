/** The store in PostgreSQL, for several instances of the service. Each hears of what the others write. */
import pg from "pg";
import { LedgerUnavailable, type Patience, patiently } from "../../ledger/index.ts";
import { type Address, Connections, isAgain, isLost, readAddress } from "../../ledger/postgres/index.ts";
import { MIGRATIONS, VERSION } from "./schema.ts";
import { type Database, type Row, type Sql, StoreUnavailable } from "./sql.ts";

/** Any number that other users of the database do not happen to lock: `FCRQ`. */
const ADVISORY_LOCK = 0x46435251;
/** A server that is away is asked again for a while; a transaction that met another one, too. */
const AWAY: Patience = { totalMs: 3_000, firstWaitMs: 20, longestWaitMs: 300 };
/** How long until the way to hear of changes is made again. */
const LISTEN_AGAIN_MS = 1_000;
const CHANNEL = "foreclaim_requests";

export class PostgresDatabase implements Database {
  readonly url: string;
  /** Notices come at once; now and then it is looked for those that were lost with a connection. */
  readonly lookEveryMs = 2_000;
  readonly #address: Address;
  readonly #schema: string;
  readonly #connections: Connections;
  readonly #listeners: (() => void)[] = [];
  #hearing: pg.Client | undefined;
  #again: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(address: Address) {
    this.#address = address;
    this.url = address.shown;
    // Beside the ledger, which looks at what is in its own schema.
    this.#schema = address.schema.replace(/"$/, '_requests"');
    this.#connections = new Connections(address);
  }

  static async open(url: string, create: boolean): Promise<PostgresDatabase> {
    const database = new PostgresDatabase(addressOf(url));
    try {
      await database.#told(() => database.#connections.use((client) => database.#migrate(client, create)));
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#told(() =>
      patiently(AWAY, () => this.#connections.use((client) => work(this.#sql(client))), isLost),
    );
  }

  write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const attempt = () =>
      this.#connections.use(async (client) => {
        await client.query("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
        let result: T;
        try {
          // INVARIANT: whoever writes takes this row first, so all see what was written before, in one order.
          await client.query(`SELECT value FROM ${this.#schema}.counter WHERE name = 'change' FOR UPDATE`);
          result = await work(this.#sql(client));
          await client.query(`NOTIFY ${CHANNEL}`);
        } catch (error) {
          if (error instanceof pg.DatabaseError || isLost(error)) throw error;
          await client.query("ROLLBACK");
          return { threw: error };
        }
        // A connection that breaks while it commits leaves a doubt, so that is not tried again.
        await client.query("COMMIT").catch((error: unknown) => {
          throw isLost(error) ? new StoreUnavailable(`${this.url} went away while it was committing`) : error;
        });
        return { result };
      });
    return this.#told(async () => {
      const done = await patiently(AWAY, attempt, (error) => isLost(error) || isAgain(error));
      if ("threw" in done) throw done.threw;
      return done.result;
    });
  }

  onNudge(listener: () => void): void {
    this.#listeners.push(listener);
    if (this.#hearing === undefined) void this.#hear();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#again);
    await this.#hearing?.end().catch(() => undefined);
    await this.#connections.end();
  }

  #sql(client: pg.PoolClient): Sql {
    return {
      all: async (sql, values = []) => {
        const text = sql.replace(/@(?=[a-z])/g, `${this.#schema}.`).replace(/\?(\d+)/g, "$$$1");
        const { rows } = await client.query<Row>(text, [...values]);
        return rows;
      },
    };
  }

  async #hear(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#address.connectionString,
      application_name: "foreclaim",
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    this.#hearing = client;
    const lost = (): void => {
      if (this.#hearing !== client) return;
      this.#hearing = undefined;
      void client.end().catch(() => undefined);
      if (this.#closed) return;
      this.#again = setTimeout(() => void this.#hear(), LISTEN_AGAIN_MS);
      this.#again.unref();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", () => this.#nudge());
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.#nudge();
    } catch {
      lost();
    }
  }

  #nudge(): void {
    for (const listener of this.#listeners) listener();
  }

  async #migrate(client: pg.PoolClient, create: boolean): Promise<void> {
    if ((await this.#version(client)) === VERSION) return;
    await client.query("BEGIN");
    await client.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
    const version = await this.#version(client);
    if (version === 0 && !create) throw new StoreUnavailable(`there is no store at ${this.url}`);
    if (version > VERSION)
      throw new StoreUnavailable(
        `${this.url} was written by a newer version (${version}, and this one knows ${VERSION})`,
      );
    if (version === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS ${this.#schema}`);
    const sql = this.#sql(client);
    for (const [index, statements] of MIGRATIONS.entries()) {
      if (index < version) continue;
      for (const one of statements) await sql.all(one);
      await sql.all("INSERT INTO @migration (version) VALUES (?1)", [index + 1]);
    }
    await client.query("COMMIT");
  }

  async #version(client: pg.PoolClient): Promise<number> {
    // Not by name: what the session remembers of names may be older than the lock that it has just got.
    const { rows } = await client.query(
      `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE '"' || n.nspname || '"' = $1 AND c.relname = 'migration'`,
      [this.#schema],
    );
    if (rows.length === 0) return 0;
    const found = await client.query(`SELECT max(version) AS version FROM ${this.#schema}.migration`);
    return Number(found.rows[0]?.version ?? 0);
  }

  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof pg.DatabaseError)
        throw new StoreUnavailable(`${this.url} answered: ${error.message}`, { cause: error });
      if (error instanceof LedgerUnavailable) throw new StoreUnavailable(error.message, { cause: error });
      if (!isLost(error)) throw error;
      throw new StoreUnavailable(`${this.url} cannot be reached`, { cause: error });
    }
  }
}

function addressOf(url: string): Address {
  try {
    return readAddress(url);
  } catch (error) {
    if (error instanceof LedgerUnavailable) throw new StoreUnavailable(error.message, { cause: error });
    throw error;
  }
}
