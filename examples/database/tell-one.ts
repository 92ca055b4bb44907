/** Writes to the first row of a query, if there is one: an index that may be out of range, checked. */
import { program } from "foreclaim";
import * as db from "./tools/db";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.atMost(1), db.readOnly()],
  async run() {
    const rows = await db.query({ table: "users", where: { consented: true } });
    const first = rows[0];
    if (first === undefined || !first.email.includes("@")) return;
    await mail.send({ addr: first.email, msg: `Dear ${first.name}` });
  },
});
