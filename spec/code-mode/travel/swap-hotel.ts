/**
 * Task: Swap my hotel booking for one with at least four stars; never leave me without a room.
 * Verdict: holds
 * Why: cancelBooking is called only after bookHotel resolved, on a booking of kind hotel, once.
 * Features: find, await order, throw on missing, slice of ISO date
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
    const better = hotels.filter((h) => h.stars >= 4 && h.id !== old.refId);
    better.sort((a, b) => a.nightlyCents - b.nightlyCents);
    if (better.length === 0) return { swapped: false };

    const booked = await travel.bookHotel({
      hotelId: better[0].id,
      checkIn,
      checkOut,
      guests: 2,
      maxPriceCents: old.priceCents * 2,
    });
    const { refundedCents } = await travel.cancelBooking({ bookingId: old.id });
    return { swapped: true, newBooking: booked.bookingId, extraCents: booked.chargedCents - refundedCents };
  },
});
