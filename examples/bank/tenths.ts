/** Pays three times a tenth: numbers are exact, so the sum is three tenths and not a little more. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(0.3), bank.careful("card")],
  async run() {
    await bank.balance({ account: "card" });
    for (let i = 0; i < 3; i++) {
      await bank.withdraw({ account: "card", amount: 0.1 });
    }
  },
});
