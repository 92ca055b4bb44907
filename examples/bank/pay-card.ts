/** Pays what is owed on a card, but never more than 500: `Math.min` over a tool result. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(500), bank.onlyAccount("card"), bank.looksFirst()],
  async run() {
    const owed = await bank.balance({ account: "card" });
    await bank.withdraw({ account: "card", amount: Math.min(owed, 500) });
  },
});
