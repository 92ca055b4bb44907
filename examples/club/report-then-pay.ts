/** Tells the board of each payment before it makes it: order within one loop. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.reportedBefore()],
  async run() {
    for (const { email, due } of await club.members()) {
      await club.report({ about: email });
      await club.pay({ to: email, amount: due });
    }
  },
});
