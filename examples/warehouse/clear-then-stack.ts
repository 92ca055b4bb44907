/** Clears the shelf that it computed from the row before it puts one box on it. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.boxesAtMost(1)],
  async run() {
    for (const { quantity } of await shop.orders()) {
      await shop.clear({ shelf: quantity * 2 });
      await shop.stack({ shelf: quantity * 2 });
    }
  },
});
