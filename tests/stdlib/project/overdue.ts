/** Marks the orders of a customer as late, by two statements that are its own. */
import { program } from "foreclaim";
import * as sql from "./tools/sql.ts";

const FIND = "SELECT id, state FROM orders WHERE customer = ? AND state = ?";
const MARK = "UPDATE orders SET state = ? WHERE customer = ? AND state = ?";

export default program({
  guarantees: [
    sql.fixedText(),
    sql.onlyStatements([
      "SELECT id, state FROM orders WHERE customer = ? AND state = ?",
      "UPDATE orders SET state = ? WHERE customer = ? AND state = ?",
    ]),
    sql.readsOnly(["orders"]),
    sql.changesOnly(["orders"]),
    sql.rowsAtMost(5),
    sql.atMost(2),
  ],
  async run({ customer }: { customer: number }) {
    const open = await sql.query({ sql: FIND, tables: ["orders"], values: [customer, "open"] });
    if (open.length > 5) return { late: 0 };
    const late = await sql.change({
      sql: MARK,
      table: "orders",
      values: ["late", customer, "open"],
      most: 5,
    });
    return { late };
  },
});
