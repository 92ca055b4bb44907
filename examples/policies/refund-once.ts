/** Remembers which orders it has paid back. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.refundsOnce(), money.refundsCharged()],
  async run({ customer }: { customer: string }) {
    const done = new Set<string>();
    for (const one of await money.charges({ customer })) {
      if (done.has(one.order)) continue;
      done.add(one.order);
      await money.refund({ order: one.order, amount: one.amount });
    }
  },
});
