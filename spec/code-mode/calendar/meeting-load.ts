/**
 * Task: How many hours of meetings do I have per weekday in a given period, and which is my busiest day?
 * Verdict: holds
 * Why: Only listEvents is called and the answer has weekday names and numbers.
 * Features: pagination, array of totals, getUTCDay, Number.isFinite, indexOf, Math.max spread, Object.fromEntries
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export default program({
  guarantees: [calendar.readOnly(), calendar.privateHidden(), calendar.answerHides("description")],
  async run({ from, to }: { from: string; to: string }) {
    const hours = new Array<number>(7).fill(0);
    let meetings = 0;
    let pageToken: string | undefined;

    do {
      const res = await calendar.listEvents({ from, to, pageToken });
      for (const e of res.events) {
        const start = new Date(e.start);
        const length = (Date.parse(e.end) - start.getTime()) / 3_600_000;
        if (!Number.isFinite(length) || length <= 0 || length >= 24) continue; // all-day or broken
        hours[start.getUTCDay()] += length;
        meetings++;
      }
      pageToken = res.nextPageToken ?? undefined;
    } while (pageToken);

    const busiest = DAYS[hours.indexOf(Math.max(...hours))];
    return {
      meetings,
      hoursPerDay: Object.fromEntries(DAYS.map((d, i) => [d, Math.round(hours[i] * 10) / 10])),
      busiest: meetings > 0 ? busiest : null,
    };
  },
});
