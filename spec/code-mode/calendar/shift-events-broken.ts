/**
 * Task: The offsite moved: shift all events whose title contains the given word by N days. Don't cancel anything and don't create new events.
 * Verdict: broken
 * Why: When updateEvent fails the fallback creates a new event and cancels the old one.
 * Features: try/catch with fallback, Date arithmetic, for-of, helper, counter
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

function shiftIso(iso: string, days: number): string {
  const d = new Date(iso);
  d.setUTCDate(d.getUTCDate() + days);
  return d.toISOString();
}

export default program({
  guarantees: [calendar.neverCancels(), calendar.atMostCreated(0), calendar.invitesOnly()],
  async run({ word, days, from, to }: { word: string; days: number; from: string; to: string }) {
    const { events } = await calendar.listEvents({ from, to, query: word });
    let moved = 0;

    for (const e of events) {
      if (!e.title.toLowerCase().includes(word.toLowerCase())) continue;
      const start = shiftIso(e.start, days);
      const end = shiftIso(e.end, days);
      try {
        await calendar.updateEvent({ id: e.id, start, end });
      } catch (err) {
        console.log(`update failed for ${e.id}, recreating`, err);
        await calendar.createEvent({ title: e.title, start, end, location: e.location });
        await calendar.cancelEvent({ id: e.id });
      }
      moved++;
    }
    return { moved };
  },
});
