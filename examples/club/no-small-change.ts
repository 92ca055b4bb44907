/** Leaves out payments that are not worth the fee: the least of the calls in a loop. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.smallestPayment(1)],
  async run() {
    for (const { email, due } of await club.members()) {
      if (due < 1) continue;
      await club.pay({ to: email, amount: due });
    }
  },
});
