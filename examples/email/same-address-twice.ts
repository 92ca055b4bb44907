/** Wrong: one address written in two ways is still one address. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [email.uniqueRecipients()],
  async run() {
    for (const addr of ["bob@example.com", "\u{62}ob@example\x2ecom"]) {
      await email.send({ addr, msg: "Hello Bob" });
    }
  },
});
