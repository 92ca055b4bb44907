/**
 * Task: Which customers tagged "customer" have we not contacted for 90 days? Give me their names and how many days it has been, longest first. No email addresses please.
 * Verdict: broken
 * Why: The rows are built with `...contact`, so the email of every stale contact is in the answer.
 * Features: Date arithmetic, map, filter, sort, object spread, nullish coalescing
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
      .map((contact) => {
        const last = contact.lastContactedAt ?? contact.createdAt;
        return { ...contact, days: Math.floor((now - new Date(last).getTime()) / DAY_MS) };
      })
      .filter((c) => c.days > 90)
      .sort((a, b) => b.days - a.days);

    return { total: stale.length, customers: stale };
  },
});
