/**
 * Task: Book a trip of several flight legs within 3000 euros. If a leg cannot be booked, cancel the legs already booked.
 * Verdict: broken — budget(300000)
 * Why: What is left is reduced by the listed price, but up to all that is left may be charged, so the sum can pass the budget.
 * Features: interface for legs, try/catch, Promise.allSettled, discriminated union, helper functions, numeric separators
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

interface Leg {
  from: string;
  to: string;
  date: string;
}

type Booked = { leg: Leg; bookingId: string; priceCents: number; chargedCents: number; carrier: string };
type LegResult = { ok: true; booked: Booked } | { ok: false; reason: string };

const BUDGET_CENTS = 300_000;
const euros = (cents: number) => `${(cents / 100).toFixed(2)} EUR`;

function score(f: travel.Flight): number {
  const hours = (Date.parse(f.arrives) - Date.parse(f.departs)) / 3_600_000;
  return f.priceCents + 2_000 * f.stops + 500 * hours;
}

async function bookLeg(leg: Leg, traveller: string, leftCents: number): Promise<LegResult> {
  const flights = await travel.searchFlights({ ...leg, cabin: "economy" });
  const affordable = flights
    .filter((f) => f.seatsLeft > 0 && f.priceCents <= leftCents)
    .sort((a, b) => score(a) - score(b));
  if (affordable.length === 0) {
    return { ok: false, reason: `no flight from ${leg.from} to ${leg.to} for ${euros(leftCents)}` };
  }
  const [flight] = affordable;
  try {
    const { bookingId, chargedCents } = await travel.bookFlight({
      flightId: flight.id,
      passengers: [{ name: traveller }],
      maxPriceCents: leftCents,
    });
    return {
      ok: true,
      booked: { leg, bookingId, priceCents: flight.priceCents, chargedCents, carrier: flight.carrier },
    };
  } catch (e) {
    return { ok: false, reason: e instanceof Error ? e.message : "booking failed" };
  }
}

export default program({
  guarantees: [travel.budget(300000), travel.cancelsEachOnce(), travel.atMostHotels(0)],
  async run({ legs, traveller }: { legs: Leg[]; traveller: string }) {
    const trip: Booked[] = [];
    let left = BUDGET_CENTS;

    for (const leg of legs) {
      const result = await bookLeg(leg, traveller, left);
      if (result.ok) {
        trip.push(result.booked);
        left -= result.booked.priceCents;
        continue;
      }

      console.log(`Leg ${leg.from}-${leg.to} failed (${result.reason}), undoing ${trip.length} booking(s).`);
      const ids = new Set(trip.map((b) => b.bookingId));
      const undone = await Promise.allSettled(
        [...ids].map((bookingId) => travel.cancelBooking({ bookingId })),
      );
      const stuck = [...ids].filter((_, i) => undone[i].status === "rejected");
      return { booked: false, reason: result.reason, stillBooked: stuck };
    }

    return {
      booked: true,
      cost: euros(BUDGET_CENTS - left),
      legs: trip.map(
        ({ leg, bookingId, carrier, chargedCents }) =>
          `${leg.from} → ${leg.to}: ${carrier} ${bookingId}, ${euros(chargedCents)}`,
      ),
    };
  },
});
