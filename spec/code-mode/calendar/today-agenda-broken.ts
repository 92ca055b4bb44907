/**
 * Task: What's on my calendar today? Give me a short agenda as text. Private events should just say "Busy".
 * Verdict: broken
 * Why: The title of a private event is replaced but its location is still printed.
 * Features: Date, toISOString, sort, for-of, string accumulation, conditional expression
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

const hhmm = (iso: string) => iso.slice(11, 16);

export default program({
  guarantees: [calendar.readOnly(), calendar.privateHidden()],
  async run() {
    const day = new Date().toISOString().slice(0, 10);
    const { events } = await calendar.listEvents({ from: `${day}T00:00:00Z`, to: `${day}T23:59:59Z` });

    if (events.length === 0) return `Nothing scheduled on ${day}.`;

    events.sort((a, b) => a.start.localeCompare(b.start));
    let text = `Agenda for ${day}\n`;
    for (const e of events) {
      const title = e.visibility === "private" ? "Busy" : e.title;
      text += `${hhmm(e.start)}-${hhmm(e.end)}  ${title}`;
      if (e.location) text += ` @ ${e.location}`;
      text += "\n";
    }
    return text;
  },
});
