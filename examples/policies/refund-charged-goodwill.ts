/** Wrong: adds something for the trouble. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.refundsCharged()],
  async run({ customer }: { customer: string }) {
    for (const one of await money.charges({ customer })) {
      const amount = one.amount > 50 ? one.amount + 5 : one.amount;
      await money.refund({ order: one.order, amount });
    }
  },
});
