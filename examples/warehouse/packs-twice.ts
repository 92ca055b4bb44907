/** Wrong: one order may be in the list twice, and the second time it is no longer new. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingHalfDone()],
  async run() {
    for (const { id } of await shop.orders()) {
      await shop.pack({ order: id });
      await shop.ship({ order: id });
    }
  },
});
