/** Wrong: the second change comes after the transaction has ended. */
import { program } from "foreclaim";
import * as db from "./tools/db";

export default program({
  guarantees: [db.noNewAdmins()],
  async run({ both }: { both: boolean }) {
    await db.begin();
    await db.update({ id: "u1", set: { role: "reader" } });
    await db.end({ outcome: "commit" });
    if (both) await db.update({ id: "u2", set: { role: "reader" } });
  },
});
