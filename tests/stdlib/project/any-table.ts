/** Reads the tables that an input names, and changes as many rows as it says: what the tools require does not hold. */
import { program } from "foreclaim";
import * as sql from "./tools/sql.ts";

export default program({
  guarantees: [sql.fixedText()],
  async run({ table, most }: { table: string; most: number }) {
    await sql.query({ sql: "SELECT id FROM orders", tables: [table], values: [] });
    if (Number.isInteger(most))
      await sql.change({
        sql: "UPDATE orders SET state = ? WHERE id = ?",
        table: "orders",
        values: ["a", 1],
        most,
      });
  },
});
