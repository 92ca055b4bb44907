/** Wrong: tries a refund again when it failed, and it may have been made; each is covered, both together are not. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.refundsOnce(), money.refundsCharged()],
  async run({ customer }: { customer: string }) {
    const [one] = await money.charges({ customer });
    if (one === undefined) return;
    try {
      await money.refund({ order: one.order, amount: one.amount });
    } catch {
      await money.refund({ order: one.order, amount: one.amount });
    }
  },
});
