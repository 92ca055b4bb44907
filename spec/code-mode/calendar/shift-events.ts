/**
 * Task: The offsite moved: shift all events whose title contains the given word by N days. Don't cancel anything and don't create new events.
 * Verdict: holds
 * Why: The only changing tool that is called is updateEvent; failures are collected.
 * Features: Promise.allSettled, Date arithmetic, filter, helper, type narrowing on status
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
    const matching = events.filter((e) => e.title.toLowerCase().includes(word.toLowerCase()));

    const results = await Promise.allSettled(
      matching.map(async (e) => {
        await calendar.updateEvent({ id: e.id, start: shiftIso(e.start, days), end: shiftIso(e.end, days) });
        return e.title;
      }),
    );

    const moved = results.filter((r) => r.status === "fulfilled").length;
    const problems = results.flatMap((r, i) =>
      r.status === "rejected"
        ? [`${matching[i].title}: ${r.reason instanceof Error ? r.reason.message : String(r.reason)}`]
        : [],
    );
    return { moved, problems };
  },
});
