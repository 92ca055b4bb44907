/**
 * Task: I booked some things twice. Cancel the more expensive copy of each duplicate booking.
 * Verdict: holds
 * Why: The bookings are first made unique by id, and each is in one group, so no id is cancelled twice.
 * Features: Map from entries, groups by composite key, sort in group, destructuring with rest, nested loops
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.cancelsEachOnce(), travel.atMostFlights(0), travel.atMostHotels(0)],
  async run() {
    const listed = await travel.listBookings({ status: "confirmed" });
    const unique = [...new Map(listed.map((b) => [b.id, b])).values()];

    const groups = new Map<string, travel.Booking[]>();
    for (const b of unique) {
      const key = [b.kind, b.refId, b.start].join("|");
      groups.set(key, [...(groups.get(key) ?? []), b]);
    }

    const cancelled: string[] = [];
    for (const group of groups.values()) {
      const [, ...extra] = group.sort((a, b) => a.priceCents - b.priceCents);
      for (const b of extra) {
        await travel.cancelBooking({ bookingId: b.id });
        cancelled.push(b.id);
      }
    }
    return { checked: unique.length, cancelled };
  },
});
