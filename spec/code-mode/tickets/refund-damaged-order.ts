/**
 * Task: A customer's item arrived damaged. Refund what is left of the order, up to 50 euros, and tell the customer.
 * Verdict: holds
 * Why: The amount is the minimum of 5000 and what is left of the fetched order, and nothing is refunded unless it is positive.
 * Features: null checks, early returns, Math.min, template strings, sequential awaits
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const MAX_CENTS = 5000;

export default program({
  guarantees: [tickets.maxRefund(5000), tickets.refundWithinOrder(), tickets.refundsOncePerOrder()],
  async run({ ticketId }: { ticketId: string }) {
    const ticket = await tickets.getTicket({ id: ticketId });
    if (!ticket) return { refunded: 0, message: "There is no such ticket." };
    if (!ticket.orderId) return { refunded: 0, message: "The ticket has no order." };

    const order = await tickets.getOrder({ orderId: ticket.orderId });
    if (!order || order.customerId !== ticket.customerId) {
      return { refunded: 0, message: "The order does not belong to this customer." };
    }

    const left = order.totalCents - order.refundedCents;
    const amountCents = Math.min(left, MAX_CENTS);
    if (amountCents <= 0) return { refunded: 0, message: "The order is already refunded." };

    await tickets.refund({ orderId: order.id, amountCents, reason: `Damaged item, ticket ${ticket.id}` });
    await tickets.reply({
      ticketId: ticket.id,
      text: `We are sorry. We have refunded ${(amountCents / 100).toFixed(2)} euros.`,
      public: true,
    });
    return { refunded: amountCents, message: "Done." };
  },
});
