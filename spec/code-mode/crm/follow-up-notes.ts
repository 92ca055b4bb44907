/**
 * Task: Leave a follow-up note on the contacts tagged with the event they attended. At most 10 contacts, one note each.
 * Verdict: holds
 * Why: Ids go through a Set before the slice to 10, and each id gets one addNote without retry.
 * Features: Set, spread, slice, for-of, template string, input
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

export default program({
  guarantees: [crm.atMostNotes(10), crm.noteOnceEach(), crm.neverDeletes()],
  async run({ event }: { event: string }) {
    const attendees = await crm.searchContacts({ tag: event });
    const ids = [...new Set(attendees.map((c) => c.id))].slice(0, 10);

    for (const id of ids) {
      await crm.addNote({ contactId: id, body: `Follow up: attended "${event}".` });
    }

    return { noted: ids.length, skipped: attendees.length - ids.length };
  },
});
