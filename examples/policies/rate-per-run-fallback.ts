/** Wrong: falls back to a text message, and the email that failed may have gone out all the same. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.messagesAtMost(5)],
  async run() {
    const people = await mail.contacts();
    for (const person of people.slice(0, 5)) {
      try {
        await mail.send({ to: person.address, text: "We are moving." });
      } catch {
        await mail.sms({ to: person.name, text: "We are moving." });
      }
    }
  },
});
