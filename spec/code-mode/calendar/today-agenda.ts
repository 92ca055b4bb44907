/**
 * Task: What's on my calendar today? Give me a short agenda as text. Private events should just say "Busy".
 * Verdict: holds
 * Why: For a private event the line uses only its times; title and location are read only for the other events.
 * Features: Date, toISOString, sort, map, join, conditional expression, template string, optional field
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

    const lines = [...events]
      .sort((a, b) => a.start.localeCompare(b.start))
      .map((e) => {
        const time = `${hhmm(e.start)}-${hhmm(e.end)}`;
        if (e.visibility === "private") return `${time}  Busy`;
        return `${time}  ${e.title}${e.location ? ` @ ${e.location}` : ""}`;
      });

    return [`Agenda for ${day}`, ...lines].join("\n");
  },
});
