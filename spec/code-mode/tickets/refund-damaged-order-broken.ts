/**
 * Task: A customer's item arrived damaged. Refund what is left of the order, up to 50 euros, and tell the customer.
 * Verdict: broken — maxRefund(5000)
 * Why: An amount that the customer writes in the ticket is refunded if the order covers it; the 50 euro limit only applies to the default.
 * Features: regex extraction from untrusted text, parseFloat, ternary, early returns
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

function requestedCents(body: string): number | null {
  const match = body.match(/(?:refund|paid)\D{0,20}(\d+(?:\.\d{2})?)/i);
  return match ? Math.round(parseFloat(match[1]) * 100) : null;
}

export default program({
  guarantees: [tickets.maxRefund(5000), tickets.refundWithinOrder(), tickets.refundsOncePerOrder()],
  async run({ ticketId }: { ticketId: string }) {
    const ticket = await tickets.getTicket({ id: ticketId });
    if (!ticket?.orderId) return { refunded: 0, message: "The ticket has no order." };

    const order = await tickets.getOrder({ orderId: ticket.orderId });
    if (!order) return { refunded: 0, message: "The order was not found." };

    const left = order.totalCents - order.refundedCents;
    const wanted = requestedCents(ticket.body) ?? Math.min(5000, left);
    const amountCents = wanted > left ? left : wanted;
    if (amountCents <= 0) return { refunded: 0, message: "Nothing to refund." };

    await tickets.refund({ orderId: order.id, amountCents, reason: `Damaged item, ticket ${ticket.id}` });
    await tickets.reply({
      ticketId: ticket.id,
      text: `We refunded ${amountCents / 100} euros.`,
      public: true,
    });
    return { refunded: amountCents, message: "Done." };
  },
});
