/**
 * Writes the golden ledgers: `write <folder> <version>`. They are written once by each version whose entries have a form of
 * their own, kept for good, and read by every later version. Run by `node scripts/golden.mjs`.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentToJson } from "../../../src/ir/index.ts";
import { type Checkpoint, checkpointText, newKeys } from "../../../src/kernel/index.ts";
import { openLedger } from "../../../src/ledger/open.ts";
import type { Ledger } from "../../../src/ledger/port.ts";
import { ledgerTables } from "../../../src/ledger/postgres/schema.ts";
import { migrationText } from "../../../src/sql/index.ts";
import { program, proved } from "../../run/lab.ts";
import { PostgresServer } from "../postgres.ts";
import { openSqlite } from "../sqlite.ts";
import { functionKernel, gates, rules } from "./rules.ts";
import { limits, programOf, programs } from "./runs.ts";
import { malformed, steps } from "./steps.ts";

const [folder = "", version = ""] = process.argv.slice(2);
const keys = newKeys();
const compiled = await proved(
  program(
    'bank.maxSpend(50), home.onlyDoor("front")',
    `const has = await bank.balance({ account: "a" });
     await home.unlock({ door: "front" });
     for (const to of ["x", "y"]) { await bank.pay({ account: to, amount: has > limit ? 2 : 3 }); }
     await home.lock({ door: "front" });`,
    "{ limit }: { limit: number }",
  ),
);
const json = JSON.parse(JSON.stringify(documentToJson(compiled.checked.document)));
const everywhere = [...compiled.everywhere];

mkdirSync(folder, { recursive: true });
const place = mkdtempSync(join(tmpdir(), "foreclaim-golden-"));
const file = join(place, "ledger.db");
const sqlite = await written(`sqlite:${file}`);
const db = openSqlite(file);
// One file that is whole: nothing of it is left in a log beside it.
db.exec(`VACUUM INTO '${join(place, "whole.db")}'`);
db.close();
copyFileSync(join(place, "whole.db"), join(folder, "ledger.db"));
rmSync(place, { recursive: true });

const server = await PostgresServer.start();
if (server === undefined) throw new Error("there is no PostgreSQL");
const postgres = await written(server.ledgerUrl("golden"));
writeFileSync(join(folder, "postgres.jsonl"), await dumped(server));
await server.stop();

const about = {
  foreclaim: version,
  node: process.version,
  unicode: process.versions.unicode,
  publicKey: keys.publicKey,
  checkpoints: { sqlite: sqlite.map(checkpointText), postgres: postgres.map(checkpointText) },
  program: { document: json, everywhere },
};
writeFileSync(join(folder, "about.json"), `${JSON.stringify(about, null, 2)}\n`);

async function written(url: string): Promise<readonly Checkpoint[]> {
  const ledger: Ledger = await openLedger(url);
  const checkpoints: Checkpoint[] = [];
  await steps(ledger, (one) => checkpoints.push(one), keys.privateKey);
  await malformed(ledger);
  await rules(ledger);
  await gates(ledger);
  await functionKernel(ledger);
  await programs(ledger, programOf(json, everywhere), keys);
  await limits(ledger);
  await ledger.close();
  return checkpoints;
}

/** The tables as they were made then, and every row of them, one on each line. */
async function dumped(server: PostgresServer): Promise<string> {
  const rows = async (table: string, order: string) =>
    (await server.query(`SELECT * FROM golden.${table} ORDER BY ${order}`)).map((row) => ({ table, row }));
  const all = [
    {
      foreclaim: version,
      schema: `CREATE SCHEMA "golden";\n${migrationText(ledgerTables.migrations, '"golden"', 0)}`,
    },
    ...(await rows("kernel", "id")),
    ...(await rows("entry", "kernel, seq")),
    ...(await rows("snapshot", "kernel")),
  ];
  return all.map((one) => `${JSON.stringify(one, plainBytes)}\n`).join("");
}

/** Bytes as text, which all of them are but for the marks of the engine. */
function plainBytes(this: unknown, name: string, value: unknown): unknown {
  const bytes: unknown = typeof this === "object" && this !== null ? Reflect.get(this, name) : undefined;
  if (!Buffer.isBuffer(bytes)) return value;
  return name === "mark" ? { hex: bytes.toString("hex") } : { text: bytes.toString("utf8") };
}
