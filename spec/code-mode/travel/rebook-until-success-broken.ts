/**
 * Task: My flight was cancelled. Book another one today; if a booking fails, try the next, three tries in all.
 * Verdict: broken — atMostFlights(3)
 * Why: Each of three candidates is retried, so up to six bookings are attempted.
 * Features: nested retry loop, try/catch, labeled loop, early return
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

const RETRIES = 2;

export default program({
  guarantees: [travel.atMostFlights(3), travel.maxFlightPrice(60000)],
  async run({ from, to, date, name }: { from: string; to: string; date: string; name: string }) {
    const flights = await travel.searchFlights({ from, to, date });
    const candidates = flights
      .filter((f) => f.seatsLeft > 0 && f.priceCents <= 60000)
      .sort((a, b) => Date.parse(a.arrives) - Date.parse(b.arrives))
      .slice(0, 3);

    for (const f of candidates) {
      for (let attempt = 1; attempt <= RETRIES; attempt++) {
        try {
          const r = await travel.bookFlight({
            flightId: f.id,
            passengers: [{ name }],
            maxPriceCents: f.priceCents,
          });
          return { ok: true, flight: `${f.carrier} ${f.departs}`, bookingId: r.bookingId };
        } catch (e) {
          console.log(`attempt ${attempt} for ${f.id} failed`, e);
        }
      }
    }
    return { ok: false };
  },
});
