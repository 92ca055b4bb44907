/** Wrong: the invariant is stated, and one branch forgets to keep it. */
import { invariant, program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(400)],
  async run() {
    let left = 80;
    let spent = 0;
    for (const { email, due, active } of await club.members()) {
      invariant(left >= 0 && spent + left * 5 === 400);
      const units = Math.floor(due / 5);
      if (units > left) break;
      await club.pay({ to: email, amount: units * 5 });
      if (active) left -= units;
      spent += units * 5;
    }
  },
});
