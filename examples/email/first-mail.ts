/** Answers the newest email if there is one: an element of a list that may be empty, checked before it is used. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [email.only(["carol@example.com"]), email.atMost(1), email.contentLengthAtMost(40)],
  async run() {
    const [newest] = await email.inbox();
    if (!newest?.urgent) return;
    await email.send({ addr: "carol@example.com", msg: "Something urgent is waiting." });
  },
});
