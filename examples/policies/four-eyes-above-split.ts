/** Wrong: pays a large bill in two halves, each too small to need an approval. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.eachApprovedAbove(500), money.approvedAbove(500)],
  async run({ amount }: { amount: number }) {
    if (amount <= 0 || amount > 1000) return;
    await money.pay({ ref: "bill-7a", payee: "Acme", amount: amount / 2 });
    await money.pay({ ref: "bill-7b", payee: "Acme", amount: amount / 2 });
  },
});
