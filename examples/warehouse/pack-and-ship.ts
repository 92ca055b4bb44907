/** Packs and ships each order that was not handled before: `requires` that read a state which the loop changes. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingHalfDone(), shop.neverCancels()],
  async run() {
    const done: string[] = [];
    for (const { id } of await shop.orders()) {
      if (done.includes(id)) continue;
      await shop.pack({ order: id });
      await shop.ship({ order: id });
      done.push(id);
    }
  },
});
