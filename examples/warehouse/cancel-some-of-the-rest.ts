/** Wrong: cancels only what is not paid, and nobody ships what is. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingHalfDone()],
  async run() {
    const orders = await shop.orders();
    const done: string[] = [];
    for (const { id } of orders) {
      if (done.includes(id)) continue;
      await shop.pack({ order: id });
      done.push(id);
    }
    for (const { id, paid } of orders) if (!paid) await shop.cancel({ order: id });
  },
});
