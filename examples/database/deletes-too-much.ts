/** Wrong: three lists of ids add up to more rows than were promised. */
import { program } from "foreclaim";
import * as db from "./tools/db";

const BATCHES = [["u1", "u2"], ["u3"], ["u4", "u5", "u6"]];

export default program({
  guarantees: [db.deletesAtMost(5), db.transactionClosed()],
  async run() {
    await db.begin();
    for (const ids of BATCHES) {
      await db.remove({ table: "users", ids });
    }
    await db.end({ outcome: "commit" });
  },
});
