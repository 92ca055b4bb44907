/**
 * Task: Book the cheapest nonstop flight for Ana Silva, but pay no more than 400 euros.
 * Verdict: broken — nonstopOnly()
 * Why: Sorting by stops puts nonstop flights first but does not exclude the others, so a flight with a stop is booked when no nonstop exists.
 * Features: sort by two keys, spread, array index, early return
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.nonstopOnly(), travel.atMostFlights(1), travel.maxFlightPrice(40000)],
  async run({ from, to, date }: { from: string; to: string; date: string }) {
    const flights = await travel.searchFlights({ from, to, date, cabin: "economy" });
    const affordable = flights.filter((f) => f.priceCents <= 40000);
    const ranked = [...affordable].sort((a, b) => a.stops - b.stops || a.priceCents - b.priceCents);

    if (ranked.length === 0) return { booked: false, message: "No flight within 400 euros." };

    const best = ranked[0];
    const booking = await travel.bookFlight({
      flightId: best.id,
      passengers: [{ name: "Ana Silva" }],
      maxPriceCents: best.priceCents,
    });
    return { booked: true, message: `${best.carrier} at ${best.departs}`, id: booking.bookingId };
  },
});
