/** Packs and ships every order of the list, and promises just that: rows and the cells they are keys of. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.everyOrderShipped()],
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
