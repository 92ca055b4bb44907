/** Wrong: a locker is looked into after it was locked, which `inspect` does not allow. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.allLocked()],
  async run() {
    for (const { name } of await club.members()) {
      await club.unlock({ locker: name });
      await club.lock({ locker: name });
      await club.inspect({ locker: name });
    }
  },
});
