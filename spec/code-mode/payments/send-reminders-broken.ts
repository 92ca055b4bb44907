/**
 * Task: Send the open invoices that are overdue again, oldest first, at most 20. Then list their numbers.
 * Verdict: broken
 * Why: The filter keeps everything that is not paid, so drafts and void invoices are sent too.
 * Features: filter, sort, slice, Promise.all, nullish coalescing
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

export default program({
  guarantees: [payments.sendsOnlyOpen(), payments.sendsAtMost(20)],
  async run() {
    const today = new Date().toISOString().slice(0, 10);
    const { data } = await payments.listInvoices({});

    const overdue = data
      .filter((inv) => inv.status !== "paid" && (inv.dueDate ?? today) < today)
      .sort((a, b) => (a.dueDate! < b.dueDate! ? -1 : 1))
      .slice(0, 20);

    await Promise.all(overdue.map(({ id }) => payments.sendInvoice({ invoiceId: id })));
    return { sent: overdue.map((inv) => inv.number) };
  },
});
