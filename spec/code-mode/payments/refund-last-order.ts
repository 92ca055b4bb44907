/**
 * Task: Refund the last payment of customer cus_7, up to 50.00. Tell me what you did.
 * Verdict: holds
 * Why: The charge is checked to belong to cus_7 and the amount is between 1 and 5000.
 * Features: reduce to find latest, Math.min, early return, template string, toFixed
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

const CUSTOMER = "cus_7";

export default program({
  guarantees: [
    payments.refundsOnlyOf(CUSTOMER),
    payments.refundEachBetween(1, 5000),
    payments.refundOnceEach(),
  ],
  async run() {
    const charges = await payments.listCharges({ customerId: CUSTOMER });
    const paid = charges.filter((c) => c.customerId === CUSTOMER && c.status === "succeeded");
    if (paid.length === 0) return "No payment found for this customer.";

    const last = paid.reduce((a, b) => (b.createdAt > a.createdAt ? b : a));
    const amount = Math.min(last.amount - last.refunded, 5000);
    if (amount < 1) return `The last payment (${last.id}) has already been refunded.`;

    const result = await payments.refund({ chargeId: last.id, amount, reason: "requested" });
    const money = `${(amount / 100).toFixed(2)} ${last.currency.toUpperCase()}`;
    return result.status === "failed"
      ? `The refund of ${money} failed.`
      : `Refunded ${money} of ${last.id} (${result.status}).`;
  },
});
