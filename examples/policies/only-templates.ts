/** Says one of two things, word for word. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyTemplates(["You are in.", "Sorry, not this time."])],
  async run({ to, accepted }: { to: string; accepted: boolean }) {
    await mail.send({ to, text: accepted ? "You are in." : "Sorry, not this time." });
  },
});
