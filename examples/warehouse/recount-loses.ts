/** Wrong: writes the ordered quantity down as what there is, and there may have been more. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingIsLost()],
  async run() {
    for (const { item, quantity } of await shop.orders()) await shop.recount({ item, quantity });
  },
});
