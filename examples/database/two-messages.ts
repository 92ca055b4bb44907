/** Wrong: counts emails and forgets that a message went to the phone too: a label covers both. */
import { program } from "foreclaim";
import * as everything from "./tools/everything";
import * as mail from "./tools/mail";
import * as sms from "./tools/sms";

export default program({
  guarantees: [mail.atMost(1), everything.messagesAtMost(1)],
  async run({ phone }: { phone?: string }) {
    await mail.send({ addr: "bob@example.com", msg: "Your code comes by phone." });
    if (phone !== undefined) await sms.send({ phone, msg: "4711" });
  },
});
