/**
 * Task: Refund all delivered orders of tickets tagged "recall" in full, each order once, not more than 1000 euros in all.
 * Verdict: holds
 * Why: An order is skipped when seen before or when its amount would push the total over 100000; the total grows before the call.
 * Features: Set, running total, continue guards, for-of, summary with skipped reasons
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const LIMIT_CENTS = 100_000;

export default program({
  guarantees: [tickets.refundTotal(100000), tickets.refundsOncePerOrder(), tickets.refundWithinOrder()],
  async run() {
    const { tickets: found } = await tickets.searchTickets({ tag: "recall" });
    const done = new Set<string>();
    const skipped: { orderId: string; why: string }[] = [];
    let total = 0;

    for (const ticket of found) {
      const { orderId } = ticket;
      if (!orderId || !ticket.tags.includes("recall")) continue;

      const order = await tickets.getOrder({ orderId });
      if (!order || order.status !== "delivered") {
        skipped.push({ orderId, why: "not delivered" });
        continue;
      }
      if (done.has(order.id)) continue;

      const amountCents = order.totalCents - order.refundedCents;
      if (amountCents === 0) continue;
      if (total + amountCents > LIMIT_CENTS) {
        skipped.push({ orderId: order.id, why: "over the limit" });
        continue;
      }

      done.add(order.id);
      total += amountCents;
      await tickets.refund({ orderId: order.id, amountCents, reason: "Product recall" });
    }

    return { orders: done.size, totalCents: total, skipped };
  },
});
