/**
 * Statements on a database, as tools. `foreclaim/std/sql` refuses tables, columns and changes that are not listed here, and
 * tables that a call does not name; SQLite and PostgreSQL themselves say what a statement uses. Values are never in its text.
 */
import { contract, coverage, flowsFrom, type Int, input, labelled, tool, untrusted } from "foreclaim";
import { database } from "foreclaim/std/sql";

const shop = database({
  url: new URL("../shop.db", import.meta.url), // or "postgres://user@host:5432/database"
  tables: {
    orders: { read: ["id", "customer", "state", "total"], update: ["state"] },
    customers: { read: ["id", "name"] },
  },
  maxRows: 1000,
  maxChanged: 10,
});

/** Returns the rows of one `SELECT`, which reads these tables and no other. */
export const query = tool({
  labels: ["statement"],
  reads: true,
  source: "untrusted",
  stores: ["database"],
  requires: ({ sql, tables }) =>
    sql.startsWith("SELECT ") && tables.every((table) => table === "orders" || table === "customers"),
  ensures: (rows) => rows.length <= 1000,
  run: async ({
    sql,
    tables,
    values,
  }: {
    sql: string;
    tables: string[];
    values: (string | number)[];
  }): Promise<unknown[]> => [...(await shop.query({ sql, tables, values }))],
});

/** Changes rows of one table, all of them or none; fails if they are more than `most`. Returns how many. */
export const change = tool({
  labels: ["statement", "change"],
  stores: ["database"],
  requires: ({ table, most }) => table === "orders" && most >= 0 && most <= 10,
  ensures: (changed, { most }) => changed >= 0 && changed <= most,
  run: async ({
    sql,
    table,
    values,
    most,
  }: {
    sql: string;
    table: string;
    values: (string | number)[];
    most: Int;
  }): Promise<Int> => shop.change({ sql, table, values, most }),
});

/** The text of no statement comes from an input or from what others wrote; these are values. */
export const fixedText = contract(() =>
  labelled<{ sql: string }>("statement").none((s) => flowsFrom(s.sql, input()) || untrusted(s.sql)),
);

/** Only these statements are run, word for word. */
export const onlyStatements = contract((texts: string[]) =>
  labelled<{ sql: string }>("statement").all((s) => texts.includes(s.sql)),
);

/** Only these tables are read. */
export const readsOnly = contract((tables: string[]) =>
  query.all((q) => q.tables.every((table) => tables.includes(table))),
);

/** Only rows of these tables are changed. */
export const changesOnly = contract((tables: string[]) => change.all((c) => tables.includes(c.table)));

/** At most so many rows are changed in all. */
export const rowsAtMost = contract((n: number) => change.sum((c) => c.most) <= n);

/** At most so many statements are run. */
export const atMost = contract((n: number) => labelled("statement").count() <= n);

/** Nothing is changed. */
export const readOnly = contract(() => change.none());

/** A program's statements are its own; one that changes rows should say where and how many. */
export const texts = coverage({ whenUsed: [query, change], required: [fixedText()], label: "statements" });
export const policy = coverage({
  whenUsed: [change],
  recommended: [changesOnly, rowsAtMost],
  label: "changes",
});
