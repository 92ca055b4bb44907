/** Attaches the contract for colleagues only, and tells everybody else where to ask for it. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

const TO = ["ann@example.com", "bob@partner.example"];

export default program({
  guarantees: [mail.attachmentsInside("example.com")],
  async run() {
    for (const to of TO) {
      const attachments = to.endsWith("@example.com") ? ["contract.pdf"] : [];
      await mail.send({ to, text: "The contract is signed.", attachments });
    }
  },
});
