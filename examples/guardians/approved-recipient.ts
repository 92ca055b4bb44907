/** An email names the address, and the person approves it before anything is sent there. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.trustedRecipient()],
  async run() {
    const mails = await mail.fetch();
    const found = await mail.addressIn({ text: mails.map((one) => one.body).join("\n") });
    const to = await mail.approve({ text: found });
    await mail.send({ to, body: "You asked us to write to you." });
  },
});
