/** Changes the role of one row after a look at it: a transaction, a result that may be null, a nested record. */
import { program } from "foreclaim";
import * as db from "./tools/db";

export default program({
  guarantees: [db.transactionClosed(), db.noNewAdmins(), db.looksBeforeUpdate(), db.onlyRows(["u2"])],
  async run() {
    const row = await db.find({ id: "u2" });
    if (row === null || row.role === "editor") return;
    await db.begin();
    await db.update({ id: "u2", set: { role: "editor" } });
    await db.end({ outcome: "commit" });
  },
});
