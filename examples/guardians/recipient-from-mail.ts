/** Wrong: nothing leaves the company, but an email decides who in it gets the text. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.inside("corp.example"), mail.trustedRecipient()],
  async run() {
    for (const { from } of await mail.fetch()) {
      if (from.endsWith("@corp.example")) await mail.send({ to: from, body: "Thank you." });
    }
  },
});
