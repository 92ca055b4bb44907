/** Wrong: the email goes to a colleague, and the copy with its attachment to a partner. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.attachmentsInside("example.com")],
  async run() {
    await mail.send({
      to: "ann@example.com",
      cc: ["bob@partner.example"],
      text: "The contract is signed.",
      attachments: ["contract.pdf"],
    });
  },
});
