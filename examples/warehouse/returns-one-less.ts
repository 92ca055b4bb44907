/** Wrong: puts back one less when the order is express. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.nothingIsLost()],
  async run() {
    for (const { item, quantity, express } of await shop.orders()) {
      await shop.correct({ item, by: -quantity });
      await shop.correct({ item, by: express ? quantity - 1 : quantity });
    }
  },
});
