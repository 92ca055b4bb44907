/** Writes to the first five of the address book: a limit for the whole run. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.messagesAtMost(5)],
  async run() {
    const people = await mail.contacts();
    for (const person of people.slice(0, 5)) await mail.send({ to: person.address, text: "We are moving." });
  },
});
