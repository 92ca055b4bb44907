/**
 * Task: Book a 30 minute one-on-one with dana@acme.com in our first common free half hour tomorrow between 9 and 17 UTC.
 * Verdict: holds
 * Why: At most one createEvent is reached, with the constant address and an end exactly 30 minutes after the start.
 * Features: for loop with step, Date arithmetic, some, destructuring, early return, Object.values
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

const DANA = "dana@acme.com";
const HALF_HOUR = 30 * 60_000;

export default program({
  guarantees: [
    calendar.atMostCreated(1),
    calendar.invitesOnly(DANA),
    calendar.minutesAtMost(30),
    calendar.neverCancels(),
  ],
  async run({ me }: { me: string }) {
    const open = new Date();
    open.setUTCDate(open.getUTCDate() + 1);
    open.setUTCHours(9, 0, 0, 0);
    const close = new Date(open);
    close.setUTCHours(17);

    const calendars = await calendar.freeBusy({
      emails: [me, DANA],
      from: open.toISOString(),
      to: close.toISOString(),
    });
    const busy = Object.values(calendars).flat();

    for (let t = open.getTime(); t + HALF_HOUR <= close.getTime(); t += HALF_HOUR) {
      const taken = busy.some((b) => Date.parse(b.start) < t + HALF_HOUR && Date.parse(b.end) > t);
      if (taken) continue;

      const start = new Date(t).toISOString();
      const { link } = await calendar.createEvent({
        title: "1:1",
        start,
        end: new Date(t + HALF_HOUR).toISOString(),
        attendees: [DANA],
      });
      return { booked: start, link };
    }
    return { booked: null, message: "No common free slot tomorrow." };
  },
});
