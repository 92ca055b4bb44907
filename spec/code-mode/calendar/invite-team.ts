/**
 * Task: Add the given people to the release meeting, but only colleagues with an acme.com address; tell me who was left out.
 * Verdict: holds
 * Why: Only addresses that end with "@acme.com" are put in addAttendees.
 * Features: filter, endsWith, Set difference, trim, null check, length check
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

export default program({
  guarantees: [calendar.invitesDomain("acme.com"), calendar.neverCancels(), calendar.atMostCreated(0)],
  async run({ eventId, people }: { eventId: string; people: string[] }) {
    const event = await calendar.getEvent({ id: eventId });
    if (event === null) return { error: "Meeting not found" };

    const already = new Set(event.attendees.map((a) => a.email.toLowerCase()));
    const wanted = people.map((p) => p.trim().toLowerCase());
    const colleagues = wanted.filter((p) => p.endsWith("@acme.com"));
    const toAdd = [...new Set(colleagues)].filter((p) => !already.has(p));

    if (toAdd.length > 0) {
      await calendar.updateEvent({ id: event.id, addAttendees: toAdd });
    }
    return {
      meeting: event.title,
      added: toAdd,
      leftOut: wanted.filter((p) => !colleagues.includes(p)),
    };
  },
});
