/** Wrong: the text is harmless, but the inbox was read before, and nobody was asked. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.quietAfterReading("corp.example")],
  async run() {
    const mails = await mail.fetch();
    await mail.send({ to: "ann@corp.example", body: `${mails.length} emails` });
    await mail.send({ to: "pat@partner.example", body: "Good morning." });
  },
});
