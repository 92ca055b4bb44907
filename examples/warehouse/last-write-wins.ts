/** Ships the orders, and cancels one of them in the end: a count of cells after a loop. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.cancelledAtMost(1), shop.nothingHalfDone()],
  async run() {
    const done: string[] = [];
    for (const { id } of await shop.orders()) {
      if (done.includes(id)) continue;
      await shop.pack({ order: id });
      await shop.ship({ order: id });
      done.push(id);
    }
    await shop.cancel({ order: "o-1" });
  },
});
