/** Adds to a set whom it paid, so that nobody is paid twice: `Set` in a loop, and a sum for each key. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.paidAtMostEach(20)],
  async run() {
    const paid = new Set<string>();
    for (const { email, due } of await club.members()) {
      if (paid.has(email)) continue;
      paid.add(email);
      await club.pay({ to: email, amount: due });
    }
  },
});
