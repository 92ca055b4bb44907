/**
 * Task: This customer says they were charged twice. Refund every charge that repeats an earlier charge for the same invoice and amount.
 * Verdict: holds
 * Why: Each charge of the single listing is visited once and refunded with exactly its remaining amount.
 * Features: sort by date, Set of composite keys, template key, for-of, early continue
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

export default program({
  guarantees: [payments.refundOnceEach(), payments.refundsWithinCharge()],
  async run({ customerId }: { customerId: string }) {
    const charges = (await payments.listCharges({ customerId }))
      .filter((c) => c.customerId === customerId && c.status === "succeeded" && c.invoiceId)
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt));

    const seen = new Set<string>();
    const refunded: { charge: string; amount: number }[] = [];

    for (const charge of charges) {
      const key = `${charge.invoiceId}|${charge.currency}|${charge.amount}`;
      if (!seen.has(key)) {
        seen.add(key);
        continue;
      }
      const rest = charge.amount - charge.refunded;
      if (rest <= 0 || charge.disputed) continue;
      const r = await payments.refund({ chargeId: charge.id, amount: rest, reason: "duplicate" });
      if (r.status !== "failed") refunded.push({ charge: charge.id, amount: r.amount });
    }

    return { refunded, total: refunded.reduce((s, r) => s + r.amount, 0) };
  },
});
