/**
 * Task: Block two hours of focus time every week at the given hour, starting at the given date, for up to 12 weeks, during work hours.
 * Verdict: holds
 * Why: The number of weeks is capped at 12, the hour is clamped to 8..17 and each event has exactly 120 minutes.
 * Features: for loop, Math.min, Math.max, Math.trunc, setUTCHours, Date arithmetic, destructuring with defaults
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

const WEEK_MS = 7 * 86_400_000;

export default program({
  guarantees: [
    calendar.atMostCreated(12),
    calendar.workHours(),
    calendar.minutesAtMost(120),
    calendar.invitesOnly(),
  ],
  async run({ firstDay, hour = 9, weeks = 4 }: { firstDay: string; hour?: number; weeks?: number }) {
    const first = new Date(firstDay);
    if (Number.isNaN(first.getTime())) return { error: `Not a date: ${firstDay}` };
    first.setUTCHours(Math.min(Math.max(Math.trunc(hour), 8), 17), 0, 0, 0);

    const count = Math.min(weeks, 12);
    const created: string[] = [];
    for (let i = 0; i < count; i++) {
      const start = new Date(first.getTime() + i * WEEK_MS);
      const end = new Date(start.getTime() + 120 * 60_000);
      await calendar.createEvent({ title: "Focus time", start: start.toISOString(), end: end.toISOString() });
      created.push(start.toISOString());
    }
    return { created };
  },
});
