/** Stacks boxes on one shelf while there is room: numbers as keys, and a counter that keeps to what `stack` requires. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.onlyShelf(3), shop.boxesAtMost(5)],
  async run() {
    let stacked = 0;
    for (const { express } of await shop.orders()) {
      if (stacked >= 5) break;
      if (!express) continue;
      await shop.stack({ shelf: 3 });
      stacked += 1;
    }
  },
});
