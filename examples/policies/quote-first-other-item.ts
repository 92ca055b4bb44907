/** Wrong: asks for the price of one thing and buys the larger one. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.quotedFirst()],
  async run({ item }: { item: string }) {
    const offers = await money.quotes({ item });
    const offer = offers.find((one) => one.price <= 50);
    if (offer === undefined) return;
    await money.buy({ item: `${item} (large)`, price: offer.price, category: "software" });
  },
});
