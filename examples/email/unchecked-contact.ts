/** Wrong: takes for granted that the address book knows Bob. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [email.atMost(1)],
  async run() {
    const addr = await email.lookup({ name: "bob" });
    await email.send({ addr: addr!, msg: "See you at ten." });
  },
});
