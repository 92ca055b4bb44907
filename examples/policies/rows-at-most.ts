/** Gives out what is asked for, up to what is left. */
import { type Int, program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.rowsAtMost(1000)],
  async run({ rows }: { rows: Int }) {
    const first = Math.max(0, Math.min(rows, 1000));
    await data.download({ table: "orders", rows: first });
    await data.download({ table: "items", rows: 1000 - first });
  },
});
