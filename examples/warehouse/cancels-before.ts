/** Wrong: cancels the order first, and the loop packs and ships it all the same if it is in the list. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.cancelledAtEnd("o-1")],
  async run() {
    await shop.cancel({ order: "o-1" });
    for (const { id, express } of await shop.orders()) {
      if (!express) continue;
      await shop.reopen({ order: id });
    }
  },
});
