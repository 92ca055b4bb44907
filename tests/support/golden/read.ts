/** Golden ledgers, brought to where a test can open them: a file of SQLite's, or rows for a fresh PostgreSQL. */
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../scripts/tools.mjs";
import { type Checkpoint, readCheckpoint } from "../../../src/kernel/index.ts";
import type { PostgresServer } from "../postgres.ts";
import { type GoldenProgram, programOf } from "./runs.ts";

const place = join(ROOT, "tests/kernel/golden");

export interface Golden {
  /** Version of the product that wrote them. */
  readonly version: string;
  readonly publicKey: string;
  readonly checkpoints: Readonly<Record<"sqlite" | "postgres", readonly Checkpoint[]>>;
  readonly program: GoldenProgram;
}

export const goldenVersions: readonly string[] = readdirSync(place).sort();

export function golden(version: string): Golden {
  const about = JSON.parse(readFileSync(join(place, version, "about.json"), "utf8"));
  const checkpoints = (texts: readonly string[]) =>
    texts.map((text) => {
      const read = readCheckpoint(text);
      if (!read.ok) throw new Error(read.problem.message);
      return read.value;
    });
  return {
    version,
    publicKey: about.publicKey,
    checkpoints: {
      sqlite: checkpoints(about.checkpoints.sqlite),
      postgres: checkpoints(about.checkpoints.postgres),
    },
    program: programOf(about.program.document, about.program.everywhere),
  };
}

/** A copy of the file in a folder; gives its URL. */
export function sqliteCopy(version: string, folder: string, name: string): string {
  const file = join(folder, name);
  copyFileSync(join(place, version, "ledger.db"), file);
  return `sqlite:${file}`;
}

/** The rows in a schema of a server; gives the URL of the ledger. */
export async function postgresCopy(version: string, server: PostgresServer, schema: string): Promise<string> {
  const [first = "", ...lines] = readFileSync(join(place, version, "postgres.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  await server.query(String(JSON.parse(first).schema).replaceAll('"golden"', `"${schema}"`));
  const rows = lines.map((line) => JSON.parse(line));
  for (const table of ["kernel", "entry", "snapshot"]) {
    const own = rows.filter((one) => one.table === table).map(({ row }) => row);
    if (own.length === 0) continue;
    const names = Object.keys(own[0]);
    const values = own.map((_, i) => `(${names.map((__, j) => `$${i * names.length + j + 1}`).join(", ")})`);
    const overriding = table === "kernel" ? "OVERRIDING SYSTEM VALUE" : "";
    await server.query(
      `INSERT INTO "${schema}".${table} (${names.join(", ")}) ${overriding} VALUES ${values.join(", ")}`,
      own.flatMap((row) => names.map((name) => bytesIn(row[name]))),
    );
  }
  // The next kernel gets the next number.
  await server.query(`SELECT setval(pg_get_serial_sequence('${schema}.kernel', 'id'), 100)`);
  return server.ledgerUrl(schema);
}

function bytesIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("hex" in value) return Buffer.from(String(value.hex), "hex");
  return "text" in value ? Buffer.from(String(value.text), "utf8") : value;
}
