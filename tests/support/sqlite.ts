/** SQLite files as tests look into them, and spoil them. */
import { loadSqlite } from "../../src/sql/index.ts";

export type { SqliteConnection } from "../../src/sql/sqlite/connection.ts";
export const openSqlite = loadSqlite();
