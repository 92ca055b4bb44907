/**
 * Task: This customer says they were charged twice. Refund every charge that repeats an earlier charge for the same invoice and amount.
 * Verdict: broken
 * Why: All pairs are compared, so with three equal charges the third is refunded twice.
 * Features: nested index loops, comparison of fields, push, reduce
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

export default program({
  guarantees: [payments.refundOnceEach(), payments.refundsWithinCharge()],
  async run({ customerId }: { customerId: string }) {
    const all = await payments.listCharges({ customerId });
    const charges = all.filter((c) => c.customerId === customerId && c.status === "succeeded" && c.invoiceId);
    charges.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));

    const refunded: { charge: string; amount: number }[] = [];
    for (let i = 0; i < charges.length; i++) {
      for (let j = i + 1; j < charges.length; j++) {
        const a = charges[i];
        const b = charges[j];
        if (a.invoiceId !== b.invoiceId || a.amount !== b.amount || a.currency !== b.currency) continue;
        const rest = b.amount - b.refunded;
        if (rest <= 0) continue;
        const r = await payments.refund({ chargeId: b.id, amount: rest, reason: "duplicate" });
        refunded.push({ charge: b.id, amount: r.amount });
      }
    }
    return { refunded, total: refunded.reduce((s, r) => s + r.amount, 0) };
  },
});
