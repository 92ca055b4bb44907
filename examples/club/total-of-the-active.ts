/** Wrong: adds up what the active are owed, and pays everybody. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(30)],
  async run() {
    const members = await club.members();
    const total = members.filter((one) => one.active).reduce((sum, one) => sum + one.due, 0);
    if (total > 30) return;
    for (const { email, due } of members) await club.pay({ to: email, amount: due });
  },
});
