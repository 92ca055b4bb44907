/** Tries again once when sending fails: the failed email may have gone out, so two may arrive, never three. */
import { program } from "foreclaim";
import { only, recipientAtMost, send } from "./tools/email";

const BOB = "bob@example.com";

export default program({
  guarantees: [only([BOB]), recipientAtMost(BOB, 2)],
  async run() {
    const mail = { addr: BOB, msg: "The report is ready." };
    try {
      await send(mail);
    } catch {
      await send(mail);
    }
  },
});
