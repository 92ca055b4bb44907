/**
 * Task: Do any of my confirmed bookings overlap in time?
 * Verdict: holds
 * Why: Only listBookings is called.
 * Features: double index loop, interval comparison, push of tuples, map to text, conditional answer
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

const overlap = (a: travel.Booking, b: travel.Booking) =>
  Date.parse(a.start) < Date.parse(b.end) && Date.parse(b.start) < Date.parse(a.end);

export default program({
  guarantees: [travel.readOnly()],
  async run() {
    const bookings = (await travel.listBookings({ status: "confirmed" })).filter(
      (b) => b.status === "confirmed",
    );
    const conflicts: [travel.Booking, travel.Booking][] = [];
    for (let i = 0; i < bookings.length; i++) {
      for (let j = i + 1; j < bookings.length; j++) {
        if (bookings[i].kind === bookings[j].kind && overlap(bookings[i], bookings[j])) {
          conflicts.push([bookings[i], bookings[j]]);
        }
      }
    }
    return conflicts.length === 0
      ? "No conflicts."
      : conflicts.map(([a, b]) => `${a.kind} ${a.id} (${a.start}) overlaps ${b.id} (${b.start})`).join("\n");
  },
});
