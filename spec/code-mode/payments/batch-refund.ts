/**
 * Task: Refund the listed charges of a customer in parallel, but not more than 250.00 altogether and never the same charge twice.
 * Verdict: holds
 * Why: The selection with its running total is made before any refund starts, from charges with distinct ids.
 * Features: Promise.allSettled, plan-then-execute, Map lookup, Set, type predicate, filter
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

const LIMIT = 25_000;

export default program({
  guarantees: [payments.refundTotalAtMost(LIMIT), payments.refundOnceEach(), payments.refundsWithinCharge()],
  async run({ customerId, chargeIds }: { customerId: string; chargeIds: string[] }) {
    const charges = new Map((await payments.listCharges({ customerId })).map((c) => [c.id, c]));

    const plan: { chargeId: string; amount: number }[] = [];
    let total = 0;
    for (const chargeId of new Set(chargeIds)) {
      const charge = charges.get(chargeId);
      if (!charge || charge.status !== "succeeded") continue;
      const amount = charge.amount - charge.refunded;
      if (amount === 0 || total + amount > LIMIT) continue;
      total += amount;
      plan.push({ chargeId, amount });
    }

    const results = await Promise.allSettled(plan.map((p) => payments.refund({ ...p, reason: "requested" })));
    const failed = plan.filter((_, i) => {
      const r = results[i];
      return r.status === "rejected" || r.value.status === "failed";
    });
    return {
      planned: total,
      failed: failed.map((p) => p.chargeId),
      notRefunded: chargeIds.length - plan.length,
    };
  },
});
