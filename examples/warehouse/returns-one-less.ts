/** Wrong: returns one less than it took when the order is express. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingIsLost()],
  async run() {
    for (const { item, quantity, express } of await shop.orders()) {
      await shop.restock({ item, quantity });
      await shop.take({ item, quantity: express ? quantity + 1 : quantity });
    }
  },
});
