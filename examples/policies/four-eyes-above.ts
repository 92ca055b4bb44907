/** Has large bills approved, and pays small ones at once. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.approvedAbove(500)],
  async run({ amount }: { amount: number }) {
    if (amount <= 0) return;
    if (amount > 500) await money.approve({ ref: "bill-7", by: "ann" });
    await money.pay({ ref: "bill-7", payee: "Acme", amount });
  },
});
