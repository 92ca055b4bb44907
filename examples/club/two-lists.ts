/** Writes to members and to subscribers, and to no more than it counted: two lists that have nothing to do with each other. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.atMost(150)],
  async run() {
    let written = 0;
    for (const { email } of await club.members()) {
      await club.send({ to: email, body: "News" });
      written += 1;
    }
    for (const address of await club.subscribers()) {
      if (written >= 150) return;
      await club.send({ to: address, body: "News" });
      written += 1;
    }
  },
});
