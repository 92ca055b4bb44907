/** Opens the store that a name means: a SQLite file, or `postgres://…`. */
import { type Database, StoreUnavailable } from "./sql.ts";

export async function openStore(name: string, { create = true } = {}): Promise<Database> {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(name)?.[1]?.toLowerCase();
  if (scheme === "postgres" || scheme === "postgresql") {
    const { PostgresDatabase } = await import("./postgres.ts");
    return PostgresDatabase.open(name, create);
  }
  if (scheme !== undefined && scheme !== "sqlite")
    throw new StoreUnavailable(
      `no store has the scheme \`${scheme}:\`; there are files and \`postgres://…\``,
    );
  const path = name.replace(/^sqlite:(?:\/\/(?=\/))?/i, "");
  if (path === "" || path.includes("\0") || path.startsWith(":"))
    throw new StoreUnavailable("a store is the path of a file, or `postgres://…`");
  const { SqliteDatabase } = await import("./sqlite.ts");
  return SqliteDatabase.open(path, create);
}

/** The path of a file; undefined for a server. */
export function storeFile(name: string): string | undefined {
  return /^postgres(?:ql)?:/i.test(name) ? undefined : name.replace(/^sqlite:(?:\/\/(?=\/))?/i, "");
}
