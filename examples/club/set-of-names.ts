/** Wrong: remembers names, and pays to addresses. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.paidAtMostEach(20)],
  async run() {
    const paid = new Set<string>();
    for (const { name, email, due } of await club.members()) {
      if (paid.has(name)) continue;
      paid.add(name);
      await club.pay({ to: email, amount: due });
    }
  },
});
