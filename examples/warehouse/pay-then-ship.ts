/** Ships only what it has noted as paid: two fluents compared at the end. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.shippedIsPaid(), shop.staysPaid()],
  async run() {
    const done: string[] = [];
    for (const { id, paid } of await shop.orders()) {
      if (!paid || done.includes(id)) continue;
      await shop.settle({ order: id });
      await shop.pack({ order: id });
      await shop.ship({ order: id });
      done.push(id);
    }
  },
});
