/** Wrong: a helper subtracts without looking, and `withdraw` requires an amount that is not negative. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

const FEE = 2;

async function payWithoutFee(amount: number) {
  await bank.withdraw({ account: "card", amount: amount - FEE });
}

export default program({
  guarantees: [bank.maxSpend(100)],
  async run() {
    const owed = await bank.balance({ account: "card" });
    if (owed <= 100) await payWithoutFee(owed);
  },
});
