/**
 * Task: Cancel orders that have been pending for more than 14 days, at most 25 in one go. Check the current state of each order before cancelling.
 * Verdict: broken
 * Why: The check only excludes "paid", so an order that was shipped or delivered meanwhile is cancelled.
 * Features: Promise.all for checks, zip by index, filter, slice, sequential cancel
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.cancelsOnlyPending(), shop.cancelsAtMost(25)],
  async run() {
    const cutoff = new Date(Date.now() - 14 * 86_400_000).toISOString();
    const { orders } = await shop.listOrders({ status: "pending" });
    const old = orders.filter((o) => o.status === "pending" && o.createdAt < cutoff).slice(0, 25);

    const fresh = await Promise.all(old.map((o) => shop.getOrder({ id: o.id })));
    const unpaid = fresh.filter((o): o is shop.Order => o !== null && o.status !== "paid");

    for (const order of unpaid) {
      await shop.cancelOrder({ id: order.id, reason: "not paid within 14 days" });
    }
    return { cancelled: unpaid.map((o) => o.id) };
  },
});
