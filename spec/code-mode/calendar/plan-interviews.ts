/**
 * Task: Plan the interviews of a candidate on one day: 45 minutes with each of lee@acme.com, kim@acme.com and noor@acme.com, no overlaps, starts between 8 and 17 UTC, respecting their busy times. Ask me before anything is booked.
 * Verdict: holds
 * Why: At most one event per interviewer (three) is created after a yes, with that interviewer only, exactly 45 minutes long and starting from 9:00 to 16:00.
 * Features: const tuple, backtracking recursion, interval overlap, type aliases, Map, early return, Date arithmetic, regex validation, template string, confirm
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

const PANEL = ["lee@acme.com", "kim@acme.com", "noor@acme.com"] as const;
const MINUTE = 60_000;
const LENGTH = 45 * MINUTE;

type Interval = { from: number; to: number };
type Slot = Interval & { who: string };

const overlap = (a: Interval, b: Interval) => a.from < b.to && b.from < a.to;

/** Finds a slot for each remaining person, trying start times in order. */
function assign(
  people: readonly string[],
  starts: number[],
  busy: Map<string, Interval[]>,
  taken: Slot[],
): Slot[] | null {
  if (people.length === 0) return taken;
  const [who, ...rest] = people;
  for (const from of starts) {
    const slot: Slot = { who, from, to: from + LENGTH };
    if (taken.some((t) => overlap(t, slot))) continue;
    if ((busy.get(who) ?? []).some((b) => overlap(b, slot))) continue;
    const solution = assign(rest, starts, busy, [...taken, slot]);
    if (solution) return solution;
  }
  return null;
}

export default program({
  guarantees: [
    calendar.atMostCreated(3),
    calendar.invitesOnly("lee@acme.com", "kim@acme.com", "noor@acme.com"),
    calendar.minutesAtMost(45),
    calendar.workHours(),
    calendar.neverCancels(),
  ],
  async run({ candidate, day }: { candidate: string; day: string }) {
    const midnight = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
    if (Number.isNaN(midnight)) return { error: `"${day}" is not a date like 2026-05-04` };

    const first = midnight + 9 * 60 * MINUTE;
    const last = midnight + 16 * 60 * MINUTE;
    const starts: number[] = [];
    for (let t = first; t <= last; t += 15 * MINUTE) starts.push(t);

    const answer = await calendar.freeBusy({
      emails: [...PANEL],
      from: new Date(first).toISOString(),
      to: new Date(last + LENGTH).toISOString(),
    });
    const busy = new Map<string, Interval[]>();
    for (const who of PANEL) {
      busy.set(
        who,
        (answer[who] ?? []).map((b) => ({ from: Date.parse(b.start), to: Date.parse(b.end) })),
      );
    }

    const plan = assign(PANEL, starts, busy, []);
    if (!plan) return { booked: false, message: "There is no combination of free slots on that day." };
    plan.sort((a, b) => a.from - b.from);

    const overview = plan.map((s) => `${new Date(s.from).toISOString().slice(11, 16)} ${s.who}`).join(", ");
    const ok = await calendar.confirm({
      question: `Book interviews for ${candidate} on ${day}: ${overview}?`,
    });
    if (!ok) return { booked: false, message: "Nothing was booked.", plan: overview };

    const links: string[] = [];
    for (const { who, from, to } of plan) {
      const { link } = await calendar.createEvent({
        title: `Interview: ${candidate}`,
        start: new Date(from).toISOString(),
        end: new Date(to).toISOString(),
        attendees: [who],
      });
      links.push(link);
    }
    return { booked: true, plan: overview, links };
  },
});
