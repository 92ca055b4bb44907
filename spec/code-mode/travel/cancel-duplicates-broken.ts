/**
 * Task: I booked some things twice. Cancel the more expensive copy of each duplicate booking.
 * Verdict: broken — cancelsEachOnce()
 * Why: Pairs are compared one by one, so with three copies the most expensive one is cancelled twice.
 * Features: double index loop, ternary, push, sequential awaits
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.cancelsEachOnce(), travel.atMostFlights(0), travel.atMostHotels(0)],
  async run() {
    const bookings = await travel.listBookings({ status: "confirmed" });
    const cancelled: string[] = [];

    for (let i = 0; i < bookings.length; i++) {
      for (let j = i + 1; j < bookings.length; j++) {
        const a = bookings[i];
        const b = bookings[j];
        if (a.id === b.id) continue;
        if (a.kind !== b.kind || a.refId !== b.refId || a.start !== b.start) continue;
        const loser = a.priceCents > b.priceCents ? a : b;
        await travel.cancelBooking({ bookingId: loser.id });
        cancelled.push(loser.id);
      }
    }
    return { checked: bookings.length, cancelled };
  },
});
