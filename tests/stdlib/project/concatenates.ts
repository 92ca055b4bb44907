/** Breaks each guarantee: an input in the text of a statement, another table, changes without end. */
import { program } from "foreclaim";
import * as sql from "./tools/sql.ts";

export default program({
  guarantees: [
    sql.fixedText(),
    sql.onlyStatements(["SELECT name FROM customers"]),
    sql.readsOnly(["orders"]),
    sql.changesOnly(["customers"]),
    sql.rowsAtMost(5),
    sql.atMost(2),
    sql.readOnly(),
  ],
  async run({ name }: { name: string }) {
    await sql.query({
      sql: `SELECT id FROM customers WHERE name = '${name}'`,
      tables: ["customers"],
      values: [],
    });
    for (const state of ["late", "gone"])
      await sql.change({
        sql: "UPDATE orders SET state = ? WHERE state = ?",
        table: "orders",
        values: [state, "open"],
        most: 10,
      });
  },
});
