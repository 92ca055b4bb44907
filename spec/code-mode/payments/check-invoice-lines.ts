/**
 * Task: Which invoices have a due amount that doesn't equal the sum of their lines? Also tell me the largest difference.
 * Verdict: holds
 * Why: Only listInvoices is called.
 * Features: generator function, yield, reduce, Math.abs, Math.max, conditional return
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

function* wrongOnes(invoices: payments.Invoice[]) {
  for (const inv of invoices) {
    const lines = inv.lines.reduce((s, l) => s + l.quantity * l.unitAmount, 0);
    if (lines !== inv.amountDue)
      yield { number: inv.number, due: inv.amountDue, lines, diff: lines - inv.amountDue };
  }
}

export default program({
  guarantees: [payments.readOnly()],
  async run({ customerId }: { customerId?: string }) {
    const { data, hasMore } = await payments.listInvoices({ customerId });
    const wrong = [...wrongOnes(data.filter((i) => i.status !== "void"))];

    if (wrong.length === 0) return { checked: data.length, complete: !hasMore, wrong: [] };
    const largest = Math.max(...wrong.map((w) => Math.abs(w.diff)));
    return { checked: data.length, complete: !hasMore, wrong, largestDifference: largest / 100 };
  },
});
