/** Wrong: when many emails wait, the warning goes to somebody who was not named. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [email.only(["bob@example.com"]), email.atMost(1)],
  async run() {
    const waiting = await email.unread();
    const who = waiting > 100 ? "boss@example.com" : "bob@example.com";
    await email.send({ addr: who, msg: `${waiting} emails are waiting` });
  },
});
