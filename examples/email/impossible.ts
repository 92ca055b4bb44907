/** Wrong: no run can keep this promise; to do nothing breaks it as well. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [email.atMost(-1)],
  async run() {
    await email.note({ addr: "bob@example.com", msg: "Nothing was sent." });
  },
});
