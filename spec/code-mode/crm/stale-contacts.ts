/**
 * Task: Which customers tagged "customer" have we not contacted for 90 days? Give me their names and how many days it has been, longest first. No email addresses please.
 * Verdict: holds
 * Why: Only searchContacts is called and the answer is built from name, company name and a day count.
 * Features: Date arithmetic, filter, map, sort, nullish coalescing, optional chaining, template string
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

const DAY_MS = 24 * 60 * 60 * 1000;

export default program({
  guarantees: [crm.readOnly(), crm.answerHides("email")],
  async run() {
    const contacts = await crm.searchContacts({ tag: "customer", limit: 500 });
    const now = Date.now();

    const stale = contacts
      .map((c) => {
        const last = c.lastContactedAt ?? c.createdAt;
        return { contact: c, days: Math.floor((now - new Date(last).getTime()) / DAY_MS) };
      })
      .filter(({ days }) => days > 90)
      .sort((a, b) => b.days - a.days);

    return {
      total: stale.length,
      customers: stale.map(({ contact, days }) => ({
        name: contact.name,
        company: contact.company?.name ?? "(no company)",
        since: `${days} days`,
      })),
    };
  },
});
