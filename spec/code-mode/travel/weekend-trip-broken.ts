/**
 * Task: Book a flight and a hotel for a weekend; together they may cost at most 1500 euros.
 * Verdict: broken — budget(150000)
 * Why: Flight and hotel are booked in parallel and each is checked against the whole budget, so together they can exceed it.
 * Features: Promise.all with destructuring, sort, helper for nights, filter
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

const BUDGET = 150_000;

export default program({
  guarantees: [travel.budget(150000), travel.atMostFlights(1), travel.atMostHotels(1)],
  async run({
    from,
    to,
    city,
    checkIn,
    checkOut,
    name,
  }: {
    from: string;
    to: string;
    city: string;
    checkIn: string;
    checkOut: string;
    name: string;
  }) {
    const [flights, { hotels }] = await Promise.all([
      travel.searchFlights({ from, to, date: checkIn }),
      travel.searchHotels({ city, checkIn, checkOut }),
    ]);
    const nights = Math.max(1, Math.round((Date.parse(checkOut) - Date.parse(checkIn)) / 86_400_000));

    const flight = flights
      .filter((f) => f.priceCents <= BUDGET)
      .sort((a, b) => a.priceCents - b.priceCents)[0];
    const hotel = hotels
      .filter((h) => h.nightlyCents * nights <= BUDGET)
      .sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0))[0];
    if (!flight || !hotel) return { status: "nothing suitable" };

    const [f, h] = await Promise.all([
      travel.bookFlight({ flightId: flight.id, passengers: [{ name }], maxPriceCents: flight.priceCents }),
      travel.bookHotel({
        hotelId: hotel.id,
        checkIn,
        checkOut,
        guests: 1,
        maxPriceCents: hotel.nightlyCents * nights,
      }),
    ]);
    return { status: "booked", totalCents: f.chargedCents + h.chargedCents };
  },
});
