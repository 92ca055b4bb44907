/** Adds and takes the same, so that everything is in the end as it was. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingIsLost(), shop.untouched("lamp")],
  async run() {
    const known = new Set<string>();
    for (const { item, quantity } of await shop.orders()) {
      if (known.has(item)) continue;
      known.add(item);
      await shop.recount({ item, quantity: 20 });
      await shop.take({ item, quantity });
      await shop.restock({ item, quantity });
    }
  },
});
