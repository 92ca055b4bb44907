/**
 * Task: We had an outage. Refund 10% of the latest charge of each listed customer, 100.00 in total at most, in the given order.
 * Verdict: broken
 * Why: The budget is checked before the next amount is known, so the last refund can exceed it by any amount.
 * Features: while loop with index, running total, Math.floor, sort descending
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

const BUDGET = 10_000; // cents

export default program({
  guarantees: [payments.refundTotalAtMost(10_000), payments.refundsWithinCharge()],
  async run({ customerIds }: { customerIds: string[] }) {
    const queue = [...new Set(customerIds)];
    const done: string[] = [];
    let total = 0;
    let i = 0;

    while (total < BUDGET && i < queue.length) {
      const customerId = queue[i++];
      const charges = await payments.listCharges({ customerId, limit: 10 });
      const latest = charges
        .filter((c) => c.customerId === customerId && c.status === "succeeded")
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
      if (!latest) continue;

      const amount = Math.min(Math.floor(latest.amount / 10), latest.amount - latest.refunded);
      if (amount <= 0) continue;
      await payments.refund({ chargeId: latest.id, amount, reason: "requested" });
      total += amount;
      done.push(customerId);
    }
    return { refundedCustomers: done, totalCents: total };
  },
});
