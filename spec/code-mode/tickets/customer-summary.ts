/**
 * Task: Give me a short overview of a customer: tier, spend and ticket history. No contact data.
 * Verdict: holds
 * Why: The answer is built from name, tier, lifetime spend and tickets only; email and address are never read.
 * Features: Promise.all, destructuring, filter lengths, sort and index, nested object answer
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

export default program({
  guarantees: [tickets.readOnly(), tickets.answerHides("email"), tickets.answerHides("address")],
  async run({ customerId }: { customerId: string }) {
    const [customer, { tickets: history }] = await Promise.all([
      tickets.getCustomer({ id: customerId }),
      tickets.searchTickets({ customerId }),
    ]);
    const own = history.filter((t) => t.customerId === customer.id);
    const { name, tier, lifetimeCents } = customer;
    const latest = [...own].sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0];

    return {
      name,
      tier,
      spent: `${(lifetimeCents / 100).toFixed(2)} EUR`,
      tickets: {
        total: own.length,
        open: own.filter((t) => t.status === "open" || t.status === "pending").length,
      },
      latest: latest ? `${latest.createdAt.slice(0, 10)}: ${latest.subject}` : null,
    };
  },
});
