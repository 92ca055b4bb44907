/**
 * Task: Pay out the available euro balance to our account ba_main, but keep the given reserve (in cents).
 * Verdict: broken
 * Why: A negative reserve makes the payout larger than the available balance.
 * Features: find, optional chaining, nullish coalescing, early return, destructuring with default
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

export default program({
  guarantees: [payments.payoutsOnlyTo("ba_main"), payments.payoutsWithinBalance()],
  async run({ reserve = 0 }: { reserve?: number }) {
    const balance = await payments.getBalance({});
    const eur = balance.available.find((m) => m.currency === "eur")?.amount ?? 0;
    const amount = Math.floor(eur - reserve);
    if (amount <= 0) return { paidOut: 0, message: "Not enough balance." };

    const { id, arrival } = await payments.payout({ amount, currency: "eur", destination: "ba_main" });
    return { paidOut: amount, id, arrival };
  },
});
