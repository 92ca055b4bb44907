/** Wrong: a member may have the name of the safe. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.staysLocked("safe"), club.allLocked()],
  async run() {
    for (const { name } of await club.members()) {
      await club.unlock({ locker: name });
      await club.lock({ locker: name });
    }
  },
});
