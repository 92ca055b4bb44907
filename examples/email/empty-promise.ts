/** Refused: the list of guarantees is empty. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [],
  async run() {
    await email.send({ addr: "bob@example.com", msg: "ping" });
  },
});
