/**
 * Task: Refund all delivered orders of tickets tagged "recall" in full, each order once, not more than 1000 euros in all.
 * Verdict: broken — refundTotal(100000)
 * Why: The loop only checks that the total so far is under the limit, so the last refund can go over it.
 * Features: Set, running total, break on limit, optional chaining
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const LIMIT_CENTS = 100_000;

export default program({
  guarantees: [tickets.refundTotal(100000), tickets.refundsOncePerOrder(), tickets.refundWithinOrder()],
  async run() {
    const { tickets: found } = await tickets.searchTickets({ tag: "recall" });
    const done = new Set<string>();
    let total = 0;

    for (const { orderId, tags } of found) {
      if (total >= LIMIT_CENTS) break;
      if (!orderId || !tags.includes("recall")) continue;

      const order = await tickets.getOrder({ orderId });
      if (order?.status !== "delivered" || done.has(order.id)) continue;

      const amountCents = order.totalCents - order.refundedCents;
      if (amountCents === 0) continue;
      done.add(order.id);
      total += amountCents;
      await tickets.refund({ orderId: order.id, amountCents, reason: "Product recall" });
    }

    return { orders: done.size, totalCents: total, limitReached: total >= LIMIT_CENTS };
  },
});
