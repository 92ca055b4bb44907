/** Writes to the partner first and reads the inbox afterwards, for a colleague. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.quietAfterReading("corp.example")],
  async run() {
    await mail.send({ to: "pat@partner.example", body: "Good morning." });
    const mails = await mail.fetch();
    await mail.send({ to: "ann@corp.example", body: `${mails.length} emails` });
  },
});
