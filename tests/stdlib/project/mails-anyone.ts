/** Mails whomever an input names: what `send` requires does not hold. */
import { program } from "foreclaim";
import * as mail from "./tools/mail.ts";

export default program({
  guarantees: [mail.atMost(1)],
  async run({ to }: { to: string }) {
    await mail.send({ to, subject: "Hello", text: "Hello", attachments: [] });
  },
});
