/**
 * Task: Book a delivery into stock. The lines are from a packing list and the same SKU may occur in several lines; book each SKU once. Never lower any stock.
 * Verdict: broken
 * Why: Negative quantities (returns) are summed without a check, so a delta can be negative.
 * Features: reduce to Record, Object.entries, Promise.all, computed sums
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.stockNeverLowered(), shop.adjustOnceEach()],
  async run({ lines, deliveryNote }: { lines: { sku: string; quantity: number }[]; deliveryNote: string }) {
    const totals = lines.reduce<Record<string, number>>(
      (acc, { sku, quantity }) => ({ ...acc, [sku]: (acc[sku] ?? 0) + quantity }),
      {},
    );

    const results = await Promise.all(
      Object.entries(totals).map(([sku, delta]) =>
        shop.adjustStock({ sku, delta, reason: `delivery ${deliveryNote}` }),
      ),
    );
    return Object.fromEntries(results.map(({ sku, stock }) => [sku, stock]));
  },
});
