/** Loads the PostgreSQL driver when the first server is connected to. */

import { SqlFailure } from "../failure.ts";
import type { PostgresAddress } from "./address.ts";
import type { PostgresConnections } from "./connections.ts";

export async function connectPostgres(address: PostgresAddress): Promise<PostgresConnections> {
  const { PostgresConnections } = await import("./connections.ts").catch((cause: unknown) => {
    throw SqlFailure.for("no engine", { engine: "PostgreSQL" }, { cause });
  });
  return new PostgresConnections(address);
}
