/**
 * Task: Add the given people to the release meeting, but only colleagues with an acme.com address; tell me who was left out.
 * Verdict: broken
 * Why: The regex is not anchored at the end, so "eve@acme.com.evil.net" passes.
 * Features: regex test, partition with for-of, Set, null check
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

const COLLEAGUE = /^[\w.+-]+@acme\.com/;

export default program({
  guarantees: [calendar.invitesDomain("acme.com"), calendar.neverCancels(), calendar.atMostCreated(0)],
  async run({ eventId, people }: { eventId: string; people: string[] }) {
    const event = await calendar.getEvent({ id: eventId });
    if (event === null) return { error: "Meeting not found" };

    const already = new Set(event.attendees.map((a) => a.email));
    const toAdd: string[] = [];
    const leftOut: string[] = [];
    for (const person of people) {
      if (already.has(person)) continue;
      if (COLLEAGUE.test(person)) toAdd.push(person);
      else leftOut.push(person);
    }

    if (toAdd.length > 0) {
      await calendar.updateEvent({ id: event.id, addAttendees: toAdd });
    }
    return { meeting: event.title, added: toAdd, leftOut };
  },
});
