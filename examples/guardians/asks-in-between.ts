/** Reads the inbox, has the person approve the summary, and only then sends it outside. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.quietAfterReading("corp.example"), mail.trustedRecipient()],
  async run() {
    const mails = await mail.fetch();
    const text = await mail.summarize({ text: mails.map((one) => one.body).join("\n") });
    const body = await mail.approve({ text });
    await mail.send({ to: "pat@partner.example", body });
  },
});
