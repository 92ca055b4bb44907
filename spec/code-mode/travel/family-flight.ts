/**
 * Task: Book economy seats on one flight for the whole family; take the earliest flight that has enough seats.
 * Verdict: holds
 * Why: pick returns only a flight whose cabin is "economy", and book is called once.
 * Features: class with constructor property, private method, method returning undefined, map to objects, getter
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

class FamilyTrip {
  private flights: travel.Flight[] = [];

  constructor(private readonly names: string[]) {}

  get size(): number {
    return this.names.length;
  }

  async load(from: string, to: string, date: string): Promise<void> {
    this.flights = await travel.searchFlights({ from, to, date, cabin: "economy" });
  }

  pick(): travel.Flight | undefined {
    return this.flights
      .filter((f) => f.cabin === "economy" && f.seatsLeft >= this.size)
      .sort((a, b) => Date.parse(a.departs) - Date.parse(b.departs))[0];
  }

  async book(flight: travel.Flight) {
    return travel.bookFlight({
      flightId: flight.id,
      passengers: this.names.map((name) => ({ name })),
      maxPriceCents: flight.priceCents * this.size,
    });
  }
}

export default program({
  guarantees: [travel.onlyEconomy(), travel.atMostFlights(1)],
  async run({ names, from, to, date }: { names: string[]; from: string; to: string; date: string }) {
    const trip = new FamilyTrip(names);
    await trip.load(from, to, date);
    const flight = trip.pick();
    if (!flight) return { booked: false, reason: `No economy flight with ${trip.size} seats.` };
    const { bookingId, status } = await trip.book(flight);
    return { booked: true, bookingId, status, departs: flight.departs };
  },
});
