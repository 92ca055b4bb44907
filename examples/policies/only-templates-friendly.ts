/** Wrong: adds a friendly word to the template. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyTemplates(["You are in.", "Sorry, not this time."])],
  async run({ to, accepted }: { to: string; accepted: boolean }) {
    const text = accepted ? "You are in." : "Sorry, not this time.";
    await mail.send({ to, text: accepted ? `Great news! ${text}` : text });
  },
});
