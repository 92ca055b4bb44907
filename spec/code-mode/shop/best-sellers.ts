/**
 * Task: What were our ten best-selling products since the given date, by quantity, with revenue?
 * Verdict: holds
 * Why: Only listOrders is called.
 * Features: page count loop, Map of objects, destructuring, sort by two keys, slice, toFixed
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.readOnly(), shop.answerHides("email")],
  async run({ since }: { since: string }) {
    const sales = new Map<string, { quantity: number; revenue: number }>();

    let page = 1;
    let pages = 1;
    while (page <= pages) {
      const result = await shop.listOrders({ since, page });
      pages = result.pages;
      for (const order of result.orders) {
        if (order.status === "cancelled" || order.createdAt < since) continue;
        for (const { sku, quantity, unitPrice } of order.items) {
          const s = sales.get(sku) ?? { quantity: 0, revenue: 0 };
          s.quantity += quantity;
          s.revenue += quantity * unitPrice;
          sales.set(sku, s);
        }
      }
      page++;
    }

    return [...sales.entries()]
      .sort(([, a], [, b]) => b.quantity - a.quantity || b.revenue - a.revenue)
      .slice(0, 10)
      .map(([sku, { quantity, revenue }], i) => ({
        rank: i + 1,
        sku,
        quantity,
        revenue: (revenue / 100).toFixed(2),
      }));
  },
});
