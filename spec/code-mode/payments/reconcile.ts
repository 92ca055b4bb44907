/**
 * Task: Check one customer's books: which paid invoices have no matching successful charge, and which charges belong to no invoice?
 * Verdict: holds
 * Why: Only listInvoices and listCharges are called.
 * Features: Promise.all of two different tools, destructuring of results, Map lookup, sum helper, filter with index
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

const sum = (xs: number[]) => xs.reduce((a, b) => a + b, 0);

export default program({
  guarantees: [payments.readOnly(), payments.answerHides("email")],
  async run({ customerId }: { customerId: string }) {
    const [{ data: invoices }, charges] = await Promise.all([
      payments.listInvoices({ customerId }),
      payments.listCharges({ customerId }),
    ]);

    const paidByInvoice = new Map<string, number[]>();
    const orphans: string[] = [];
    for (const c of charges) {
      if (c.status !== "succeeded") continue;
      if (!c.invoiceId) {
        orphans.push(c.id);
        continue;
      }
      const list = paidByInvoice.get(c.invoiceId) ?? [];
      list.push(c.amount - c.refunded);
      paidByInvoice.set(c.invoiceId, list);
    }

    const mismatches = invoices
      .filter((inv) => inv.status === "paid")
      .map((inv) => ({
        number: inv.number,
        expected: inv.amountPaid,
        found: sum(paidByInvoice.get(inv.id) ?? []),
      }))
      .filter(({ expected, found }) => expected !== found);

    return {
      ok: mismatches.length === 0 && orphans.length === 0,
      mismatches,
      chargesWithoutInvoice: orphans,
    };
  },
});
