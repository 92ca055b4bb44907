/** Asks for prices and buys at the one that is low enough. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.quotedFirst()],
  async run({ item }: { item: string }) {
    const offers = await money.quotes({ item });
    const offer = offers.find((one) => one.price <= 50);
    if (offer !== undefined) await money.buy({ item: offer.item, price: offer.price, category: "software" });
  },
});
