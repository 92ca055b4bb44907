/** Wrong: rounds to the nearest whole and may spend up to half a unit more than was allowed. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(99.5)],
  async run({ amount }: { amount: number }) {
    if (amount < 0 || amount > 99.5) return;
    await bank.withdraw({ account: "card", amount: Math.round(amount) });
  },
});
