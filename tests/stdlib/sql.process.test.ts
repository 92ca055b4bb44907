/** Attacks on `foreclaim/std/sql` with a real SQLite file and a real PostgreSQL server: each is refused, and nothing changes. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChangeRequest, Database, QueryRequest } from "../../src/stdlib/sql.ts";
import { build } from "../cli/built.ts";
import { PostgresServer } from "../support/postgres.ts";

type Sql = typeof import("../../src/stdlib/sql.ts");

const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "foreclaim-sql-"));
const path = join(folder, "shop.db");
let server: PostgresServer | undefined;
let make: Sql["database"];

const tables = {
  orders: {
    read: ["id", "customer", "state", "total"],
    insert: ["id", "customer", "state", "total"],
    update: ["state"],
    delete: true,
  },
  customers: { read: ["id", "name"] },
  audited: { read: ["id"], update: ["note"] },
  parents: { read: ["id"], delete: true },
};
const schema = [
  "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, secret TEXT)",
  "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, state TEXT, total REAL, secret TEXT)",
  "CREATE TABLE users (id INTEGER PRIMARY KEY, password TEXT)",
  "CREATE TABLE audited (id INTEGER PRIMARY KEY, note TEXT)",
  "CREATE TABLE audit (note TEXT)",
  "CREATE TABLE parents (id INTEGER PRIMARY KEY)",
  "CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id) ON DELETE CASCADE)",
  "INSERT INTO customers VALUES (1, 'ann', 's1'), (2, 'bob', 's2')",
  "INSERT INTO orders VALUES (1, 1, 'new', 5, 's'), (2, 1, 'new', 7, 's'), (3, 2, 'paid', 9.5, 's')",
  "INSERT INTO users VALUES (1, 'hunter2')",
  "INSERT INTO audited VALUES (1, 'a')",
  "INSERT INTO parents VALUES (1)",
  "INSERT INTO children VALUES (1, 1)",
];

beforeAll(async () => {
  await build();
  ({ database: make } = await import(new URL("../../dist/stdlib/sql.js", import.meta.url).href));
  const { DatabaseSync } = require("@photostructure/sqlite");
  const db = new DatabaseSync(path);
  for (const sql of schema) db.exec(sql);
  db.exec("CREATE TRIGGER t AFTER UPDATE ON audited BEGIN INSERT INTO audit VALUES ('x'); END");
  db.close();
  server = await PostgresServer.start();
  for (const sql of schema) await server?.query(sql);
  await server?.query(
    "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO audit VALUES ('x'); RETURN NEW; END $$",
  );
  await server?.query("CREATE TRIGGER t AFTER UPDATE ON audited FOR EACH ROW EXECUTE FUNCTION note()");
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Engine = "sqlite" | "postgres";
const engines: readonly Engine[] = ["sqlite", "postgres"];

function open(engine: Engine, more = {}): Database | undefined {
  if (engine === "sqlite") return make({ url: path, tables, timeoutMs: 60_000, ...more });
  return server === undefined ? undefined : make({ url: server.url, tables, timeoutMs: 60_000, ...more });
}

/** Placeholders as the engine writes them. */
const text = (engine: Engine, sql: string) => {
  let n = 0;
  return engine === "sqlite" ? sql : sql.replace(/\?/g, () => `$${++n}`);
};

/** Everything that an attack could have changed. */
async function contents(engine: Engine): Promise<string> {
  const names = ["customers", "orders", "users", "audited", "audit", "parents", "children"];
  if (engine === "postgres") {
    const all = await Promise.all(names.map((name) => server?.query(`SELECT * FROM ${name} ORDER BY 1`)));
    return JSON.stringify([all, await server?.query("SELECT count(*) FROM pg_class")]);
  }
  const { DatabaseSync } = require("@photostructure/sqlite");
  const db = new DatabaseSync(path, { readOnly: true });
  const all = names.map((name) => db.prepare(`SELECT * FROM ${name} ORDER BY 1`).all());
  const made = db.prepare("SELECT count(*) AS n FROM sqlite_master").all();
  db.close();
  return JSON.stringify([all, made]);
}

describe.each(engines)("%s: what it is for", (engine) => {
  it("reads rows, joins, counts and sorts", async () => {
    const db = open(engine);
    if (db === undefined) return;
    expect(
      await db.query({
        sql: text(engine, "SELECT id, state, total FROM orders WHERE customer = ? ORDER BY id"),
        tables: ["orders"],
        values: [1],
      }),
    ).toEqual([
      { id: 1, state: "new", total: 5 },
      { id: 2, state: "new", total: 7 },
    ]);
    expect(
      await db.query({
        sql: "SELECT c.name, count(*) AS n, sum(o.total) AS total FROM orders o JOIN customers c ON c.id = o.customer GROUP BY c.name ORDER BY n DESC LIMIT 5",
        tables: ["orders", "customers"],
      }),
    ).toEqual([
      { name: "ann", n: 2, total: 12 },
      { name: "bob", n: 1, total: 9.5 },
    ]);
    expect(
      await db.query({
        sql: text(
          engine,
          "SELECT DISTINCT name FROM customers WHERE lower(name) LIKE ? AND name IS NOT NULL AND id IN (1, 2)",
        ),
        tables: ["customers"],
        values: ["a%"],
      }),
    ).toEqual([{ name: "ann" }]);
    const hostile = "x' OR 1=1; DROP TABLE orders --";
    expect(
      await db.query({
        sql: text(engine, "SELECT id FROM customers WHERE name = ?"),
        tables: ["customers"],
        values: [hostile],
      }),
    ).toEqual([]);
  });

  it("adds, changes and deletes rows, at most as many as said", async () => {
    const db = open(engine);
    if (db === undefined) return;
    const before = await contents(engine);
    const change = (sql: string, values: ChangeRequest["values"], most: number) =>
      db.change({ sql: text(engine, sql), table: "orders", values: values ?? [], most });
    expect(
      await change(
        "INSERT INTO orders (id, customer, state, total) VALUES (?, ?, ?, ?)",
        [9, 2, "new", 1.5],
        1,
      ),
    ).toBe(1);
    expect(await change("UPDATE orders SET state = ? WHERE id = ?", ["paid", 9], 1)).toBe(1);
    await expect(
      change("UPDATE orders SET state = ? WHERE customer = ?", ["gone", 1], 1),
    ).rejects.toMatchObject({ code: "too-many" });
    expect(await db.query({ sql: "SELECT id FROM orders WHERE state = 'gone'", tables: ["orders"] })).toEqual(
      [],
    );
    expect(await change("UPDATE orders SET state = ? WHERE customer = ? AND id < ?", ["new", 1, 3], 2)).toBe(
      2,
    );
    expect(await change("DELETE FROM orders WHERE id = ?", [9], 1)).toBe(1);
    expect(await contents(engine)).toBe(before);
  });
});

/** [kind, statement, tables of the call or table of the change, codes] */
type Attack = readonly ["query" | "change", string, readonly string[], string];
const both: readonly Attack[] = [
  ["query", "SELECT id FROM orders; DELETE FROM orders", ["orders"], "statements"],
  ["query", "SELECT id FROM orders;", ["orders"], "statements"],
  ["query", "SELECT id FROM orders -- WHERE id = 1", ["orders"], "comment"],
  ["query", "SELECT id FROM orders /* x */", ["orders"], "comment"],
  ["query", "SELECT password FROM users", ["orders"], "table"],
  ["query", "SELECT password FROM users", ["users"], "table"],
  ["query", "SELECT name FROM customers", ["orders"], "table"],
  ["query", "SELECT secret FROM orders", ["orders"], "column"],
  ["query", "SELECT * FROM orders", ["orders"], "column"],
  ["query", "SELECT o.* FROM orders o", ["orders"], "column"],
  ["query", "SELECT id FROM orders WHERE secret = 's'", ["orders"], "column"],
  ["query", "SELECT id FROM orders ORDER BY secret", ["orders"], "column"],
  ["query", "SELECT count(*) AS n FROM orders GROUP BY secret", ["orders"], "column"],
  [
    "query",
    "SELECT (SELECT c.secret FROM customers c WHERE c.id = o.id) AS x FROM orders o",
    ["orders", "customers"],
    "column",
  ],
  [
    "query",
    "SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM users u WHERE u.id = o.id)",
    ["orders"],
    "table",
  ],
  ["query", "SELECT id FROM orders UNION SELECT id FROM users", ["orders"], "table"],
  ["query", "SELECT o.id FROM orders o NATURAL JOIN customers c", ["orders", "customers"], "clause|column"],
  ["query", "DELETE FROM orders", ["orders"], "statement"],
  ["query", "UPDATE orders SET state = 'x' WHERE id = 1", ["orders"], "statement"],
  ["query", "INSERT INTO orders (id) VALUES (77)", ["orders"], "statement"],
  ["query", "WITH x AS (DELETE FROM orders RETURNING id) SELECT id FROM x", ["orders"], "statement|table"],
  [
    "query",
    "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT n FROM x",
    [],
    "statement|table",
  ],
  ["query", "DROP TABLE orders", ["orders"], "statement"],
  ["query", "CREATE TABLE x (id INTEGER)", ["orders"], "statement"],
  ["query", "SELECT id FROM constructor", ["constructor"], "table"],
  ["query", "SELECT 'a\\' FROM orders", ["orders"], "bad-text"],
  ["query", "SELECT id\u0000 FROM orders", ["orders"], "bad-text"],
  ["query", "SELECT id\u202e FROM orders", ["orders"], "bad-text"],
  ["query", `SELECT id FROM orders WHERE ${"id = 1 OR ".repeat(1100)} id = 2`, ["orders"], "too-large"],
  ["query", "", ["orders"], "statement|syntax"],
  ["query", "SELECT count(*) AS n FROM users", ["orders"], "table"],
  ["query", "SELECT o.id FROM orders o JOIN customers c USING (secret)", ["orders", "customers"], "clause"],
  ["query", "SELECT id, id FROM orders", ["orders"], "column"],
  ["change", "DELETE FROM orders", ["orders"], "where"],
  ["change", "UPDATE orders SET state = 'x'", ["orders"], "where"],
  ["change", "UPDATE orders SET state = 'x' WHERE 1 = 1", ["orders"], "where"],
  ["change", "DELETE FROM orders WHERE true", ["orders"], "where"],
  ["change", "UPDATE orders SET total = 0 WHERE id = ?", ["orders"], "column"],
  ["change", "UPDATE orders SET state = secret WHERE id = ?", ["orders"], "column"],
  ["change", "UPDATE customers SET name = 'x' WHERE id = ?", ["customers"], "read-only"],
  ["change", "UPDATE customers SET name = 'x' WHERE id = ?", ["orders"], "table"],
  ["change", "UPDATE users SET password = 'x' WHERE id = ?", ["users"], "table"],
  ["change", "UPDATE orders SET state = (SELECT password FROM users) WHERE id = ?", ["orders"], "table"],
  ["change", "DELETE FROM orders WHERE id IN (SELECT id FROM users) AND id = ?", ["orders"], "table"],
  ["change", "DELETE FROM orders WHERE id = ? RETURNING secret", ["orders"], "clause|column"],
  ["change", "INSERT INTO orders (id, secret) VALUES (?, 'x')", ["orders"], "column"],
  ["change", "INSERT INTO orders VALUES (?, 1, 'x', 1, 's')", ["orders"], "column|statement"],
  ["change", "INSERT INTO orders (id) SELECT id + 10 FROM orders WHERE id = ?", ["orders"], "clause|column"],
  [
    "change",
    "INSERT INTO orders (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET state = 'x'",
    ["orders"],
    "clause",
  ],
  ["change", "SELECT id FROM orders WHERE id = ?", ["orders"], "statement"],
  ["change", "DROP TABLE orders", ["orders"], "statement"],
  ["change", "UPDATE audited SET note = 'x' WHERE id = ?", ["audited"], "trigger"],
  ["change", "DELETE FROM parents WHERE id = ?", ["parents"], "trigger|table"],
  ["change", "UPDATE orders SET state = 'x' WHERE id = ?; DROP TABLE users", ["orders"], "statements"],
];
const attacks: Readonly<Record<Engine, readonly Attack[]>> = {
  sqlite: [
    ...both,
    ["query", "SELECT id FROM orders WHERE id IN users", ["orders"], "table"],
    ["query", "SELECT id FROM orders WHERE (id, secret) = (1, 's')", ["orders"], "column"],
    ["query", 'SELECT "secret" FROM orders', ["orders"], "column"],
    ["query", "SELECT id FROM orders NATURAL LEFT JOIN customers", ["orders", "customers"], "clause"],
    ["query", "SELECT id FROM temp.orders", ["orders"], "failed|table"],
    ["query", "SELECT load_extension('x') FROM orders", ["orders"], "function"],
    ["query", "SELECT readfile('/etc/passwd') AS x FROM orders", ["orders"], "failed|function"],
    ["query", "SELECT randomblob(1000000000) AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT zeroblob(1000000000) AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT printf('%*d', 1000000000, 1) AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT group_concat(state) AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT sql FROM sqlite_master", [], "table"],
    ["query", "SELECT name FROM pragma_table_info('users')", ["orders"], "table|statement"],
    ["query", "SELECT rowid FROM users", ["orders"], "table"],
    ["query", "PRAGMA table_info(users)", ["orders"], "statement"],
    ["query", "ATTACH DATABASE 'other.db' AS other", ["orders"], "statement"],
    ["query", "EXPLAIN SELECT id FROM orders", ["orders"], "statement"],
    ["query", "VACUUM INTO 'copy.db'", ["orders"], "statement"],
    ["query", "SELECT CAST(zeroblob(5) AS TEXT) AS x FROM orders", ["orders"], "function"],
    ["change", "INSERT OR REPLACE INTO orders (id) VALUES (?)", ["orders"], "clause|column"],
    ["change", "UPDATE OR REPLACE orders SET state = 'x' WHERE id = ?", ["orders"], "clause"],
    ["change", "REPLACE INTO orders (id) VALUES (?)", ["orders"], "statement"],
  ],
  postgres: [
    ...both,
    ["query", "SELECT pg_read_file('/etc/passwd') AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT pg_sleep(100) AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT pg_terminate_backend(1) AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT lo_import('/etc/passwd') AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT set_config('search_path', 'x', false) AS x FROM orders", ["orders"], "function"],
    [
      "query",
      "SELECT query_to_xml('SELECT * FROM users', true, true, '') AS x FROM orders",
      ["orders"],
      "function",
    ],
    ["query", "SELECT public.lower(state) AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT repeat('x', 1000000000) AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT nextval('s') AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT n FROM generate_series(1, 1000000000) AS n", ["orders"], "clause"],
    ["query", "SELECT id INTO stolen FROM orders", ["orders"], "clause"],
    ["query", "SELECT id FROM orders FOR UPDATE", ["orders"], "clause"],
    ["query", "SELECT o FROM orders o", ["orders"], "column"],
    ["query", "SELECT orders FROM orders", ["orders"], "column"],
    ["query", "SELECT (o).secret FROM orders o", ["orders"], "clause"],
    ["query", "SELECT state FROM customers state", ["customers"], "table"],
    ["query", "SELECT id FROM orders, customers", ["orders", "customers"], "column"],
    ["query", "SELECT ctid FROM orders", ["orders"], "column"],
    ["query", "SELECT id FROM public.orders", ["orders"], "clause"],
    ["query", "SELECT id FROM pg_catalog.pg_authid", ["orders"], "table"],
    ["query", "SELECT rolpassword FROM pg_authid", ["orders"], "table"],
    ["query", "SELECT 'pg_authid'::regclass AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT id FROM orders WHERE state ~ '(a+)+$'", ["orders"], "function"],
    ["query", "SELECT id FROM orders WHERE id OPERATOR(public.=) 1", ["orders"], "function"],
    ["query", "SELECT current_user AS x FROM orders", ["orders"], "function"],
    ["query", "SELECT x.id FROM (SELECT id FROM orders) AS x", ["orders"], "clause"],
    ["query", "TABLE orders", ["orders"], "column"],
    ["query", "COPY orders TO PROGRAM 'sh'", ["orders"], "statement"],
    ["query", "COPY (SELECT id FROM orders) TO '/tmp/x'", ["orders"], "statement"],
    ["query", "DO $$ BEGIN END $$", ["orders"], "statement"],
    ["query", "CALL f()", ["orders"], "statement"],
    ["query", "EXPLAIN ANALYZE DELETE FROM orders", ["orders"], "statement"],
    ["query", "SET search_path = x", ["orders"], "statement"],
    ["query", "LISTEN x", ["orders"], "statement"],
    ["query", "PREPARE x AS SELECT 1", ["orders"], "statement"],
    ["query", "SELECT id FROM orders) AS x, (SELECT 1", ["orders"], "syntax"],
    ["query", "SELECT E'\\x27' AS x FROM orders", ["orders"], "bad-text"],
    ["change", "UPDATE orders SET state = 'x' FROM customers WHERE customers.id = $1", ["orders"], "clause"],
    ["change", "DELETE FROM orders USING users WHERE users.id = $1", ["orders"], "clause"],
    ["change", "WITH x AS (DELETE FROM users) DELETE FROM orders WHERE id = $1", ["orders"], "statement"],
    ["change", "MERGE INTO orders USING users ON true WHEN MATCHED THEN DELETE", ["orders"], "statement"],
    ["change", "TRUNCATE orders", ["orders"], "statement"],
  ],
};

describe.each(engines)("%s: attacks", (engine) => {
  it("refuses every one, and nothing is changed", async () => {
    const db = open(engine);
    if (db === undefined) return;
    const before = await contents(engine);
    const passed: string[] = [];
    const otherwise: string[] = [];
    for (const [kind, sql, names, codes] of attacks[engine]) {
      const request = { sql: text(engine, sql), values: sql.includes("?") || sql.includes("$1") ? [1] : [] };
      const [table = ""] = names;
      const [result] = await Promise.allSettled([
        kind === "query"
          ? db.query({ ...request, tables: names } satisfies QueryRequest)
          : db.change({ ...request, table, most: 100 }),
      ]);
      if (result?.status !== "rejected") passed.push(sql);
      else if (!codes.split("|").includes(result.reason.code))
        otherwise.push(`${sql}: ${result.reason.code} ${result.reason.message}`);
    }
    expect(passed).toEqual([]);
    expect(otherwise).toEqual([]);
    expect(attacks[engine].length).toBeGreaterThan(60);
    expect(await contents(engine)).toBe(before);
    expect(existsSync(join(folder, "copy.db"))).toBe(false);
  });
});

describe.each(engines)("%s: limits", (engine) => {
  it("holds at and beyond the rows and bytes of an answer", async () => {
    const sql = "SELECT id FROM orders";
    const small = open(engine, { maxRows: 3 });
    if (small === undefined) return;
    expect(await small.query({ sql, tables: ["orders"] })).toHaveLength(3);
    await expect(open(engine, { maxRows: 2 })?.query({ sql, tables: ["orders"] })).rejects.toMatchObject({
      code: "too-many",
    });
    const names = { sql: "SELECT name FROM customers", tables: ["customers"] };
    const bytes = JSON.stringify([{ name: "ann" }, { name: "bob" }]).length;
    expect(await open(engine, { maxBytes: bytes + 1 })?.query(names)).toHaveLength(2);
    await expect(open(engine, { maxBytes: bytes - 1 })?.query(names)).rejects.toMatchObject({
      code: "too-large",
    });
  });

  it("ends a statement that takes too long, and answers the next", async () => {
    const db = open(engine, { timeoutMs: 300 });
    if (db === undefined) return;
    // 3^27 rows to look at: hours.
    const many = Array.from({ length: 27 }, (_, at) => `orders o${at}`).join(", ");
    const sql = `SELECT count(*) AS n FROM ${many} WHERE ${Array.from({ length: 27 }, (_, at) => `o${at}.total`).join(" + ")} < 0`;
    await expect(db.query({ sql, tables: ["orders"] })).rejects.toMatchObject({ code: "too-slow" });
    const patient = open(engine);
    expect(await patient?.query({ sql: "SELECT count(*) AS n FROM orders", tables: ["orders"] })).toEqual([
      { n: 3 },
    ]);
  });

  it("holds at and beyond the values of a statement and the rows that it may change", async () => {
    const db = open(engine, { maxChanged: 2 });
    if (db === undefined) return;
    const query = (values: readonly (string | number)[]) =>
      db.query({
        sql: text(engine, `SELECT id FROM customers WHERE name IN (${values.map(() => "?").join(", ")})`),
        tables: ["customers"],
        values,
      });
    expect(await query(Array.from({ length: 100 }, () => "ann"))).toEqual([{ id: 1 }]);
    await expect(query(Array.from({ length: 101 }, () => "ann"))).rejects.toMatchObject({ code: "too-many" });
    expect(await query(["x".repeat(65_536)])).toEqual([]);
    await expect(query(["x".repeat(65_537)])).rejects.toMatchObject({ code: "too-large" });
    await expect(query(["\0"])).rejects.toMatchObject({ code: "bad-value" });
    await expect(query([Number.NaN])).rejects.toMatchObject({ code: "bad-value" });
    const sql = text(engine, "UPDATE orders SET state = ? WHERE id = ?");
    await expect(db.change({ sql, table: "orders", values: ["x", 1], most: 3 })).rejects.toMatchObject({
      code: "too-many",
    });
    await expect(db.change({ sql, table: "orders", values: ["x", 1], most: 0.5 })).rejects.toMatchObject({
      code: "too-many",
    });
  });
});

it("refuses a large value, which the server measures before it is sent", async () => {
  if (server === undefined) return;
  await server.query("CREATE TABLE big (id INTEGER, body TEXT)");
  await server.query("INSERT INTO big VALUES (1, repeat('x', 5000000))");
  const db = make({ url: server.url, tables: { big: { read: ["id", "body"] } } });
  await expect(db.query({ sql: "SELECT body FROM big", tables: ["big"] })).rejects.toMatchObject({
    code: "too-large",
  });
  expect(await db.query({ sql: "SELECT length(body) AS n FROM big", tables: ["big"] })).toEqual([
    { n: 5_000_000 },
  ]);
  await server.query("DROP TABLE big");
});

it("refuses options that no statement can be compared with", () => {
  for (const names of [
    { Orders: { read: [] } },
    { orders: { read: ["a b"] } },
    { sqlite_master: { read: [] } },
  ])
    expect(() => make({ url: path, tables: names })).toThrow(
      expect.objectContaining({ code: "bad-options" }),
    );
  expect(() => make({ url: path, tables, schema: 'x"; DROP' })).toThrow(
    expect.objectContaining({ code: "bad-options" }),
  );
});
