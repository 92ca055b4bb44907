/** Opens, checks and locks the locker of each member: fluents in a loop, at keys that are computed. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.allLocked()],
  async run() {
    for (const { name } of await club.members()) {
      const locker = `locker of ${name}`;
      await club.unlock({ locker });
      await club.inspect({ locker });
      await club.lock({ locker });
    }
  },
});
