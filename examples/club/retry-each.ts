/** Tries each address up to three times: a `while` with a bound in a loop over unknown data. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.reportsAtMost(100)],
  async run() {
    for (const { email, name } of await club.members()) {
      let tries = 0;
      let sent = false;
      while (!sent && tries < 3) {
        try {
          await club.send({ to: email, body: `Dear ${name}` });
          sent = true;
        } catch {
          tries += 1;
        }
      }
      if (!sent) await club.report({ about: email });
    }
  },
});
