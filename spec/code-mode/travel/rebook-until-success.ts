/**
 * Task: My flight was cancelled. Book another one today; if a booking fails, try the next, three tries in all.
 * Verdict: holds
 * Why: At most three candidates are tried and each is tried once; each price limit is at most 600 euros.
 * Features: for-of over slice, try/catch in loop, return inside try, error collection, Math.min
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.atMostFlights(3), travel.maxFlightPrice(60000)],
  async run({ from, to, date, name }: { from: string; to: string; date: string; name: string }) {
    const flights = await travel.searchFlights({ from, to, date });
    const candidates = flights
      .filter((f) => f.seatsLeft > 0 && f.priceCents <= 60000)
      .sort((a, b) => Date.parse(a.arrives) - Date.parse(b.arrives))
      .slice(0, 3);

    const errors: string[] = [];
    for (const f of candidates) {
      try {
        const r = await travel.bookFlight({
          flightId: f.id,
          passengers: [{ name }],
          maxPriceCents: Math.min(60000, Math.round(f.priceCents * 1.1)),
        });
        return {
          ok: true,
          flight: `${f.carrier} ${f.departs}`,
          bookingId: r.bookingId,
          tries: errors.length + 1,
        };
      } catch (e) {
        errors.push(`${f.id}: ${(e as Error).message}`);
      }
    }
    return { ok: false, errors };
  },
});
