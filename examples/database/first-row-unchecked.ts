/** Wrong: an empty result has no first row. */
import { program } from "foreclaim";
import * as db from "./tools/db";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.atMost(1)],
  async run() {
    const rows = await db.query({ table: "users" });
    const { email } = rows[0]!;
    if (email.includes("@")) await mail.send({ addr: email, msg: "You are the first." });
  },
});
