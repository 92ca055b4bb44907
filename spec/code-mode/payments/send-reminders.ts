/**
 * Task: Send the open invoices that are overdue again, oldest first, at most 20. Then list their numbers.
 * Verdict: holds
 * Why: Only rows with status "open" are sent and the list is cut to 20 before the loop.
 * Features: pagination, filter, sort with nullish dates, slice, for-of with index entries, try/catch per item
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

export default program({
  guarantees: [payments.sendsOnlyOpen(), payments.sendsAtMost(20)],
  async run() {
    const today = new Date().toISOString().slice(0, 10);
    const open: payments.Invoice[] = [];

    let after: string | undefined;
    for (let i = 0; i < 50; i++) {
      const { data, hasMore } = await payments.listInvoices({ status: "open", startingAfter: after });
      open.push(...data.filter((inv) => inv.status === "open"));
      if (!hasMore || data.length === 0) break;
      after = data[data.length - 1].id;
    }

    const overdue = open
      .filter((inv) => inv.dueDate !== null && inv.dueDate < today)
      .sort((a, b) => (a.dueDate ?? "").localeCompare(b.dueDate ?? ""))
      .slice(0, 20);

    const failed: string[] = [];
    for (const [i, invoice] of overdue.entries()) {
      try {
        await payments.sendInvoice({ invoiceId: invoice.id });
        console.log(`${i + 1}/${overdue.length} sent ${invoice.number}`);
      } catch {
        failed.push(invoice.number);
      }
    }
    return { sent: overdue.map((i) => i.number).filter((n) => !failed.includes(n)), failed };
  },
});
