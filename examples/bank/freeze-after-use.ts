/** Thaws an account for one payment and freezes it again, whatever happens: `finally`, and state that is required. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.frozenAtEnd("savings"), bank.nothingAfterFreeze(), bank.maxSpend(80)],
  async run({ amount }: { amount: number }) {
    await bank.thaw({ account: "savings" });
    try {
      if (amount < 0 || amount > 80) return;
      await bank.withdraw({ account: "savings", amount });
    } finally {
      await bank.freeze({ account: "savings" });
    }
  },
});
