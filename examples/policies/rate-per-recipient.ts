/** Reminds two people, and tries each again if that failed: at most two emails for each. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.eachAtMost(2)],
  async run() {
    for (const to of ["ann@example.com", "bob@example.com"]) {
      try {
        await mail.send({ to, text: "Please fill in your hours." });
      } catch {
        await mail.send({ to, text: "Please fill in your hours." });
      }
    }
  },
});
