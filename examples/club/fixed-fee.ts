/** Pays every member the same, and the total is that many times the number of payments. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.paidEach(5), club.maxPaid(500)],
  async run() {
    for (const { email } of await club.members()) await club.pay({ to: email, amount: 5 });
  },
});
