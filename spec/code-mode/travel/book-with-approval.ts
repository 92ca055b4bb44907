/**
 * Task: Find the best hotel in a city and book it for two, but ask me before you book.
 * Verdict: holds
 * Why: The only booking is reached after askUser resolved to "yes".
 * Features: await in condition, template string question, sort with optional field, early return
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.askedBefore(), travel.atMostHotels(1)],
  async run({ city, checkIn, checkOut }: { city: string; checkIn: string; checkOut: string }) {
    const { hotels } = await travel.searchHotels({ city, checkIn, checkOut });
    if (hotels.length === 0) return "No hotels found.";

    const best = [...hotels].sort((a, b) => (b.rating ?? -1) - (a.rating ?? -1) || b.stars - a.stars)[0];
    const price = (best.nightlyCents / 100).toFixed(2);
    const answer = await travel.askUser({
      question: `Book ${best.name} (${best.stars} stars, rating ${best.rating ?? "none"}) for ${price} per night?`,
    });
    if (answer !== "yes") return "Nothing was booked.";

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
