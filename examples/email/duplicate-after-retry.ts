/** Wrong: sends again after a failure and promises that nobody gets two emails. */
import { program } from "foreclaim";
import * as email from "./tools/email";

const BOB = "bob@example.com";

export default program({
  guarantees: [email.only([BOB]), email.uniqueRecipients()],
  async run() {
    let tries = 0;
    let sent = false;
    while (tries < 2 && !sent) {
      tries++;
      try {
        await email.send({ addr: BOB, msg: "Invoice 17 is due." });
        sent = true;
      } catch {
        // The next turn tries again.
      }
    }
  },
});
