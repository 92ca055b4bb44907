/** Takes some of each item and puts back as many, so that everything is in the end as it was. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingIsLost(), shop.untouched("lamp")],
  async run() {
    for (const { item, quantity } of await shop.orders()) {
      await shop.correct({ item, by: -quantity });
      await shop.correct({ item, by: quantity });
    }
  },
});
