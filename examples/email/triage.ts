/** Tells the right person about the mail that waits: branches on a tool result, early return, optional subject. */
import { program } from "foreclaim";
import * as email from "./tools/email";

const MANY = 20;

export default program({
  guarantees: [
    email.only(["bob@example.com", "carol@example.com"]),
    email.atMost(1),
    email.subjectStartsWith("[inbox]"),
  ],
  async run() {
    const waiting = await email.unread();
    if (waiting === 0) return;
    const subject = "[inbox] " + (waiting === 1 ? "one email" : `${waiting} emails`);
    if (waiting > MANY) {
      await email.send({ addr: "carol@example.com", msg: "Bob needs a hand.", subject });
      return;
    }
    await email.send({ addr: "bob@example.com", msg: "Please have a look.", subject });
  },
});
