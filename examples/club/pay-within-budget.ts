/** Pays while the total stays within 500, and stops at the first that does not fit: `break`. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(500)],
  async run() {
    let total = 0;
    for (const { email, due } of await club.members()) {
      if (total + due > 500) break;
      await club.pay({ to: email, amount: due });
      total += due;
    }
  },
});
