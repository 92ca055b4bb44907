/**
 * Task: When can all these people meet for an hour in the next 5 days, between 9 and 17 UTC? Don't book anything, just suggest up to three slots.
 * Verdict: holds
 * Why: Only freeBusy is called.
 * Features: labeled loop, Date arithmetic, Object.values, flat, some, nested loops, early break
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

const HOUR = 60 * 60 * 1000;

export default program({
  guarantees: [calendar.readOnly()],
  async run({ people }: { people: string[] }) {
    const start = new Date();
    start.setUTCHours(0, 0, 0, 0);
    start.setUTCDate(start.getUTCDate() + 1);
    const end = new Date(start.getTime() + 5 * 24 * HOUR);

    const busyByPerson = await calendar.freeBusy({
      emails: people,
      from: start.toISOString(),
      to: end.toISOString(),
    });
    const busy = Object.values(busyByPerson)
      .flat()
      .map((b) => ({ from: Date.parse(b.start), to: Date.parse(b.end) }));

    const suggestions: string[] = [];
    search: for (let day = 0; day < 5; day++) {
      for (let hour = 9; hour < 17; hour++) {
        const from = start.getTime() + day * 24 * HOUR + hour * HOUR;
        const to = from + HOUR;
        if (busy.some((b) => b.from < to && b.to > from)) continue;
        suggestions.push(new Date(from).toISOString());
        if (suggestions.length === 3) break search;
      }
    }

    return suggestions.length > 0 ? { suggestions } : { suggestions, message: "No common free hour found." };
  },
});
