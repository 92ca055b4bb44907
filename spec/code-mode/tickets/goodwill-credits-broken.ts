/**
 * Task: Give every customer with an urgent open ticket a goodwill refund of 10 euros on the order, 200 euros in all.
 * Verdict: broken — refundTotal(20000)
 * Why: All orders are checked in parallel and the budget is reduced only after the refund, so more than twenty pass the check.
 * Features: Promise.all, shared mutable variable, race after await, Set
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

export default program({
  guarantees: [tickets.refundTotal(20000), tickets.maxRefund(1000), tickets.refundsOncePerOrder()],
  async run() {
    const { tickets: open } = await tickets.searchTickets({ status: "open" });
    const urgent = open.filter((t) => t.priority === "urgent");
    const orders = [...new Set(urgent.map((t) => t.orderId).filter((id): id is string => id !== undefined))];
    let left = 20_000;

    const credited = await Promise.all(
      orders.map(async (orderId) => {
        const order = await tickets.getOrder({ orderId });
        if (!order || left < 1000) return null;
        await tickets.refund({ orderId, amountCents: 1000, reason: "Goodwill" });
        left -= 1000;
        return orderId;
      }),
    );
    return { credited: credited.filter(Boolean), leftCents: left };
  },
});
