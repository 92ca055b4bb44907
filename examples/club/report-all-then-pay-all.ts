/** Tells the board of all payments in one loop, and makes them in the next. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.reportedBefore()],
  async run() {
    const members = await club.members();
    for (const { email } of members) await club.report({ about: email });
    for (const { email, due } of members) await club.pay({ to: email, amount: due });
  },
});
