/** Wrong: whatever is not express stays packed. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingHalfDone()],
  async run() {
    const done: string[] = [];
    for (const { id, express } of await shop.orders()) {
      if (done.includes(id)) continue;
      await shop.pack({ order: id });
      done.push(id);
      if (express) await shop.ship({ order: id });
    }
  },
});
