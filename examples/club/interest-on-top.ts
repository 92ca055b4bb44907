/** Wrong: adds interest, and the largest payment gets larger than was promised. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.largestPayment(20)],
  async run() {
    for (const { email, due, active } of await club.members()) {
      const amount = active ? due : due * 1.05;
      if (due > 0) await club.pay({ to: email, amount });
    }
  },
});
