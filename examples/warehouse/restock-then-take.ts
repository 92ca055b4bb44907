/** Adds before it takes, so that there is always enough: what a call requires is proved in every turn. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.takenInAll(500), shop.untouched("glass")],
  async run() {
    for (const { item, quantity } of await shop.orders()) {
      if (item === "glass") continue;
      await shop.recount({ item, quantity: 10 });
      await shop.take({ item, quantity });
    }
  },
});
