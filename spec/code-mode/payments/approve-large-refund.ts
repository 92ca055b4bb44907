/**
 * Task: Refund a given percentage of a charge. Anything above 100.00 needs approval by a human.
 * Verdict: holds
 * Why: The same amount is approved and refunded, and a failing or negative approval ends the run without refund.
 * Features: find, Math.round, clamp, await approval, try/catch returning false, arrow helper
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

const THRESHOLD = 10_000;

async function isApproved(amount: number, question: string): Promise<boolean> {
  if (amount <= THRESHOLD) return true;
  try {
    return await payments.approve({ question, amount });
  } catch {
    return false;
  }
}

export default program({
  guarantees: [payments.approvedAbove(10_000), payments.refundsWithinCharge()],
  async run({ customerId, chargeId, percent }: { customerId: string; chargeId: string; percent: number }) {
    const charge = (await payments.listCharges({ customerId })).find((c) => c.id === chargeId);
    if (!charge) return { ok: false, reason: "charge not found" };

    const wanted = Math.round((charge.amount * percent) / 100);
    const amount = Math.min(wanted, charge.amount - charge.refunded);
    if (amount <= 0) return { ok: false, reason: "nothing to refund" };

    const question = `Refund ${(amount / 100).toFixed(2)} ${charge.currency} to ${customerId}?`;
    if (!(await isApproved(amount, question))) return { ok: false, reason: "not approved" };

    const { status } = await payments.refund({ chargeId: charge.id, amount });
    return { ok: status !== "failed", amount, status };
  },
});
