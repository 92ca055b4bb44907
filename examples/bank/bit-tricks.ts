/** Refused: bit operations cut numbers to 32 bits, which exact numbers do not do. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(500)],
  async run() {
    const owed = await bank.balance({ account: "card" });
    await bank.withdraw({ account: "card", amount: Math.min(owed, 500) | 0 });
  },
});
