/** A simulated store of requests: a real SQLite database in memory, behind a network that delays, refuses and loses answers. */
import { MIGRATIONS } from "../../src/approve/requests/schema.ts";
import { type Database, type Sql, StoreUnavailable } from "../../src/approve/requests/sql.ts";
import { openSqlite, type SqliteConnection } from "../support/sqlite.ts";
import type { Process, World } from "./world.ts";

/** The server of the store. */
export class StoreServer {
  readonly world: World;
  readonly connection: SqliteConnection;
  readonly parted = new Set<Process>();

  constructor(world: World) {
    this.world = world;
    this.connection = openSqlite(":memory:");
    for (const migration of MIGRATIONS)
      for (const statement of migration) this.connection.exec(plain(statement));
  }
}

/** The store of one process. */
export class SimulatedStore implements Database {
  readonly url = "simulated:";
  readonly forLease = "";
  readonly lookEveryMs = 1_000;
  readonly #server: StoreServer;
  readonly #process: Process;
  readonly #sql: Sql = { all: async (sql, values = []) => this.#server.connection.all(plain(sql), values) };

  constructor(server: StoreServer, process: Process) {
    this.#server = server;
    this.#process = process;
  }

  /** The clock of the server. */
  get now(): string {
    return `${Math.floor(this.#server.world.nowMs)}`;
  }

  async read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    await this.#travel();
    return this.#answered(await work(this.#sql));
  }

  /** Transactions do not overlap: each is over before anything else happens. */
  async write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    await this.#travel();
    const { connection } = this.#server;
    connection.exec("BEGIN");
    let result: T;
    try {
      result = await work(this.#sql);
    } catch (error) {
      connection.exec("ROLLBACK");
      throw error;
    }
    connection.exec("COMMIT");
    return this.#answered(result);
  }

  lease<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.write(work);
  }

  onNudge(): void {
    // Nobody tells.
  }

  async close(): Promise<void> {
    // The database belongs to its server.
  }

  async #travel(): Promise<void> {
    const { world } = this.#server;
    await world.sleep(world.random() * 5);
    if (this.#isParted || world.chance(0.01, "store refused")) throw lost();
  }

  #answered<T>(result: T): T {
    if (this.#isParted || this.#server.world.chance(0.01, "answer of the store lost")) throw lost();
    return result;
  }

  get #isParted(): boolean {
    return this.#server.parted.has(this.#process);
  }
}

function lost(): StoreUnavailable {
  return new StoreUnavailable("the connection to the store was lost");
}

function plain(sql: string): string {
  return sql.replace(/@(?=[a-z])/g, "");
}
