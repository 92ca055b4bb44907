/** Wrong: clears the shelf that it computed, and then puts a second box on it for express orders. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.boxesAtMost(1)],
  async run() {
    for (const { quantity, express } of await shop.orders()) {
      await shop.clear({ shelf: quantity * 2 });
      await shop.stack({ shelf: quantity * 2 });
      if (express) await shop.stack({ shelf: quantity * 2 });
    }
  },
});
