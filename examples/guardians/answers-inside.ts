/** Answers those who wrote from inside: the sender is looked at before it is written to. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.inside("corp.example")],
  async run() {
    for (const { from, body } of await mail.fetch()) {
      if (!from.endsWith("@corp.example")) continue;
      await mail.send({ to: from, body: await mail.summarize({ text: body }) });
    }
  },
});
