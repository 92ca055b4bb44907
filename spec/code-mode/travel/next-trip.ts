/**
 * Task: What is my next booking?
 * Verdict: holds
 * Why: Only listBookings is called.
 * Features: filter, sort, array destructuring, conditional answer
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.readOnly()],
  async run({ now }: { now: string }) {
    const bookings = await travel.listBookings({ status: "confirmed" });
    const [next] = bookings.filter((b) => b.start > now).sort((a, b) => a.start.localeCompare(b.start));
    return next ? `${next.kind} ${next.refId} on ${next.start.slice(0, 10)}` : "Nothing is booked.";
  },
});
