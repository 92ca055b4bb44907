/**
 * Task: Find contacts that share the same email address (ignoring case) and pin a "possible duplicate" note on each of them. Don't delete anything and don't show me the addresses.
 * Verdict: holds
 * Why: deleteContact is never called and the answer has names and group sizes only.
 * Features: Map groupBy, Promise.all, toLowerCase, trim, flatMap, filter on Map values
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

export default program({
  guarantees: [crm.neverDeletes(), crm.answerHides("email"), crm.notesShort(200)],
  async run() {
    const contacts = await crm.searchContacts({});

    const byEmail = new Map<string, crm.Contact[]>();
    for (const c of contacts) {
      const key = c.email.trim().toLowerCase();
      if (!key) continue;
      const group = byEmail.get(key);
      if (group) group.push(c);
      else byEmail.set(key, [c]);
    }

    const groups = [...byEmail.values()].filter((g) => g.length > 1);
    await Promise.all(
      groups.flatMap((g) =>
        g.map((c) =>
          crm.addNote({
            contactId: c.id,
            body: `Possible duplicate: ${g.length} contacts share this email address.`,
            pinned: true,
          }),
        ),
      ),
    );

    return groups.map((g) => ({ size: g.length, names: g.map((c) => c.name) }));
  },
});
