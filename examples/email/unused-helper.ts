/** Writes no email, in any run, and could: the text of the program calls `send` in a helper that nobody calls. */
import { program } from "foreclaim";
import { noGuarantees, send, unread } from "./tools/email";

const write = send;

export default program({
  guarantees: [noGuarantees()],
  async run() {
    const answer = async (addr: string) => {
      await write({ addr, msg: "thank you" });
    };
    const answers = false;
    const waiting = await unread();
    if (answers && waiting > 0) await answer("bob@example.com");
  },
});
