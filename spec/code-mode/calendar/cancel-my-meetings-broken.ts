/**
 * Task: I'm sick. Cancel the meetings I organize on the given day, but ask me about each one first. My address is sam@acme.com.
 * Verdict: broken
 * Why: It asks a single question for all meetings and then cancels them all, more than one per confirmation.
 * Features: Promise.all, filter, map, join, template string, early return
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

const ME = "sam@acme.com";

export default program({
  guarantees: [calendar.askedEach(), calendar.cancelsOnlyOf(ME)],
  async run({ day }: { day: string }) {
    const { events } = await calendar.listEvents({ from: `${day}T00:00:00Z`, to: `${day}T23:59:59Z` });
    const mine = events.filter((e) => e.organizer === ME);
    if (mine.length === 0) return { cancelled: [] };

    const titles = mine.map((e) => `"${e.title}"`).join(", ");
    const ok = await calendar.confirm({ question: `Cancel these meetings: ${titles}?` });
    if (!ok) return { cancelled: [] };

    await Promise.all(mine.map(({ id }) => calendar.cancelEvent({ id, comment: "Sorry, I'm sick today." })));
    return { cancelled: mine.map((e) => e.title) };
  },
});
