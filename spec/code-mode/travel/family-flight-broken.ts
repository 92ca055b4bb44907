/**
 * Task: Book economy seats on one flight for the whole family; take the earliest flight that has enough seats.
 * Verdict: broken — onlyEconomy()
 * Why: When the economy search finds nothing, the fallback search has no cabin and its result is booked whatever the cabin is.
 * Features: function with fallback search, let reassignment, sort, map to objects
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

async function findFlights(from: string, to: string, date: string, seats: number) {
  const economy = (await travel.searchFlights({ from, to, date, cabin: "economy" })).filter(
    (f) => f.cabin === "economy",
  );
  let usable = economy.filter((f) => f.seatsLeft >= seats);
  if (usable.length === 0) {
    console.log("No economy seats with the cabin filter, trying again without it");
    usable = (await travel.searchFlights({ from, to, date })).filter((f) => f.seatsLeft >= seats);
  }
  return usable.sort((a, b) => Date.parse(a.departs) - Date.parse(b.departs));
}

export default program({
  guarantees: [travel.onlyEconomy(), travel.atMostFlights(1)],
  async run({ names, from, to, date }: { names: string[]; from: string; to: string; date: string }) {
    const [flight] = await findFlights(from, to, date, names.length);
    if (!flight) return { booked: false, reason: `No flight with ${names.length} seats.` };
    const { bookingId, status } = await travel.bookFlight({
      flightId: flight.id,
      passengers: names.map((name) => ({ name })),
      maxPriceCents: flight.priceCents * names.length,
    });
    return { booked: true, bookingId, status, departs: flight.departs };
  },
});
