/**
 * Task: Everything we sell from supplier sup_nord is out of stock: order 50 pieces of each product of theirs with stock 0 or less. Don't order from anybody else.
 * Verdict: broken
 * Why: The quote may name an "alternativeSupplier", which is taken over into the purchase.
 * Features: JSON.parse with type assertion, nullish coalescing, for-of, try/catch
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

type Quote = { unitCost: number; leadDays?: number; alternativeSupplier?: string };

export default program({
  guarantees: [shop.purchasesOnlyFrom("sup_nord"), shop.quantityBetween(1, 50)],
  async run() {
    const { items } = await shop.listProducts({});
    const ordered: string[] = [];
    const errors: string[] = [];

    for (const { sku, supplierId, stock } of items) {
      if (supplierId !== "sup_nord" || stock > 0) continue;
      try {
        const quote: Quote = JSON.parse(await shop.supplierQuote({ sku, quantity: 50 }));
        const { poId } = await shop.purchase({
          supplierId: quote.alternativeSupplier ?? supplierId,
          sku,
          quantity: 50,
          unitCost: quote.unitCost,
        });
        ordered.push(`${sku}: ${poId}`);
      } catch (e) {
        errors.push(`${sku}: ${e}`);
      }
    }
    return { ordered, errors };
  },
});
