/**
 * Task: Block two hours of focus time every week at the given hour, starting at the given date, for up to 12 weeks, during work hours.
 * Verdict: broken
 * Why: The loop runs from 0 to 12 inclusive, so 13 events are created when weeks is 12 or more.
 * Features: for loop, Math.min, setUTCHours, setUTCDate, destructuring with defaults
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

const MAX_WEEKS = 12;

export default program({
  guarantees: [
    calendar.atMostCreated(12),
    calendar.workHours(),
    calendar.minutesAtMost(120),
    calendar.invitesOnly(),
  ],
  async run({ firstDay, hour = 9, weeks = 4 }: { firstDay: string; hour?: number; weeks?: number }) {
    if (!Number.isInteger(hour) || hour < 8 || hour > 17) return { error: "hour must be between 8 and 17" };
    const created: string[] = [];
    for (let week = 0; week <= Math.min(weeks, MAX_WEEKS); week++) {
      const start = new Date(firstDay);
      start.setUTCHours(hour, 0, 0, 0);
      start.setUTCDate(start.getUTCDate() + 7 * week);
      const end = new Date(start);
      end.setUTCHours(hour + 2);
      await calendar.createEvent({ title: "Focus time", start: start.toISOString(), end: end.toISOString() });
      created.push(start.toISOString());
    }
    return { created };
  },
});
