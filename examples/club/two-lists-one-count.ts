/** Wrong: starts to count again for the second list. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.atMost(3)],
  async run() {
    let written = 0;
    for (const { email } of await club.members()) {
      if (written >= 2) break;
      await club.send({ to: email, body: "News" });
      written += 1;
    }
    written = 0;
    for (const address of await club.subscribers()) {
      if (written >= 2) return;
      await club.send({ to: address, body: "News" });
      written += 1;
    }
  },
});
