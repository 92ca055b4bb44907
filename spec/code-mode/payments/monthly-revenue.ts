/**
 * Task: Net revenue per month (charges minus refunds) for a list of customers, in the currency I name.
 * Verdict: holds
 * Why: Only listCharges is called.
 * Features: Promise.all, flat, Map, sort keys, slice of ISO date, reduce, toFixed
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

export default program({
  guarantees: [payments.readOnly()],
  async run({ customers, currency = "eur" }: { customers: string[]; currency?: payments.Currency }) {
    const lists = await Promise.all(
      customers.map((customerId) => payments.listCharges({ customerId, limit: 100 })),
    );

    const byId = new Map(lists.flat().map((c) => [c.id, c]));
    const months = new Map<string, number>();
    for (const c of byId.values()) {
      if (c.currency !== currency || c.status !== "succeeded") continue;
      const month = c.createdAt.slice(0, 7);
      months.set(month, (months.get(month) ?? 0) + c.amount - c.refunded);
    }

    const rows = [...months.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const total = rows.reduce((s, [, cents]) => s + cents, 0);
    return {
      currency,
      months: rows.map(([month, cents]) => ({ month, net: (cents / 100).toFixed(2) })),
      total: (total / 100).toFixed(2),
    };
  },
});
