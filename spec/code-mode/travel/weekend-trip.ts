/**
 * Task: Book a flight and a hotel for a weekend; together they may cost at most 1500 euros.
 * Verdict: holds
 * Why: The flight is charged at most its price, which is within the budget, and the hotel call is capped by what is left of the budget.
 * Features: sequential awaits, helper for nights, arithmetic on remaining budget, find, early returns, nested object answer
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

const BUDGET = 150_000;

function nightsBetween(checkIn: string, checkOut: string): number {
  return Math.max(1, Math.round((Date.parse(checkOut) - Date.parse(checkIn)) / 86_400_000));
}

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
    const flights = await travel.searchFlights({ from, to, date: checkIn });
    flights.sort((a, b) => a.priceCents - b.priceCents);
    const flight = flights.find((f) => f.priceCents <= BUDGET / 2);
    if (!flight) return { status: "no flight fits half of the budget" };

    const flightBooking = await travel.bookFlight({
      flightId: flight.id,
      passengers: [{ name }],
      maxPriceCents: flight.priceCents,
    });
    const remaining = BUDGET - flightBooking.chargedCents;

    const nights = nightsBetween(checkIn, checkOut);
    const { hotels } = await travel.searchHotels({ city, checkIn, checkOut });
    const hotel = hotels
      .filter((h) => h.nightlyCents * nights <= remaining)
      .sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0) || a.nightlyCents - b.nightlyCents)[0];
    if (!hotel) {
      return {
        status: "flight only",
        flight: { id: flightBooking.bookingId, cents: flightBooking.chargedCents },
      };
    }

    const hotelBooking = await travel.bookHotel({
      hotelId: hotel.id,
      checkIn,
      checkOut,
      guests: 1,
      maxPriceCents: remaining,
    });
    return {
      status: "booked",
      flight: { id: flightBooking.bookingId, cents: flightBooking.chargedCents },
      hotel: { id: hotelBooking.bookingId, name: hotel.name, cents: hotelBooking.chargedCents },
      leftCents: remaining - hotelBooking.chargedCents,
    };
  },
});
