/**
 * Task: I want to visit several cities and come home. In which order are the flights cheapest?
 * Verdict: holds
 * Why: Only searchFlights is called; the recursion just compares prices.
 * Features: recursion, memo Map with template key, Infinity, closures, filter to remove an element, inner async function
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

type Plan = { order: string[]; cents: number };

export default program({
  guarantees: [travel.readOnly()],
  async run({ home, cities, date }: { home: string; cities: string[]; date: string }) {
    const cache = new Map<string, number>();

    async function cheapest(from: string, to: string): Promise<number> {
      const key = `${from}>${to}`;
      const known = cache.get(key);
      if (known !== undefined) return known;
      const flights = await travel.searchFlights({ from, to, date });
      const price = flights.length === 0 ? Infinity : Math.min(...flights.map((f) => f.priceCents));
      cache.set(key, price);
      return price;
    }

    async function best(at: string, left: string[]): Promise<Plan> {
      if (left.length === 0) return { order: [home], cents: await cheapest(at, home) };
      let winner: Plan = { order: [], cents: Infinity };
      for (const next of left) {
        const leg = await cheapest(at, next);
        const rest = await best(
          next,
          left.filter((c) => c !== next),
        );
        const cents = leg + rest.cents;
        if (cents < winner.cents) winner = { order: [next, ...rest.order], cents };
      }
      return winner;
    }

    const plan = await best(home, [...new Set(cities)].slice(0, 5));
    if (!Number.isFinite(plan.cents)) return "There is no route that visits all cities.";
    return `${home} → ${plan.order.join(" → ")} for ${(plan.cents / 100).toFixed(2)}`;
  },
});
