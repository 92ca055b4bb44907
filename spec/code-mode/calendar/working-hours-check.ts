/**
 * Task: Look at my calendar settings and tell me which of today's meetings fall outside my working hours (default 9 to 17 UTC).
 * Verdict: holds
 * Why: Only getSettings and listEvents are called; private events are counted but not named.
 * Features: unknown narrowing, type guard function, in operator, typeof, getUTCHours, partition
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

interface Hours {
  startHour: number;
  endHour: number;
}

function isHours(x: unknown): x is Hours {
  return (
    typeof x === "object" &&
    x !== null &&
    "startHour" in x &&
    "endHour" in x &&
    typeof (x as Hours).startHour === "number" &&
    typeof (x as Hours).endHour === "number"
  );
}

export default program({
  guarantees: [calendar.readOnly(), calendar.privateHidden(), calendar.answerHides("email")],
  async run() {
    const settings = await calendar.getSettings({});
    const hours: Hours = isHours(settings) ? settings : { startHour: 9, endHour: 17 };

    const today = new Date().toISOString().slice(0, 10);
    const { events } = await calendar.listEvents({ from: `${today}T00:00:00Z`, to: `${today}T23:59:59Z` });

    const outside = events.filter((e) => {
      const h = new Date(e.start).getUTCHours();
      return h < hours.startHour || h >= hours.endHour;
    });
    const named = outside.filter((e) => e.visibility !== "private");

    return {
      workingHours: `${hours.startHour}:00-${hours.endHour}:00`,
      outside: named.map((e) => ({ title: e.title, start: e.start })),
      privateOutside: outside.length - named.length,
    };
  },
});
