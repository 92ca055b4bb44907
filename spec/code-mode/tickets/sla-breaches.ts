/**
 * Task: Which open tickets are past their response deadline? Enterprise has 4 hours, pro 24 and free 72.
 * Verdict: holds
 * Why: Only searchTickets and getCustomer are called.
 * Features: Record of hours by tier, Map cache of customers, some on comments, sort by overdue time, rounding
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const HOURS: Record<tickets.Customer["tier"], number> = { enterprise: 4, pro: 24, free: 72 };

export default program({
  guarantees: [tickets.readOnly(), tickets.answerHides("email")],
  async run({ now }: { now: string }) {
    const { tickets: open } = await tickets.searchTickets({ status: "open" });
    const customers = new Map<string, tickets.Customer>();
    const breaches: { id: string; tier: string; overdueHours: number }[] = [];

    for (const t of open) {
      if (t.comments.some((c) => c.author === "agent" && c.public)) continue;
      let customer = customers.get(t.customerId);
      if (!customer) {
        customer = await tickets.getCustomer({ id: t.customerId });
        customers.set(t.customerId, customer);
      }
      const ageHours = (Date.parse(now) - Date.parse(t.createdAt)) / 3_600_000;
      const overdue = ageHours - HOURS[customer.tier];
      if (overdue > 0)
        breaches.push({ id: t.id, tier: customer.tier, overdueHours: Math.round(overdue * 10) / 10 });
    }

    return breaches.sort((a, b) => b.overdueHours - a.overdueHours);
  },
});
