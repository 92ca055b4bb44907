/**
 * Task: Book the cheapest nonstop flight for Ana Silva, but pay no more than 400 euros.
 * Verdict: holds
 * Why: Only flights with stops 0 and a price of at most 40000 cents are left before the single booking.
 * Features: filter chain, sort by two keys, array destructuring, undefined check, numeric separator
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

const LIMIT = 400_00;

export default program({
  guarantees: [travel.nonstopOnly(), travel.atMostFlights(1), travel.maxFlightPrice(40000)],
  async run({ from, to, date }: { from: string; to: string; date: string }) {
    const flights = await travel.searchFlights({ from, to, date, cabin: "economy" });
    const [best] = flights
      .filter((f) => f.stops === 0 && f.seatsLeft > 0)
      .filter((f) => f.priceCents <= LIMIT)
      .sort((a, b) => a.priceCents - b.priceCents || a.departs.localeCompare(b.departs));

    if (best === undefined) {
      return { booked: false, message: "No nonstop flight within 400 euros." };
    }

    const booking = await travel.bookFlight({
      flightId: best.id,
      passengers: [{ name: "Ana Silva" }],
      maxPriceCents: best.priceCents,
    });
    return {
      booked: true,
      message: `${best.carrier} at ${best.departs} (${booking.status})`,
      id: booking.bookingId,
    };
  },
});
