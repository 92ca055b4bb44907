/** Promises nothing, and says so: an agent cannot leave the list empty. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [email.noGuarantees()],
  run: async () => {
    await email.send({ addr: "bob@example.com", msg: "ping" });
  },
});
