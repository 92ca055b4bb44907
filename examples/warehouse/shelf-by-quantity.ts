/** Wrong: the shelf is computed from the quantity, and two orders may have the same. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.boxesAtMost(1)],
  async run() {
    for (const { quantity } of await shop.orders()) {
      await shop.clear({ shelf: quantity + 1 });
      await shop.stack({ shelf: quantity });
    }
  },
});
