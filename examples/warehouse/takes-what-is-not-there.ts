/** Wrong: takes without knowing whether there is enough. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingIsAdded()],
  async run() {
    for (const { item, quantity } of await shop.orders()) await shop.take({ item, quantity });
  },
});
