/** Wrong: any role may be asked for, also the one that nobody should get. */
import { program } from "foreclaim";
import * as db from "./tools/db";

export default program({
  guarantees: [db.noNewAdmins(), db.transactionClosed()],
  async run({ role }: { role: string }) {
    if (role === "") return;
    await db.begin();
    await db.update({ id: "u1", set: { role } });
    await db.end({ outcome: "commit" });
  },
});
