/** Wrong: the loop makes six payments of 100 where the budget has room for five. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(500), bank.eachAtMost(100)],
  async run() {
    for (let month = 0; month <= 5; month++) {
      await bank.withdraw({ account: "card", amount: 100 });
    }
  },
});
