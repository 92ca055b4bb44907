/** Wrong: both addresses stand in the program, and an email chooses between them. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.trustedRecipient()],
  async run() {
    const mails = await mail.fetch();
    const isUrgent = mails.some(({ subject }) => subject.includes("urgent"));
    const to = isUrgent ? "chief@corp.example" : "ann@corp.example";
    await mail.send({ to, body: "There is mail." });
  },
});
