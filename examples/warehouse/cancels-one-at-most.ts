/** Cancels the first unpaid order and stops there: how many cells hold something after a loop with `break`. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.cancelledAtMost(1)],
  async run() {
    for (const { id, paid } of await shop.orders()) {
      if (paid) continue;
      await shop.cancel({ order: id });
      break;
    }
  },
});
