/** Wrong: compares before it counts, and puts a sixth box on the shelf. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.onlyShelf(3)],
  async run() {
    let stacked = 0;
    for (const { express } of await shop.orders()) {
      if (stacked > 2) break;
      if (!express) continue;
      await shop.stack({ shelf: 3 });
      await shop.stack({ shelf: 3 });
      stacked += 1;
    }
  },
});
