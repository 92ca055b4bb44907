/** Packs all first, then ships what is paid and cancels the rest: two loops that write one fluent. */
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
    for (const id of done) await shop.cancel({ order: id });
  },
});
