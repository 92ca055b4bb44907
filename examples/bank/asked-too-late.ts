/** Wrong: the small payment is made before the question, and the question before the large one comes too late. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.askedFirst()],
  async run({ amount }: { amount: number }) {
    if (amount >= 0 && amount < 5) {
      await bank.withdraw({ account: "card", amount });
    }
    const yes = await bank.confirm({ question: "Anything else?" });
    if (yes && amount >= 5) {
      await bank.withdraw({ account: "card", amount });
    }
  },
});
