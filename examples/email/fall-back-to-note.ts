/** Leaves a note when the email fails, so that nobody gets two emails: a failure that is handled well. */
import { program } from "foreclaim";
import * as email from "./tools/email";

const BOB = "bob@example.com";

export default program({
  guarantees: [email.uniqueRecipients(), email.insideDomain("example.com")],
  async run({ report }: { report: string }) {
    let sent = true;
    try {
      await email.send({ addr: BOB, msg: report });
    } catch {
      sent = false;
    }
    if (!sent) {
      await email.note({ addr: BOB, msg: "An email to you may have been lost." });
    }
  },
});
