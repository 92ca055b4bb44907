/** Wrong: the answer has the emails in it, and with them what anybody could write to the agent. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.agentReadsNoBody()],
  async run() {
    const mails = await mail.fetch();
    return { count: mails.length, newest: mails.at(-1) ?? null };
  },
});
