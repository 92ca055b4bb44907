/** Counts orders and changes nothing. */
import { program } from "foreclaim";
import * as sql from "./tools/sql.ts";

export default program({
  guarantees: [sql.readOnly(), sql.atMost(1)],
  async run({ state }: { state: string }) {
    return await sql.query({
      sql: "SELECT count(*) AS n FROM orders WHERE state = ?",
      tables: ["orders"],
      values: [state],
    });
  },
});
