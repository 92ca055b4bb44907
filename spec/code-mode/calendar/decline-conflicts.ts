/**
 * Task: Decline every meeting next week that overlaps with one I have already accepted. One response per meeting.
 * Verdict: holds
 * Why: The response is always "declined" and the Set of answered ids is checked and filled before each call.
 * Features: Set, find, some, Date.parse, overlap helper, for-of, input
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

    const answered = new Set<string>();
    const declined: string[] = [];
    for (const event of open) {
      const clash = accepted.find((a) => a.id !== event.id && overlaps(a, event));
      if (!clash || answered.has(event.id)) continue;
      answered.add(event.id);
      await calendar.respond({
        id: event.id,
        response: "declined",
        comment: "I have another meeting at that time.",
      });
      declined.push(`${event.title} (conflicts with ${clash.title})`);
    }
    return { declined };
  },
});
