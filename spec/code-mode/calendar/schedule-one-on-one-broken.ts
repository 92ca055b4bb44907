/**
 * Task: Book a 30 minute one-on-one with dana@acme.com in our first common free half hour tomorrow between 9 and 17 UTC.
 * Verdict: broken
 * Why: The end is the start of the next busy block, which may lie hours after the start.
 * Features: Date arithmetic, sort, while loop, Object.values, flat
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
    const busy = Object.values(calendars)
      .flat()
      .map((b) => ({ from: Date.parse(b.start), to: Date.parse(b.end) }))
      .sort((a, b) => a.from - b.from);

    let t = open.getTime();
    let i = 0;
    while (i < busy.length && busy[i].from < t + HALF_HOUR) {
      t = Math.max(t, busy[i].to);
      i++;
    }
    if (t + HALF_HOUR > close.getTime()) return { booked: null, message: "No common free slot tomorrow." };

    const gapEnd = i < busy.length ? busy[i].from : t + HALF_HOUR;
    const { link } = await calendar.createEvent({
      title: "1:1",
      start: new Date(t).toISOString(),
      end: new Date(gapEnd).toISOString(),
      attendees: [DANA],
    });
    return { booked: new Date(t).toISOString(), link };
  },
});
