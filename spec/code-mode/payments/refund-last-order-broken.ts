/**
 * Task: Refund the last payment of customer cus_7, up to 50.00. Tell me what you did.
 * Verdict: broken
 * Why: The customerId filter of listCharges is only a hint and the row's customer is not checked, so another customer's charge may be refunded.
 * Features: sort, non-null indexing, Math.min, early return, template string
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
    const paid = charges.filter((c) => c.status === "succeeded" && c.amount > c.refunded);
    if (paid.length === 0) return "Nothing to refund.";

    paid.sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
    const last = paid[0]!;
    const amount = Math.min(last.amount - last.refunded, 5000);
    const { status } = await payments.refund({ chargeId: last.id, amount, reason: "requested" });
    return `Refund of ${(amount / 100).toFixed(2)} for ${last.id}: ${status}`;
  },
});
