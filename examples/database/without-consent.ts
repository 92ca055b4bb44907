/** Wrong: asks for all rows and writes to the first, who may not have agreed. */
import { program } from "foreclaim";
import * as db from "./tools/db";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.atMost(1), db.onlyConsented()],
  async run() {
    const [first] = await db.query({ table: "users", where: {} });
    if (first?.email.includes("@")) {
      await mail.send({ addr: first.email, msg: "Hello" });
    }
  },
});
