/** Answers everybody who wrote in a thread: each recipient is in a row that was read. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyToThread()],
  async run({ id }: { id: string }) {
    for (const message of await mail.thread({ id })) {
      await mail.send({ to: message.from, thread: id, text: "Thank you, I will look at it." });
    }
  },
});
