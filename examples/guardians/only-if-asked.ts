/** Wrong: every word that is sent is the agent's own, but whether it is sent is for an email to say. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.trustedRecipient(), mail.uninfluenced()],
  async run() {
    const mails = await mail.fetch();
    if (mails.some(({ body }) => body.includes("stop the delivery")))
      await mail.send({ to: "depot@corp.example", body: "Stop the delivery." });
  },
});
