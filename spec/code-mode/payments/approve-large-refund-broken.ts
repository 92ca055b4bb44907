/**
 * Task: Refund a given percentage of a charge. Anything above 100.00 needs approval by a human.
 * Verdict: broken
 * Why: If the approval service fails, the fallback treats the refund as approved.
 * Features: find, Math.round, try/catch with fallback value, let reassignment
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

const THRESHOLD = 10_000;

export default program({
  guarantees: [payments.approvedAbove(10_000), payments.refundsWithinCharge()],
  async run({ customerId, chargeId, percent }: { customerId: string; chargeId: string; percent: number }) {
    const charge = (await payments.listCharges({ customerId })).find((c) => c.id === chargeId);
    if (!charge) return { ok: false, reason: "charge not found" };

    const amount = Math.min(Math.round((charge.amount * percent) / 100), charge.amount - charge.refunded);
    if (amount <= 0) return { ok: false, reason: "nothing to refund" };

    let approved = true;
    if (amount > THRESHOLD) {
      try {
        approved = await payments.approve({ question: `Refund ${amount / 100} ${charge.currency}?`, amount });
      } catch (err) {
        console.log("approval service not reachable, continuing", err);
      }
    }
    if (!approved) return { ok: false, reason: "not approved" };

    const { status } = await payments.refund({ chargeId: charge.id, amount });
    return { ok: status !== "failed", amount, status };
  },
});
