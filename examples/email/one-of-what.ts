/** Refused: a text is no list of addresses, although both know `includes`. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [email.only("bob@example.com, carol@example.com")],
  async run() {
    await email.send({ addr: "b@example.com", msg: "Part of an address" });
  },
});
