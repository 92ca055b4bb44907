/**
 * Task: Clearance: reduce overstocked products (more than 100 in stock) by the given percentage, 30% at most.
 * Verdict: holds
 * Why: The percentage is a whole number from 0 to 30 and the price is rounded up, so it never drops by more than 30%.
 * Features: Math.ceil, Math.floor, clamp, filter, sequential updates, before/after report
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

const MAX_PERCENT = 30;

export default program({
  guarantees: [shop.priceDropAtMost(30), shop.priceOnceEach()],
  async run({ percent }: { percent: number }) {
    const p = Math.min(MAX_PERCENT, Math.max(0, Math.floor(percent)));
    if (p === 0) return { message: "No reduction." };

    const { items } = await shop.listProducts({});
    const overstocked = items.filter((item) => item.active && item.stock > 100);

    const report: { sku: string; before: string; after: string }[] = [];
    for (const { sku, price } of overstocked) {
      const reduced = Math.ceil((price * (100 - p)) / 100);
      await shop.setPrice({ sku, price: reduced });
      report.push({ sku, before: (price / 100).toFixed(2), after: (reduced / 100).toFixed(2) });
    }
    return { percent: p, report };
  },
});
