/**
 * Task: Find contacts that share the same email address (ignoring case) and pin a "possible duplicate" note on each of them. Don't delete anything and don't show me the addresses.
 * Verdict: broken
 * Why: After noting the newest contact of a group the program "cleans up" the older ones with deleteContact.
 * Features: Map groupBy, Promise.all, array destructuring with rest, sort by date string, localeCompare
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
      byEmail.set(key, [...(byEmail.get(key) ?? []), c]);
    }

    const report: { kept: string; merged: number }[] = [];
    for (const group of byEmail.values()) {
      if (group.length < 2) continue;
      group.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
      const [newest, ...older] = group;
      await crm.addNote({ contactId: newest.id, body: `Merged ${older.length} duplicate(s).`, pinned: true });
      await Promise.all(older.map((c) => crm.deleteContact({ id: c.id })));
      report.push({ kept: newest.name, merged: older.length });
    }
    return report;
  },
});
