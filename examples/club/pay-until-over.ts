/** Wrong: looks at the total before the payment is added to it, so the last one may be too much. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(30)],
  async run() {
    let total = 0;
    for (const { email, due } of await club.members()) {
      if (total > 30) break;
      await club.pay({ to: email, amount: due });
      total += due;
    }
  },
});
