/** Wrong: the answer is harmless, and a note on the way has the text of an email. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.agentReadsNoBody()],
  async run() {
    for (const one of await mail.fetch()) {
      if (one.body.length > 1000) console.warn("a long one", one.body.slice(0, 20));
    }
    return "done";
  },
});
