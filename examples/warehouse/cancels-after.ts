/** Cancels the order after the loop that may open it again: the last write wins. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.cancelledAtEnd("o-1")],
  async run() {
    for (const { id, express } of await shop.orders()) {
      if (!express) continue;
      await shop.reopen({ order: id });
    }
    await shop.cancel({ order: "o-1" });
  },
});
