/** Wrong: compares with one look at the account and pays after another; two looks may differ. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(500)],
  async run() {
    const card = { account: "card" };
    if ((await bank.balance(card)) > 500) return;
    await bank.withdraw({ ...card, amount: await bank.balance(card) });
  },
});
