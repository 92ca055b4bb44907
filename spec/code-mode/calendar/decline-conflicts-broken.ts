/**
 * Task: Decline every meeting next week that overlaps with one I have already accepted. One response per meeting.
 * Verdict: broken
 * Why: An open meeting that overlaps with two accepted ones is declined once per pair.
 * Features: nested for-of, Date.parse, overlap helper, filter, input
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

function overlaps(a: calendar.CalEvent, b: calendar.CalEvent): boolean {
  return Date.parse(a.start) < Date.parse(b.end) && Date.parse(b.start) < Date.parse(a.end);
}

export default program({
  guarantees: [calendar.respondsOnly("declined"), calendar.respondOnceEach()],
  async run({ me, from, to }: { me: string; from: string; to: string }) {
    const { events } = await calendar.listEvents({ from, to });
    const myStatus = (e: calendar.CalEvent) => e.attendees.find((a) => a.email === me)?.status;

    const accepted = events.filter((e) => myStatus(e) === "accepted");
    const open = events.filter((e) => myStatus(e) === "needsAction");

    const declined: string[] = [];
    for (const busy of accepted) {
      for (const event of open) {
        if (event.id === busy.id || !overlaps(busy, event)) continue;
        await calendar.respond({
          id: event.id,
          response: "declined",
          comment: "I have another meeting at that time.",
        });
        declined.push(`${event.title} (conflicts with ${busy.title})`);
      }
    }
    return { declined };
  },
});
