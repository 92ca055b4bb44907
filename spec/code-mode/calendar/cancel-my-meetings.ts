/**
 * Task: I'm sick. Cancel the meetings I organize on the given day, but ask me about each one first. My address is sam@acme.com.
 * Verdict: holds
 * Why: Each cancelEvent follows its own confirm that returned true, for a listed event whose organizer is sam@acme.com.
 * Features: sequential for-of, await in condition, filter, push, template string, destructuring
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

const ME = "sam@acme.com";

export default program({
  guarantees: [calendar.askedEach(), calendar.cancelsOnlyOf(ME)],
  async run({ day }: { day: string }) {
    const { events } = await calendar.listEvents({ from: `${day}T00:00:00Z`, to: `${day}T23:59:59Z` });
    const mine = events.filter((e) => e.organizer === ME);

    const cancelled: string[] = [];
    const kept: string[] = [];
    for (const { id, title, start } of mine) {
      if (await calendar.confirm({ question: `Cancel "${title}" at ${start.slice(11, 16)}?` })) {
        await calendar.cancelEvent({ id, comment: "Sorry, I'm sick today." });
        cancelled.push(title);
      } else {
        kept.push(title);
      }
    }
    return { cancelled, kept };
  },
});
