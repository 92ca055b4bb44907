/**
 * Task: What's the cheapest flight between two airports over the next seven days?
 * Verdict: holds
 * Why: Only searchFlights is called.
 * Features: Date arithmetic, Array.from with map function, Promise.all, flat, reduce without start on a checked list
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

const addDays = (iso: string, days: number) => {
  const d = new Date(iso);
  d.setUTCDate(d.getUTCDate() + days);
  return d.toISOString().slice(0, 10);
};

export default program({
  guarantees: [travel.readOnly()],
  async run({ from, to, startDate }: { from: string; to: string; startDate: string }) {
    const dates = Array.from({ length: 7 }, (_, i) => addDays(startDate, i));
    const perDay = await Promise.all(dates.map((date) => travel.searchFlights({ from, to, date })));
    const flights = perDay.flat().filter((f) => f.seatsLeft > 0);

    if (!flights.length) return { found: false as const };

    const best = flights.reduce((a, b) => (b.priceCents < a.priceCents ? b : a));
    return {
      found: true as const,
      carrier: best.carrier,
      departs: best.departs,
      price: (best.priceCents / 100).toFixed(2),
      stops: best.stops,
    };
  },
});
