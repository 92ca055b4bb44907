/** Wrong: everything else goes to the same shelf, without being kept cold. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.coldShelf(7)],
  async run() {
    for (const item of await shop.coldItems()) await shop.move({ item, shelf: 7, cold: true });
    for (const { item, quantity } of await shop.orders())
      await shop.move({ item, shelf: quantity > 5 ? 7 : 1, cold: false });
  },
});
