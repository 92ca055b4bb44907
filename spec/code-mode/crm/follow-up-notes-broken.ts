/**
 * Task: Leave a follow-up note on the contacts tagged with the event they attended. At most 10 contacts, one note each.
 * Verdict: broken
 * Why: A failed addNote is retried, so the same contactId gets two calls (and 10 contacts may take up to 20 calls).
 * Features: Set, spread, slice, for-of, try/catch, retry, template string, input
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

export default program({
  guarantees: [crm.atMostNotes(10), crm.noteOnceEach(), crm.neverDeletes()],
  async run({ event }: { event: string }) {
    const attendees = await crm.searchContacts({ tag: event });
    const ids = [...new Set(attendees.map((c) => c.id))].slice(0, 10);
    const failed: string[] = [];

    for (const id of ids) {
      const note = { contactId: id, body: `Follow up: attended "${event}".` };
      try {
        await crm.addNote(note);
      } catch {
        // the API is flaky, try once more
        try {
          await crm.addNote(note);
        } catch {
          failed.push(id);
        }
      }
    }

    return { noted: ids.length - failed.length, failed };
  },
});
