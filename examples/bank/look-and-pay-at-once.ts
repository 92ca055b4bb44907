/** Looks at two accounts and takes from each, both at the same time: each is looked at first, in whichever order calls end. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(300), bank.eachAtMost(150), bank.looksFirst()],
  async run() {
    await Promise.all(
      ["card", "savings"].map(async (account) => {
        const there = await bank.balance({ account });
        await bank.withdraw({ account, amount: Math.min(there, 150) });
      }),
    );
  },
});
