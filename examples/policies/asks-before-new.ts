/** Writes to people it knows, and asks before it writes to somebody new. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.asksBeforeNew()],
  async run({ to }: { to: string }) {
    const people = await mail.contacts();
    const isKnown = people.some((one) => one.address === to);
    if (isKnown || (await mail.ask({ person: to }))) await mail.send({ to, text: "Hello!" });
  },
});
