/** Adds up what is owed, and pays only if all of it is within the limit: `reduce`, then a loop. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(500)],
  async run() {
    const members = await club.members();
    const total = members.reduce((sum, one) => sum + one.due, 0);
    if (total > 500) return;
    for (const { email, due } of members) await club.pay({ to: email, amount: due });
  },
});
