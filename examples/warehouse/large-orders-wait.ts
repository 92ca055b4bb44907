/** Wrong: leaves large orders for later, and nobody comes back to them. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.everyOrderShipped()],
  async run() {
    const done: string[] = [];
    for (const { id, quantity } of await shop.orders()) {
      if (done.includes(id)) continue;
      if (quantity > 5) continue;
      await shop.pack({ order: id });
      await shop.ship({ order: id });
      done.push(id);
    }
  },
});
