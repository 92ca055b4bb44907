/** Wrong: the summary is put into a note and taken out again, which does not make it another text. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.inboxStays("corp.example")],
  async run() {
    const mails = await mail.fetch();
    await mail.keep({ text: await mail.summarize({ text: mails.map((one) => one.body).join("\n") }) });
    await mail.send({ to: "pat@partner.example", body: await mail.recall() });
  },
});
