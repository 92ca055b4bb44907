/** Moves what will be spent to the card first: two sums compared with each other, and state that computes. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

const SPENDING = [20, 35.5, 12];

export default program({
  guarantees: [bank.movedCoversSpent(), bank.neverGone(67.5), bank.maxSpend(67.5)],
  async run() {
    const total = SPENDING.reduce((sum, amount) => sum + amount, 0);
    await bank.transfer({ from: "savings", to: "card", amount: total });
    for (const amount of SPENDING) {
      await bank.withdraw({ account: "card", amount });
    }
  },
});
