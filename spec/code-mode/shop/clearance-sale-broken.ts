/**
 * Task: Clearance: reduce overstocked products (more than 100 in stock) by the given percentage, 30% at most.
 * Verdict: broken
 * Why: Prices are rounded down to end in 99 cents, which drops small prices by more than 30%.
 * Features: Math.floor, Math.min, helper function, filter, for-of
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

/** 12.34 -> 11.99, the usual price ending */
function psychological(cents: number): number {
  return Math.max(Math.floor(cents / 100) * 100 - 1, 0);
}

export default program({
  guarantees: [shop.priceDropAtMost(30), shop.priceOnceEach()],
  async run({ percent }: { percent: number }) {
    const p = Math.min(percent, 30);
    const { items } = await shop.listProducts({});
    const report: string[] = [];

    for (const item of items) {
      if (!item.active || item.stock <= 100) continue;
      const reduced = psychological((item.price * (100 - p)) / 100);
      await shop.setPrice({ sku: item.sku, price: reduced });
      report.push(`${item.name}: ${item.price / 100} -> ${reduced / 100}`);
    }
    return report.join("\n") || "Nothing to reduce.";
  },
});
