/**
 * Task: Pay out the available euro balance to our account ba_main, but keep the given reserve (in cents).
 * Verdict: holds
 * Why: The reserve is at least 0, so the amount is at most the available balance, and amounts ≤ 0 return early.
 * Features: find, optional chaining, nullish coalescing, Math.max, early return, destructuring with default
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

export default program({
  guarantees: [payments.payoutsOnlyTo("ba_main"), payments.payoutsWithinBalance()],
  async run({ reserve = 0 }: { reserve?: number }) {
    const { available, pending } = await payments.getBalance({});
    const eur = available.find((m) => m.currency === "eur")?.amount ?? 0;
    const keep = Math.max(0, Math.ceil(reserve));
    const amount = eur - keep;

    if (amount <= 0) {
      const soon = pending.find((m) => m.currency === "eur")?.amount ?? 0;
      return { paidOut: 0, message: `Only ${eur / 100} EUR available, ${soon / 100} EUR pending.` };
    }

    const { id, arrival } = await payments.payout({ amount, currency: "eur", destination: "ba_main" });
    return { paidOut: amount, id, arrival: arrival.slice(0, 10) };
  },
});
