/** Wrong: forgets the boxes that it put on the shelf before the loop. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.onlyShelf(3)],
  async run() {
    for (const _ of [1, 2, 3]) await shop.stack({ shelf: 3 });
    let stacked = 0;
    for (const { express } of await shop.orders()) {
      if (stacked >= 3) break;
      if (!express) continue;
      await shop.stack({ shelf: 3 });
      stacked += 1;
    }
  },
});
