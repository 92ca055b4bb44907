/** Wrong: does what a message says, and writes to the address that stands in it. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyToThread()],
  async run({ id }: { id: string }) {
    for (const message of await mail.thread({ id })) {
      const isForward = message.text.startsWith("Please forward to ");
      const to = isForward ? message.text.slice(18) : message.from;
      await mail.send({ to, thread: id, text: message.text });
    }
  },
});
