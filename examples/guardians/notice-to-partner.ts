/** Tells a partner that the inbox was read, and a colleague what is in it: only the second carries it. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.inboxStays("corp.example"), mail.trustedRecipient()],
  async run() {
    const mails = await mail.fetch();
    const body = await mail.summarize({ text: mails.map((one) => one.body).join("\n") });
    await mail.send({ to: "pat@partner.example", body: "We have read our emails." });
    await mail.send({ to: await mail.colleague({ name: "bob" }), body });
  },
});
