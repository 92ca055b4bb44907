/** Wrong: two names for one list; what is added to one is deleted through the other. */
import { program } from "foreclaim";
import * as db from "./tools/db";

export default program({
  guarantees: [db.deletesAtMost(1)],
  async run({ also }: { also: boolean }) {
    const ids = ["u1"];
    const seen = ids;
    if (also) seen.push("u2");
    await db.begin();
    await db.remove({ table: "users", ids });
    await db.end({ outcome: "commit" });
  },
});
