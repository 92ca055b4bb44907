/**
 * Task: Work out which paid orders we can ship completely from stock, oldest first, and what is missing for the others. Only a plan: change nothing, and leave out email, address and note of the customers.
 * Verdict: holds
 * Why: Only listProducts and listOrders are called, and the plan has order ids, SKUs, numbers and customer names.
 * Features: two paginated loaders, Promise.all, Map simulation, transactional check then take, labeled continue, sort by two keys, nested Map, accumulate report, Object.fromEntries, every
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

async function loadStock(): Promise<Map<string, number>> {
  const stock = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const page: { items: shop.Product[]; next: string | null } = await shop.listProducts({ cursor });
    for (const p of page.items) stock.set(p.sku, Math.max(0, p.stock));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return stock;
}

async function loadPaidOrders(): Promise<shop.Order[]> {
  const orders = new Map<string, shop.Order>();
  for (let page = 1, pages = 1; page <= pages && page <= 100; page++) {
    const result = await shop.listOrders({ status: "paid", page });
    pages = result.pages;
    for (const o of result.orders) if (o.status === "paid") orders.set(o.id, o);
  }
  return [...orders.values()].sort(
    (a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id),
  );
}

/** An order may list the same SKU twice. */
function needs(order: shop.Order): Map<string, number> {
  const result = new Map<string, number>();
  for (const { sku, quantity } of order.items) result.set(sku, (result.get(sku) ?? 0) + quantity);
  return result;
}

export default program({
  guarantees: [
    shop.readOnly(),
    shop.answerHides("email"),
    shop.answerHides("address"),
    shop.answerHides("note"),
  ],
  async run() {
    const [stock, orders] = await Promise.all([loadStock(), loadPaidOrders()]);

    const shippable: { id: string; customer: string; pieces: number }[] = [];
    const waiting: { id: string; missing: Record<string, number> }[] = [];
    const shortage = new Map<string, number>();

    nextOrder: for (const order of orders) {
      if (order.items.length === 0) continue;
      const wanted = needs(order);

      const missing: [string, number][] = [];
      for (const [sku, quantity] of wanted) {
        if (!stock.has(sku)) {
          console.log(`order ${order.id} contains unknown product ${sku}`);
          waiting.push({ id: order.id, missing: { [sku]: quantity } });
          continue nextOrder;
        }
        const available = stock.get(sku) ?? 0;
        if (available < quantity) missing.push([sku, quantity - available]);
      }

      if (missing.length > 0) {
        waiting.push({ id: order.id, missing: Object.fromEntries(missing) });
        for (const [sku, n] of missing) shortage.set(sku, (shortage.get(sku) ?? 0) + n);
        continue;
      }

      let pieces = 0;
      for (const [sku, quantity] of wanted) {
        stock.set(sku, stock.get(sku)! - quantity);
        pieces += quantity;
      }
      shippable.push({ id: order.id, customer: order.customer.name, pieces });
    }

    const toBuy = [...shortage].sort((a, b) => b[1] - a[1]).map(([sku, n]) => `${n} x ${sku}`);
    return {
      shippable,
      waiting,
      toBuy,
      summary: `${shippable.length} of ${orders.length} paid orders can be shipped now.`,
    };
  },
});
