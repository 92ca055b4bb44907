/** Wrong: takes the mark from an order that somebody else had paid. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.staysPaid()],
  async run() {
    for (const { id, paid } of await shop.orders()) {
      if (paid) await shop.settle({ order: id });
      else await shop.unsettle({ order: id });
    }
  },
});
