/** Pays what is owed, and no single payment is large: the greatest of the calls in a loop. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.largestPayment(20)],
  async run() {
    for (const { email, due } of await club.members()) {
      if (due > 0) await club.pay({ to: email, amount: due });
    }
  },
});
