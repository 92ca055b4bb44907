/** Opens every locker but the safe, which stays locked all along. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.staysLocked("safe"), club.allLocked()],
  async run() {
    for (const { name } of await club.members()) {
      if (name === "safe") continue;
      await club.unlock({ locker: name });
      await club.lock({ locker: name });
    }
  },
});
