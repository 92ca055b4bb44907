/** Wrong: takes from the budget what is owed, but pays without looking what is left. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(50)],
  async run({ budget }: { budget: number }) {
    let left = Math.min(budget, 50);
    for (const { email, due } of await club.members()) {
      if (left <= 0) break;
      await club.pay({ to: email, amount: due });
      left -= due;
    }
  },
});
