/**
 * Task: Cancel orders that have been pending for more than 14 days, at most 25 in one go. Check the current state of each order before cancelling.
 * Verdict: holds
 * Why: cancelOrder directly follows a getOrder of that id with status "pending" and the counter is raised before the call.
 * Features: Date, for-of, optional chaining, counter limit, break, sequential checks
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

const LIMIT = 25;

export default program({
  guarantees: [shop.cancelsOnlyPending(), shop.cancelsAtMost(LIMIT)],
  async run() {
    const cutoff = new Date(Date.now() - 14 * 86_400_000);
    const { orders } = await shop.listOrders({ status: "pending" });
    const cancelled: string[] = [];
    let attempts = 0;

    for (const { id } of orders) {
      const order = await shop.getOrder({ id });
      if (order?.status !== "pending" || new Date(order.createdAt) >= cutoff) continue;
      if (attempts === LIMIT) break;
      attempts++;
      await shop.cancelOrder({ id, reason: "not paid within 14 days" });
      cancelled.push(id);
    }
    return { cancelled, more: attempts === LIMIT };
  },
});
