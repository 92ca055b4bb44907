/** Answers with who wrote and how much: the agent learns that much, and reads no email. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.agentReadsNoBody()],
  async run() {
    const mails = await mail.fetch();
    if (mails.length === 0) return "nothing came in";
    console.log("emails:", mails.length);
    return { senders: mails.map((one) => one.from), subjects: mails.map((one) => one.subject) };
  },
});
