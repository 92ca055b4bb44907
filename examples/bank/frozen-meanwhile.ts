/** Wrong: freezes an account while another function still looks before it pays, so that the payment may come after. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

async function pay(): Promise<void> {
  const there = await bank.balance({ account: "card" });
  await bank.withdraw({ account: "card", amount: Math.min(there, 50) });
}

export default program({
  guarantees: [bank.maxSpend(50), bank.onlyAccount("card"), bank.nothingAfterFreeze()],
  async run() {
    await Promise.all([pay(), bank.freeze({ account: "savings" })]);
  },
});
