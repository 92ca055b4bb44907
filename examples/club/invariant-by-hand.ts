/** States what stays true of two counters that go in opposite directions, and it is proved as well. */
import { invariant, program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(400)],
  async run() {
    let left = 80;
    let spent = 0;
    for (const { email, due } of await club.members()) {
      invariant(left >= 0 && spent + left * 5 === 400);
      const units = Math.floor(due / 5);
      if (units > left) break;
      await club.pay({ to: email, amount: units * 5 });
      left -= units;
      spent += units * 5;
    }
  },
});
