/** Wrong: in one branch the account is frozen before the second payment, which `withdraw` does not allow. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(30)],
  async run() {
    await bank.withdraw({ account: "card", amount: 10 });
    const suspicious = await bank.confirm({ question: "Was that somebody else?" });
    if (suspicious) {
      await bank.freeze({ account: "card" });
    }
    await bank.withdraw({ account: "card", amount: 20 });
  },
});
