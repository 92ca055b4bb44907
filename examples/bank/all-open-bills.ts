/** Pays open bills while the budget lasts: a loop over what a tool returned, with an accumulator. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

const BUDGET = 500;

export default program({
  guarantees: [bank.maxSpend(BUDGET)],
  async run() {
    let spent = 0;
    for (const { due } of await bank.openBills()) {
      if (spent + due > BUDGET) continue;
      spent += due;
      await bank.withdraw({ account: "card", amount: due });
    }
  },
});
