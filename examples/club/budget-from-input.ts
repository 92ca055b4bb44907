/** Spends a budget that comes as an input, of which at most 500 counts: `-=` and a helper for the least. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(500)],
  async run({ budget }: { budget: number }) {
    let left = Math.max(0, Math.min(budget, 500));
    for (const { email, due } of await club.members()) {
      const amount = Math.min(due, left);
      if (amount <= 0) continue;
      await club.pay({ to: email, amount });
      left -= amount;
    }
  },
});
