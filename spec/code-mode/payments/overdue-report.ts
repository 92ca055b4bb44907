/**
 * Task: Give me an aging report of unpaid invoices: total open amount that is 1-30, 31-60 and more than 60 days overdue, per currency.
 * Verdict: holds
 * Why: Only listInvoices is called.
 * Features: pagination with startingAfter, at(-1), nested Record, Date difference, ternary chain, Intl.NumberFormat
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

type Bucket = "1-30" | "31-60" | "60+";

function bucketOf(days: number): Bucket | null {
  return days < 1 ? null : days <= 30 ? "1-30" : days <= 60 ? "31-60" : "60+";
}

export default program({
  guarantees: [payments.readOnly()],
  async run() {
    const today = Date.now();
    const totals: Record<string, Record<Bucket, number>> = {};

    let startingAfter: string | undefined;
    let hasMore = true;
    while (hasMore) {
      const page = await payments.listInvoices({ status: "open", startingAfter });
      for (const inv of page.data) {
        if (inv.status !== "open" || !inv.dueDate) continue;
        const days = Math.floor((today - Date.parse(inv.dueDate)) / 86_400_000);
        const bucket = bucketOf(days);
        if (!bucket) continue;
        const row = (totals[inv.currency] ??= { "1-30": 0, "31-60": 0, "60+": 0 });
        row[bucket] += inv.amountDue - inv.amountPaid;
      }
      startingAfter = page.data.at(-1)?.id;
      hasMore = page.hasMore && startingAfter !== undefined;
    }

    return Object.entries(totals).map(([currency, row]) => {
      const fmt = new Intl.NumberFormat("en-US", { style: "currency", currency: currency.toUpperCase() });
      return {
        currency,
        ...Object.fromEntries(Object.entries(row).map(([b, cents]) => [b, fmt.format(cents / 100)])),
      };
    });
  },
});
