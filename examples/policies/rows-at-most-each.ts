/** Wrong: each table is within the limit, and both together are not. */
import { type Int, program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.rowsAtMost(1000)],
  async run({ rows }: { rows: Int }) {
    const most = Math.max(0, Math.min(rows, 1000));
    for (const table of ["orders", "items"]) await data.download({ table, rows: most });
  },
});
