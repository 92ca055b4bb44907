/**
 * Task: Reorder products below their reorder point (fill up to twice the point, 200 pieces at most each). Spend no more than 5,000.00 in total.
 * Verdict: broken
 * Why: A quote without unitCost makes the running total NaN, after which the budget test never stops a purchase.
 * Features: JSON.parse with type assertion, running total, Math.min, NaN comparison, for-of
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

const BUDGET = 500_000;

export default program({
  guarantees: [shop.purchaseTotalAtMost(BUDGET), shop.quantityBetween(1, 200)],
  async run() {
    const { items } = await shop.listProducts({});
    let spent = 0;
    const ordered: string[] = [];

    for (const p of items) {
      if (!p.active || !p.supplierId || p.reorderPoint === undefined || p.stock >= p.reorderPoint) continue;

      const quantity = Math.min(2 * p.reorderPoint - p.stock, 200);
      const quote = JSON.parse(await shop.supplierQuote({ sku: p.sku, quantity })) as {
        unitCost: number;
        leadDays: number;
      };
      const cost = quantity * quote.unitCost;
      if (spent + cost > BUDGET) continue;

      spent += cost;
      await shop.purchase({ supplierId: p.supplierId, sku: p.sku, quantity, unitCost: quote.unitCost });
      ordered.push(`${quantity} x ${p.sku} (arrives in ${quote.leadDays} days)`);
    }
    return { ordered, spent: spent / 100 };
  },
});
