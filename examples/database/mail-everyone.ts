/** Writes to everybody who agreed: a loop over rows, with a promise that joins emails and rows. */
import { program } from "foreclaim";
import * as db from "./tools/db";
import * as mail from "./tools/mail";

export default program({
  guarantees: [db.addressesFromUsers(), db.onlyConsented(), mail.atMost(100)],
  async run() {
    const rows = await db.query({ table: "users" });
    for (const { email, name, consented } of rows) {
      if (!consented || !email.includes("@")) continue;
      await mail.send({ addr: email, msg: `Dear ${name}, there is news.` });
    }
  },
});
