/** Wrong: the name of the domain can also stand at the beginning of another, and `includes` does not see where. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.inside("corp.example")],
  async run() {
    for (const { from, body } of await mail.fetch()) {
      if (!from.includes("@corp.example")) continue;
      await mail.send({ to: from, body: await mail.summarize({ text: body }) });
    }
  },
});
