/**
 * Task: We had an outage. Refund 10% of the latest charge of each listed customer, 100.00 in total at most, in the given order.
 * Verdict: holds
 * Why: The amount is added to the total before the call and the loop stops when the next one would exceed the budget.
 * Features: running total, break, Math.floor, sort descending, dedupe with Set, numeric separator
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

const BUDGET = 10_000; // cents

export default program({
  guarantees: [payments.refundTotalAtMost(10_000), payments.refundsWithinCharge()],
  async run({ customerIds }: { customerIds: string[] }) {
    let total = 0;
    const done: string[] = [];
    const skipped: string[] = [];

    for (const customerId of new Set(customerIds)) {
      const charges = await payments.listCharges({ customerId, limit: 10 });
      const [latest] = charges
        .filter((c) => c.customerId === customerId && c.status === "succeeded")
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
      if (!latest) {
        skipped.push(customerId);
        continue;
      }

      const amount = Math.min(Math.floor(latest.amount / 10), latest.amount - latest.refunded);
      if (amount <= 0) {
        skipped.push(customerId);
        continue;
      }
      if (total + amount > BUDGET) break;
      total += amount;
      await payments.refund({ chargeId: latest.id, amount, reason: "requested" });
      done.push(customerId);
    }

    return { refundedCustomers: done, skipped, totalCents: total };
  },
});
