/**
 * Task: Raise the prices in category "books" by the given percentage, rounded to full 10 cents. Keep every price between 1.00 and 1,000.00.
 * Verdict: broken
 * Why: The category argument of listProducts is only a hint and the rows are not checked, so other products get a new price.
 * Features: cursor pagination, clamp, Math.round, Promise.all per page
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.pricesOnlyIn("books"), shop.pricesBetween(100, 100_000)],
  async run({ percent }: { percent: number }) {
    const factor = 1 + percent / 100;
    let changed = 0;
    let cursor: string | undefined;

    while (true) {
      const { items, next } = await shop.listProducts({ category: "books", cursor });
      await Promise.all(
        items.map(({ sku, price }) =>
          shop.setPrice({
            sku,
            price: Math.max(100, Math.min(100_000, Math.round((price * factor) / 10) * 10)),
          }),
        ),
      );
      changed += items.length;
      if (next === null) break;
      cursor = next;
    }
    return { changed };
  },
});
