/** Adds what was ordered, and nothing gets less: values that are computed from those before, and an initial state that is unknown. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingIsLost(), shop.neverNegative("lamp")],
  async run() {
    for (const { item, quantity } of await shop.orders()) await shop.restock({ item, quantity });
  },
});
