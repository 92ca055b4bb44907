/**
 * Task: Set the prices from this list, one "SKU;12.34" per line. Ignore bad lines; prices must be between 0.01 and 9,999.99 and each SKU may be set once (the last line wins).
 * Verdict: broken
 * Why: The range test skips only numbers outside of the range; NaN from a bad price passes both comparisons.
 * Features: split, array destructuring, parseFloat, Math.round, Map, NaN comparison
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.pricesBetween(1, 999_999), shop.priceOnceEach()],
  async run({ list }: { list: string }) {
    const prices = new Map<string, number>();
    for (const line of list.split("\n")) {
      const [sku, amount] = line.split(";");
      if (!sku || !amount) continue;
      const cents = Math.round(parseFloat(amount.replace(",", ".")) * 100);
      if (cents < 1 || cents > 999_999) continue;
      prices.set(sku.trim(), cents);
    }

    for (const [sku, price] of prices) await shop.setPrice({ sku, price });
    return { updated: prices.size };
  },
});
