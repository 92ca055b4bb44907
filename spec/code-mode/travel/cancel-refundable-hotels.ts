/**
 * Task: My plans changed: cancel all my confirmed hotel bookings that are still refundable today.
 * Verdict: holds
 * Why: Only bookings of kind "hotel" with a string refundableUntil reach cancelBooking, each id once.
 * Features: continue guards, typeof string narrowing, Set of seen ids, date comparison, running total
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.cancelsOnly("hotel"), travel.cancelsOnlyRefundable(), travel.cancelsEachOnce()],
  async run({ now }: { now: string }) {
    const bookings = await travel.listBookings({ status: "confirmed" });
    const seen = new Set<string>();
    let refundedCents = 0;

    for (const b of bookings) {
      if (b.kind !== "hotel" || b.status !== "confirmed") continue;
      if (typeof b.refundableUntil !== "string") continue;
      if (new Date(b.refundableUntil) < new Date(now)) continue;
      if (seen.has(b.id)) continue;
      seen.add(b.id);

      const result = await travel.cancelBooking({ bookingId: b.id });
      refundedCents += result.refundedCents;
    }

    return { cancelled: [...seen], refunded: `${(refundedCents / 100).toFixed(2)} EUR` };
  },
});
