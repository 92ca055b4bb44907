/**
 * Task: Find the best hotel in a city and book it for two, but ask me before you book.
 * Verdict: broken — askedBefore()
 * Why: The await before askUser is missing, so the condition tests a promise, which is always truthy, and the booking is made unasked.
 * Features: missing await, helper async function, sort with optional field
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

async function approved(hotel: travel.Hotel): Promise<boolean> {
  const price = (hotel.nightlyCents / 100).toFixed(2);
  const answer = await travel.askUser({ question: `Book ${hotel.name} for ${price} per night?` });
  return answer === "yes";
}

export default program({
  guarantees: [travel.askedBefore(), travel.atMostHotels(1)],
  async run({ city, checkIn, checkOut }: { city: string; checkIn: string; checkOut: string }) {
    const { hotels } = await travel.searchHotels({ city, checkIn, checkOut });
    if (hotels.length === 0) return "No hotels found.";

    const best = [...hotels].sort((a, b) => (b.rating ?? -1) - (a.rating ?? -1))[0];
    const ok = approved(best);
    if (!ok) return "Nothing was booked.";

    const nights = Math.ceil((Date.parse(checkOut) - Date.parse(checkIn)) / 86_400_000);
    const { bookingId } = await travel.bookHotel({
      hotelId: best.id,
      checkIn,
      checkOut,
      guests: 2,
      maxPriceCents: nights * best.nightlyCents,
    });
    return `Booked ${best.name}, reference ${bookingId}.`;
  },
});
