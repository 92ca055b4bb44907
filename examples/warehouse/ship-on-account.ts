/** Wrong: express orders are shipped before anybody paid. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.shippedIsPaid()],
  async run() {
    const done: string[] = [];
    for (const { id, paid, express } of await shop.orders()) {
      if (done.includes(id)) continue;
      if (paid) await shop.settle({ order: id });
      if (!paid && !express) continue;
      await shop.pack({ order: id });
      await shop.ship({ order: id });
      done.push(id);
    }
  },
});
