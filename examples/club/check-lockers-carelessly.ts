/** Wrong: what is locked again is not what was opened. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.allLocked()],
  async run() {
    for (const { name } of await club.members()) {
      await club.unlock({ locker: `locker of ${name}` });
      await club.lock({ locker: name });
    }
  },
});
