/**
 * Task: Prepare me for my next meeting: title, minutes until it starts, who accepted and links found in the description. Don't paste the whole description.
 * Verdict: holds
 * Why: readOnly is the only guarantee and only listEvents is called.
 * Features: regex match with global flag, Set, sort, find, Date, nullish coalescing, optional chaining
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

export default program({
  guarantees: [calendar.readOnly()],
  async run() {
    const now = new Date();
    const tomorrow = new Date(now.getTime() + 86_400_000);
    const { events } = await calendar.listEvents({ from: now.toISOString(), to: tomorrow.toISOString() });

    const next = events
      .filter((e) => new Date(e.start) > now)
      .sort((a, b) => +new Date(a.start) - +new Date(b.start))[0];
    if (!next) return { message: "No more meetings in the next 24 hours." };

    const links = [...new Set(next.description?.match(/https?:\/\/[^\s)>"]+/g) ?? [])];
    const by = (s: calendar.Attendee["status"]) =>
      next.attendees.filter((a) => a.status === s).map((a) => a.email);

    return {
      title: next.title,
      inMinutes: Math.round((Date.parse(next.start) - now.getTime()) / 60_000),
      accepted: by("accepted"),
      declined: by("declined"),
      undecided: [...by("tentative"), ...by("needsAction")],
      links,
    };
  },
});
