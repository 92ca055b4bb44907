/** Wrong: for a moment there is more than before, which was promised for all times. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingIsAdded()],
  async run() {
    for (const { item, quantity } of await shop.orders()) {
      await shop.restock({ item, quantity });
      await shop.take({ item, quantity });
    }
  },
});
