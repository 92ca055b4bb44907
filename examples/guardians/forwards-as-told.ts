/** Wrong: the address is looked for in the emails while the program runs, and may be any. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.inside("corp.example")],
  async run() {
    for (const { body } of await mail.fetch()) {
      const to = await mail.addressIn({ text: body });
      await mail.send({ to, body: await mail.summarize({ text: body }) });
    }
  },
});
