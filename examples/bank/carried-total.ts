/** Wrong: what is left is halved in every turn, but the first turns spend too much already. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(100), bank.eachAtMost(64)],
  async run() {
    let part = 64;
    for (const account of ["card", "savings", "rent"]) {
      await bank.withdraw({ account, amount: part });
      part /= 2;
    }
  },
});
