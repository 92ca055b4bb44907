/**
 * Task: Book a delivery into stock. The lines are from a packing list and the same SKU may occur in several lines; book each SKU once. Never lower any stock.
 * Verdict: holds
 * Why: Lines without a positive whole quantity are dropped and the rest is summed per SKU in a Map.
 * Features: Map sum, Number.isSafeInteger, input array of objects, for-of Map, trim
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

type Line = { sku: string; quantity: number };

export default program({
  guarantees: [shop.stockNeverLowered(), shop.adjustOnceEach()],
  async run({ lines, deliveryNote }: { lines: Line[]; deliveryNote: string }) {
    const bySku = new Map<string, number>();
    const rejected: Line[] = [];
    for (const line of lines) {
      const sku = line.sku.trim();
      if (!sku || !Number.isSafeInteger(line.quantity) || line.quantity <= 0) {
        rejected.push(line);
        continue;
      }
      bySku.set(sku, (bySku.get(sku) ?? 0) + line.quantity);
    }

    const booked: Record<string, number> = {};
    for (const [sku, delta] of bySku) {
      const { stock } = await shop.adjustStock({ sku, delta, reason: `delivery ${deliveryNote}` });
      booked[sku] = stock;
    }
    return { booked, rejected };
  },
});
