/** Deletes rows that are named in the program, and rolls back when that fails: state that computes. */
import { program } from "foreclaim";
import * as db from "./tools/db";

const OLD = ["u7", "u8"];

export default program({
  guarantees: [db.transactionClosed(), db.keeps("users")],
  async run() {
    await db.begin();
    let outcome: "commit" | "rollback" = "commit";
    try {
      await db.remove({ table: "sessions", ids: OLD });
    } catch {
      outcome = "rollback";
    }
    await db.end({ outcome });
  },
});
