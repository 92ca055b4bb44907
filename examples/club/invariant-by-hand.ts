/** States how two counters hang together, which nobody would guess: the invariant is proved as well, and then used. */
import { invariant, program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(400)],
  async run() {
    let vouchers = 80;
    let spent = 0;
    for (const { email, active } of await club.members()) {
      invariant(vouchers >= 0 && spent + 5 * vouchers === 400);
      const used = active ? 2 : 1;
      if (used > vouchers) break;
      await club.pay({ to: email, amount: 5 * used });
      vouchers -= used;
      spent += 5 * used;
    }
  },
});
