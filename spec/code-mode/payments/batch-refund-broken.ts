/**
 * Task: Refund the listed charges of a customer in parallel, but not more than 250.00 altogether and never the same charge twice.
 * Verdict: broken
 * Why: The shared total grows only after each awaited refund, so all parallel checks see the old total and the limit is exceeded.
 * Features: Promise.all with async callbacks, shared counter race, Set, find
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

const LIMIT = 25_000;

export default program({
  guarantees: [payments.refundTotalAtMost(LIMIT), payments.refundOnceEach(), payments.refundsWithinCharge()],
  async run({ customerId, chargeIds }: { customerId: string; chargeIds: string[] }) {
    const charges = await payments.listCharges({ customerId });
    let total = 0;
    const skipped: string[] = [];

    await Promise.all(
      [...new Set(chargeIds)].map(async (chargeId) => {
        const charge = charges.find((c) => c.id === chargeId && c.status === "succeeded");
        const amount = charge ? charge.amount - charge.refunded : 0;
        if (amount === 0 || total + amount > LIMIT) {
          skipped.push(chargeId);
          return;
        }
        const r = await payments.refund({ chargeId, amount, reason: "requested" });
        total += r.amount;
      }),
    );
    return { total, skipped };
  },
});
