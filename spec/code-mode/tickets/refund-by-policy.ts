/**
 * Task: Refund an order if our written policy for the customer's country still allows it; at most 200 euros without a human, otherwise escalate to billing.
 * Verdict: holds
 * Why: refund is reached only with an amount from 1 to 20000 that is what is left of the fetched order; other cases go to billing.
 * Features: regex on policy text, parseInt with radix, default window, optional chaining, if/else-if chain, nested awaits
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

function windowDays(policy: string): number {
  const match = policy.match(/within\s+(\d{1,3})\s+days/i);
  return match ? parseInt(match[1], 10) : 14;
}

export default program({
  guarantees: [tickets.maxRefund(20000), tickets.refundWithinOrder(), tickets.escalatesOnlyTo("billing")],
  async run({ ticketId, now }: { ticketId: string; now: string }) {
    const ticket = await tickets.getTicket({ id: ticketId });
    if (!ticket?.orderId) return "There is no order on this ticket.";
    const order = await tickets.getOrder({ orderId: ticket.orderId });
    if (!order) return "The order does not exist.";

    const customer = await tickets.getCustomer({ id: ticket.customerId });
    const days = windowDays(await tickets.refundPolicy({ country: customer.address?.country ?? "DE" }));
    const age = (Date.parse(now) - Date.parse(order.placedAt)) / 86_400_000;
    const amount = order.totalCents - order.refundedCents;

    if (age > days) {
      return `The order is ${Math.floor(age)} days old, the policy allows ${days}.`;
    } else if (amount <= 0) {
      return "The order is already refunded.";
    } else if (amount > 20000 || order.customerId !== customer.id) {
      const { caseId } = await tickets.escalate({
        ticketId: ticket.id,
        team: "billing",
        note: `Refund of ${amount} cents wanted`,
      });
      return `Escalated as ${caseId}.`;
    }
    const { refundId } = await tickets.refund({
      orderId: order.id,
      amountCents: amount,
      reason: `Within ${days} days`,
    });
    return `Refunded, reference ${refundId}.`;
  },
});
