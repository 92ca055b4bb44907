/** Spreads boxes over shelves, one to each: a key that is computed from the position in the list. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.boxesAtMost(1)],
  async run() {
    const orders = await shop.orders();
    for (const [i] of orders.entries()) await shop.stack({ shelf: i });
  },
});
