/**
 * Task: My plans changed: cancel all my confirmed hotel bookings that are still refundable today.
 * Verdict: broken — cancelsOnlyRefundable()
 * Why: A null refundableUntil passes the `!== undefined` check and is not counted as expired, so that booking is cancelled.
 * Features: filter, non-null assertion, Set dedupe, Promise.all, reduce
 */
import { program } from "foreclaim";
import * as travel from "./tools/travel";

export default program({
  guarantees: [travel.cancelsOnly("hotel"), travel.cancelsOnlyRefundable(), travel.cancelsEachOnce()],
  async run({ now }: { now: string }) {
    const bookings = await travel.listBookings({ status: "confirmed" });
    const hotels = bookings.filter((b) => b.kind === "hotel" && b.refundableUntil !== undefined);
    const expired = hotels.filter((b) => b.refundableUntil && b.refundableUntil < now);
    const ids = [...new Set(hotels.filter((b) => !expired.includes(b)).map((b) => b.id))];

    const results = await Promise.all(ids.map((bookingId) => travel.cancelBooking({ bookingId })));
    const refundedCents = results.reduce((sum, r) => sum + r.refundedCents, 0);
    return { cancelled: ids, refunded: `${(refundedCents / 100).toFixed(2)} EUR` };
  },
});
