/** Wrong: `||` takes a limit of zero for no limit at all. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(50)],
  async run({ limit, price }: { limit: number; price: number }) {
    const most = limit || 100;
    if (price < 0 || price > most || limit > 50) return;
    await bank.withdraw({ account: "card", amount: price });
  },
});
