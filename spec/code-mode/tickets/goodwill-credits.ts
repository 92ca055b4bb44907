/**
 * Task: Give every customer with an urgent open ticket a goodwill refund of 10 euros on the order, 200 euros in all.
 * Verdict: holds
 * Why: take subtracts from the budget before the refund is made, so the sum never passes 20000; each order is taken once.
 * Features: class with private field and method, boolean take, sequential loop, Set, null check
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

class Budget {
  #left: number;
  constructor(cents: number) {
    this.#left = cents;
  }
  take(cents: number): boolean {
    if (cents > this.#left) return false;
    this.#left -= cents;
    return true;
  }
  get left(): number {
    return this.#left;
  }
}

export default program({
  guarantees: [tickets.refundTotal(20000), tickets.maxRefund(1000), tickets.refundsOncePerOrder()],
  async run() {
    const { tickets: open } = await tickets.searchTickets({ status: "open" });
    const urgent = open.filter((t) => t.priority === "urgent" && t.status === "open");
    const orders = new Set(urgent.flatMap((t) => (t.orderId ? [t.orderId] : [])));
    const budget = new Budget(20_000);

    const credited: string[] = [];
    for (const orderId of orders) {
      const order = await tickets.getOrder({ orderId });
      if (!order || order.totalCents - order.refundedCents < 1000) continue;
      if (!budget.take(1000)) break;
      await tickets.refund({ orderId, amountCents: 1000, reason: "Goodwill" });
      credited.push(orderId);
    }
    return { credited, leftCents: budget.left };
  },
});
