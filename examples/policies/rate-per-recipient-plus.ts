/** Wrong: two ways to write Bob's address are counted as two people by a contract that compares texts. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.addressAtMost(1), mail.eachAtMost(1)],
  async run() {
    for (const to of ["bob@example.com", "bob+hours@example.com"]) {
      await mail.send({ to, text: "Please fill in your hours." });
    }
  },
});
