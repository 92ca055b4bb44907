/**
 * Random statements on two databases that differ only in columns and tables that the tool may not read. Every statement that is
 * not refused gives the same answer on both: nothing that is not listed has an influence on it.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/stdlib/sql.ts";
import { build } from "../cli/built.ts";
import { PostgresServer } from "../support/postgres.ts";
import { randomFrom } from "../support/random.ts";
import { atLeast, runs, seed } from "../support/runs.ts";

type Sql = typeof import("../../src/stdlib/sql.ts");

const folder = mkdtempSync(join(tmpdir(), "foreclaim-leaks-"));
const start = seed() ?? Math.floor(Math.random() * 2 ** 31);
let server: PostgresServer | undefined;
let make: Sql["database"];

const tables = { orders: { read: ["id", "customer", "state"] }, customers: { read: ["id", "name"] } };

/** The same tables twice; only `secret` columns and the table `users` differ, also in how many rows match. */
function schema(secrets: readonly string[]): readonly string[] {
  const [a, b, c] = secrets;
  return [
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, secret TEXT)",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, state TEXT, secret TEXT)",
    "CREATE TABLE users (id INTEGER PRIMARY KEY, secret TEXT)",
    `INSERT INTO customers VALUES (1, 'ann', '${a}'), (2, 'bob', '${b}')`,
    `INSERT INTO orders VALUES (1, 1, 'new', '${a}'), (2, 2, 'new', '${c}'), (3, 2, 'paid', '${b}')`,
    `INSERT INTO users VALUES (${c === "z" ? "1" : "2"}, '${c}')`,
  ];
}
const sides = [
  ["x", "y", "z"],
  ["y", "w", "w"],
];

beforeAll(async () => {
  await build();
  ({ database: make } = await import(new URL("../../dist/stdlib/sql.js", import.meta.url).href));
  const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite");
  server = await PostgresServer.start();
  for (const [at, secrets] of sides.entries()) {
    const db = new DatabaseSync(join(folder, `${at}.db`));
    for (const sql of schema(secrets)) db.exec(sql);
    db.close();
    await server?.query(`CREATE SCHEMA side${at}`);
    for (const sql of schema(secrets))
      await server?.query(sql.replace(/(TABLE|INTO) /, (word) => `${word}side${at}.`));
  }
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Statements as an attacker would try them: mostly plain, with a secret here and there. */
function statements(next: () => number) {
  const pick = <T>(...of: readonly [T, ...T[]]): T => of[Math.floor(next() * of.length)] ?? of[0];
  const often = (chance: number) => next() < chance;
  const table = () =>
    often(0.95) ? pick("orders", "customers") : pick("users", "sqlite_master", "pg_class");
  /** Tables by their names in the statement. */
  const placed = new Map<string, string>();
  const column = (names: readonly string[]) => {
    const from = names[Math.floor(next() * names.length)] ?? "o";
    const plain = placed.get(from) === "customers" ? pick("id", "name") : pick("id", "customer", "state");
    const name = often(0.95) ? plain : pick("secret", '"secret"', "*", "rowid", "ctid", "SECRET");
    return often(0.9) ? `${from}.${name}` : often(0.9) ? name : from;
  };
  const place = (name: string) => {
    const of = table();
    placed.set(name, of);
    return `${of} ${name}`;
  };
  let count = 0;
  const select = (depth: number, outer: readonly string[], width: number): string => {
    const first = `t${count++}`;
    const names = [first];
    let from = place(first);
    if (often(0.35)) {
      const second = `t${count++}`;
      const joined = place(second);
      const on = () => `${column([...names, second])} = ${column([...names, second])}`;
      from += pick(
        () => ` JOIN ${joined} ON ${on()}`,
        () => ` LEFT JOIN ${joined} ON ${on()}`,
        () => `, ${joined}`,
        () => pick(` NATURAL JOIN ${joined}`, ` JOIN ${joined} USING (${pick("id", "secret")})`),
      )();
      names.push(second);
    }
    if (depth > 0 && often(0.07)) {
      from = `(${select(depth - 1, [], 1)}) ${first}`;
      names.length = 1;
    }
    const all = [...names, ...outer];
    const outputs = Array.from({ length: width }, (_, at) => `${expression(depth, all)} AS c${at}`);
    let sql = `SELECT ${often(0.1) ? "DISTINCT " : ""}${outputs.join(", ")} FROM ${from}`;
    if (often(0.6)) sql += ` WHERE ${condition(depth, all)}`;
    if (often(0.1)) sql += ` GROUP BY ${column(names)}`;
    if (often(0.3)) sql += ` ORDER BY ${often(0.5) ? "1" : column(names)}`;
    if (often(0.1)) sql += ` LIMIT ${pick(1, 2, 3)}`;
    return depth > 0 && often(0.06) ? `${sql} UNION ${select(depth - 1, outer, width)}` : sql;
  };
  const expression = (depth: number, names: readonly string[]): string => {
    if (depth === 0 || often(0.6)) return often(0.85) ? column(names) : pick("1", "'x'", "count(*)");
    return pick(
      () =>
        `${pick("lower", "max", "length", "coalesce", "hex", "pg_sleep")}(${expression(depth - 1, names)})`,
      () => `(${expression(depth - 1, names)} || ${expression(depth - 1, names)})`,
      () => `CASE WHEN ${condition(depth - 1, names)} THEN 1 ELSE 2 END`,
      () => `(${select(depth - 1, names, 1)} LIMIT 1)`,
    )();
  };
  const condition = (depth: number, names: readonly string[]): string => {
    const compared = () => `${expression(0, names)} ${pick("=", "<", "<>", "LIKE")} ${expression(0, names)}`;
    if (depth === 0 || often(0.5)) return compared();
    return pick(
      () => `(${compared()} AND ${condition(depth - 1, names)})`,
      () => `EXISTS (${select(depth - 1, names, 1)})`,
      () => `${column(names)} IN (${select(depth - 1, names, 1)})`,
      () => `${column(names)} IS NOT NULL`,
      () => `${column(names)} IN ${often(0.5) ? "users" : "(1, 2)"}`,
    )();
  };
  return () => select(2, [], pick(1, 2));
}

async function outcome(db: Database, sql: string): Promise<string> {
  const [one] = await Promise.allSettled([db.query({ sql, tables: ["orders", "customers"] })]);
  if (one?.status === "fulfilled") return JSON.stringify(one.value);
  // A database's own message may tell what it met; a program gets it, so it must be the same too.
  return `refused ${one?.reason.code} ${one?.reason.message}`;
}

it.each([
  ["sqlite", 1000, 100],
  ["postgres", 150, 10],
] as const)("%s: what is not listed has no influence on an answer", async (engine, tries, least) => {
  if (engine === "postgres" && server === undefined) return;
  const url = server?.url ?? "";
  const [one, other] = sides.map((_, at) =>
    engine === "sqlite"
      ? make({ url: join(folder, `${at}.db`), tables, timeoutMs: 60_000 })
      : make({ url, schema: `side${at}`, tables, timeoutMs: 60_000 }),
  );
  if (one === undefined || other === undefined) return;
  const write = statements(randomFrom(start));
  const seen = { answered: 0, refused: 0, rows: 0 };
  for (let run = 0; run < runs(tries); run += 1) {
    const sql = write();
    const [left, right] = await Promise.all([outcome(one, sql), outcome(other, sql)]);
    expect(left.replace(/side\d/g, ""), `seed ${start}: ${sql}`).toBe(right.replace(/side\d/g, ""));
    if (left.startsWith("refused")) seen.refused += 1;
    else {
      seen.answered += 1;
      if (left !== "[]") seen.rows += 1;
    }
  }
  expect(seen.rows, JSON.stringify(seen)).toBeGreaterThan(atLeast(least));
  expect(seen.refused).toBeGreaterThan(atLeast(least));
  if (process.env.FORECLAIM_SEED !== undefined) process.stderr.write(`${engine} ${JSON.stringify(seen)}\n`);
});
