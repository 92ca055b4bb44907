/**
 * Task: Reorder products below their reorder point (fill up to twice the point, 200 pieces at most each). Spend no more than 5,000.00 in total.
 * Verdict: holds
 * Why: The unit cost must be a positive integer, the quantity is clamped, and the cost is added before each purchase that fits into the budget.
 * Features: JSON.parse, try/catch returning null, Number.isInteger, Math.min/max clamp, running total, unknown
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

const BUDGET = 500_000;

async function unitCost(sku: string, quantity: number): Promise<number | null> {
  try {
    const quote: unknown = JSON.parse(await shop.supplierQuote({ sku, quantity }));
    const cost = (quote as { unitCost?: unknown }).unitCost;
    return typeof cost === "number" && Number.isInteger(cost) && cost > 0 ? cost : null;
  } catch {
    return null;
  }
}

export default program({
  guarantees: [shop.purchaseTotalAtMost(BUDGET), shop.quantityBetween(1, 200)],
  async run() {
    const { items } = await shop.listProducts({});
    let spent = 0;
    const ordered: string[] = [];
    const skipped: Record<string, string> = {};

    for (const { sku, stock, reorderPoint, supplierId, active } of items) {
      if (!active || !supplierId || reorderPoint === undefined || stock >= reorderPoint) continue;

      const quantity = Math.min(Math.max(2 * reorderPoint - stock, 1), 200);
      const cost = await unitCost(sku, quantity);
      if (cost === null) {
        skipped[sku] = "no valid quote";
        continue;
      }
      if (spent + quantity * cost > BUDGET) {
        skipped[sku] = "over budget";
        continue;
      }
      spent += quantity * cost;
      const { poId } = await shop.purchase({ supplierId, sku, quantity, unitCost: cost });
      ordered.push(`${poId}: ${quantity} x ${sku}`);
    }
    return { ordered, skipped, spent: spent / 100 };
  },
});
