/** Answers every urgent email that waits: a loop over what a tool returned, as long as it turns out to be. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [email.atMost(50)],
  async run() {
    for (const mail of await email.inbox()) {
      if (!mail.urgent || !mail.from.includes("@")) continue;
      await email.send({ addr: mail.from, msg: `Got it: ${mail.subject}` });
    }
  },
});
