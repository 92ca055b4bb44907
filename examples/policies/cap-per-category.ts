/** Buys for a trip, each thing within the budget of its category. */
import { program } from "foreclaim";
import * as money from "./tools/money";

const LIMITS = [
  { category: "travel" as const, limit: 300 },
  { category: "food" as const, limit: 40 },
];

export default program({
  guarantees: [money.categoriesAtMost(LIMITS)],
  async run({ fare }: { fare: number }) {
    if (fare < 0 || fare > 300) return;
    await money.buy({ item: "ticket", price: fare, category: "travel" });
    await money.buy({ item: "lunch", price: 18.5, category: "food" });
    await money.buy({ item: "dinner", price: 21.5, category: "food" });
  },
});
