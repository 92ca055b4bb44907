/** The store in PostgreSQL, for several instances of the service. Each hears of what the others write. */
import {
  type Backoff,
  connectPostgres,
  isConflict,
  isDisconnect,
  isServerError,
  migrate,
  type PostgresAddress,
  type PostgresConnection,
  type PostgresConnections,
  type PostgresTables,
  postgresFailure,
  readAddress,
  retry,
} from "../../sql/index.ts";
import { MIGRATIONS } from "./schema.ts";
import { type Database, NOUN, type Row, type Sql, StoreUnavailable } from "./sql.ts";

/** A server that is away is asked again for a while; a transaction that met another one, too. */
const AWAY: Backoff = { totalMs: 3_000, firstWaitMs: 20, longestWaitMs: 300 };
const CHANNEL = "foreclaim_requests";

const tables: PostgresTables = {
  noun: NOUN,
  advisoryLock: 0x46435251, // FCRQ
  migrations: MIGRATIONS.map((statements) =>
    statements.map((sql) => `${inSchema(sql, "$schema")};`).join("\n"),
  ),
  knownBy: "request",
};

export class PostgresDatabase implements Database {
  readonly url: string;
  /** Notices come at once; those that were lost with a connection are looked for now and then. */
  readonly lookEveryMs = 2_000;
  readonly forLease = "FOR UPDATE SKIP LOCKED";
  readonly now = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";
  readonly #schema: string;
  readonly #connections: PostgresConnections;
  readonly #listeners: (() => void)[] = [];

  private constructor(connections: PostgresConnections, { shown, schema }: PostgresAddress) {
    this.url = shown;
    this.#schema = schema;
    this.#connections = connections;
  }

  static async open(url: string, create: boolean): Promise<PostgresDatabase> {
    try {
      const ledger = readAddress(url);
      // Beside the ledger, which checks what is in its own schema.
      const address = { ...ledger, schema: ledger.schema.replace(/"$/, '_requests"') };
      const database = new PostgresDatabase(await connectPostgres(address), address);
      await database
        .#told(() => database.#connections.use((connection) => migrate(connection, address, tables, create)))
        .catch(async (error: unknown) => {
          await database.close();
          throw error;
        });
      return database;
    } catch (error) {
      throw StoreUnavailable.of(error);
    }
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const attempt = () => this.#connections.use((connection) => work(this.#sql(connection)));
    return this.#told(() => retry(AWAY, attempt, isDisconnect));
  }

  write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#transaction(
      // INVARIANT: every writer takes this row first, so all see what was written before, in one order.
      `SELECT value FROM ${this.#schema}.counter WHERE name = 'change' FOR UPDATE`,
      work,
      `NOTIFY ${CHANNEL}`,
    );
  }

  lease<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#transaction(undefined, work, undefined);
  }

  #transaction<T>(
    first: string | undefined,
    work: (sql: Sql) => Promise<T>,
    last: string | undefined,
  ): Promise<T> {
    const attempt = () =>
      this.#connections.use(async (connection) => {
        await connection.query("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
        let result: T;
        try {
          if (first !== undefined) await connection.query(first);
          result = await work(this.#sql(connection));
          if (last !== undefined) await connection.query(last);
        } catch (error) {
          if (isServerError(error) || isDisconnect(error)) throw error;
          await connection.query("ROLLBACK");
          return { threw: error };
        }
        // A connection that breaks while it commits leaves a doubt, so that is not tried again.
        await connection.query("COMMIT").catch((error: unknown) => {
          throw isDisconnect(error)
            ? new StoreUnavailable(`${this.url} went away while it was committing`)
            : error;
        });
        return { result };
      });
    return this.#told(async () => {
      const done = await retry(AWAY, attempt, (error) => isDisconnect(error) || isConflict(error));
      if ("threw" in done) throw done.threw;
      return done.result;
    });
  }

  onNudge(listener: () => void): void {
    this.#listeners.push(listener);
    if (this.#listeners.length > 1) return;
    this.#connections.listen(CHANNEL, () => {
      for (const one of this.#listeners) one();
    });
  }

  async close(): Promise<void> {
    await this.#connections.end();
  }

  #sql(connection: PostgresConnection): Sql {
    return {
      all: async (sql, values = []) => {
        const text = inSchema(sql, this.#schema).replace(/\?(\d+)/g, "$$$1");
        const { rows } = await connection.query<Row>(text, [...values]);
        return rows;
      },
    };
  }

  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isOurs = isServerError(error) || isDisconnect(error);
      throw StoreUnavailable.of(isOurs ? postgresFailure(this.url, NOUN, error) : error);
    }
  }
}

function inSchema(sql: string, schema: string): string {
  return sql.replace(/@(?=[a-z])/g, () => `${schema}.`);
}
