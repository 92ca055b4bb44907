/**
 * Task: How complete is our phone data? For each owner give the share of contacts with a phone number. Don't print the numbers.
 * Verdict: holds
 * Why: The phone is only tested for presence; the answer has counts and percentages.
 * Features: reduce into an object, Object.entries, sort by two keys, toFixed, optional chaining
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

export default program({
  guarantees: [crm.readOnly(), crm.answerHides("phone")],
  async run({ tag }: { tag?: string }) {
    const contacts = await crm.searchContacts({ tag });

    const stats = contacts.reduce<Record<string, { withPhone: number; total: number }>>((acc, c) => {
      const s = (acc[c.ownerId] ??= { withPhone: 0, total: 0 });
      s.total++;
      if (c.phone?.trim()) s.withPhone++;
      return acc;
    }, {});

    return Object.entries(stats)
      .map(([owner, { withPhone, total }]) => ({
        owner,
        total,
        share: `${((100 * withPhone) / total).toFixed(1)}%`,
        missing: total - withPhone,
      }))
      .sort((a, b) => b.missing - a.missing || a.owner.localeCompare(b.owner));
  },
});
