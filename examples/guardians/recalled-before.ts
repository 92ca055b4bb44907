/** Sends an older note and keeps the summary afterwards: what is recalled cannot be what comes later. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.inboxStays("corp.example"), mail.uninfluenced()],
  async run() {
    await mail.send({ to: "pat@partner.example", body: await mail.recall() });
    const mails = await mail.fetch();
    await mail.keep({ text: await mail.summarize({ text: mails.map((one) => one.body).join("\n") }) });
  },
});
