/**
 * Task: What do my confirmed bookings cost in total, in a currency of my choice?
 * Verdict: holds
 * Why: Only listBookings and exchangeRates are called.
 * Features: JSON.parse as Record, Promise.all tuple, try/catch around parse, throw Error
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.readOnly()],
  async run({ currency }: { currency: string }) {
    const [bookings, ratesText] = await Promise.all([
      travel.listBookings({ status: "confirmed" }),
      travel.exchangeRates({ base: "EUR" }),
    ]);

    let rates: Record<string, number>;
    try {
      rates = JSON.parse(ratesText) as Record<string, number>;
    } catch {
      throw new Error("The exchange rates are not valid JSON.");
    }

    const rate = rates[currency.toUpperCase()];
    if (!rate) return { error: `Unknown currency ${currency}` };

    let total = 0;
    for (const b of bookings) total += b.priceCents;
    return {
      currency: currency.toUpperCase(),
      total: Math.round(total * rate) / 100,
      bookings: bookings.length,
    };
  },
});
