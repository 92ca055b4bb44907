/** Wrong: the partner's address is the agent's own, and still the summary is made of emails that are not for them. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.inboxStays("corp.example"), mail.trustedRecipient()],
  async run() {
    const mails = await mail.fetch();
    const body = await mail.summarize({ text: mails.map((one) => one.body).join("\n") });
    await mail.send({ to: "pat@partner.example", body });
  },
});
