/**
 * Task: Swap my hotel booking for one with at least four stars; never leave me without a room.
 * Verdict: broken — booksBeforeCancel()
 * Why: Booking and cancelling run in parallel, so the old room is cancelled before the new one is confirmed.
 * Features: Promise.all, find, destructuring, slice of ISO date
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.booksBeforeCancel(), travel.cancelsOnly("hotel"), travel.atMostHotels(1)],
  async run({ bookingId, city }: { bookingId: string; city: string }) {
    const bookings = await travel.listBookings({});
    const old = bookings.find((b) => b.id === bookingId && b.kind === "hotel");
    if (!old) throw new Error(`No hotel booking ${bookingId}`);

    const checkIn = old.start.slice(0, 10);
    const checkOut = old.end.slice(0, 10);
    const { hotels } = await travel.searchHotels({ city, checkIn, checkOut });
    const [better] = hotels
      .filter((h) => h.stars >= 4 && h.id !== old.refId)
      .sort((a, b) => a.nightlyCents - b.nightlyCents);
    if (!better) return { swapped: false };

    const [booked, cancelled] = await Promise.all([
      travel.bookHotel({
        hotelId: better.id,
        checkIn,
        checkOut,
        guests: 2,
        maxPriceCents: old.priceCents * 2,
      }),
      travel.cancelBooking({ bookingId: old.id }),
    ]);
    return {
      swapped: true,
      newBooking: booked.bookingId,
      extraCents: booked.chargedCents - cancelled.refundedCents,
    };
  },
});
