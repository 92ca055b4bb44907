/** Wrong: two orders of one item are taken one after the other. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.takenAtMost(10)],
  async run() {
    for (const { item, quantity } of await shop.orders()) {
      await shop.recount({ item, quantity: 10 });
      await shop.take({ item, quantity });
    }
  },
});
