/**
 * Task: Work through a list of complaints (customer, charge, requested amount). Refund what is justified: at most 50.00 without asking, more only with approval, 500.00 for the whole run, each charge once and never more than what is left of it. Give me a protocol.
 * Verdict: broken
 * Why: The complaints are handled in parallel, so two complaints about one charge both pass the checks before the first refund is recorded.
 * Features: Promise.all with async callbacks, shared state race, Set, Math.min, string protocol, nested conditions
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

type Complaint = { customerId: string; chargeId: string; amount: number; text?: string };

const FREE_LIMIT = 5_000;
const RUN_LIMIT = 50_000;

export default program({
  guarantees: [
    payments.refundTotalAtMost(50_000),
    payments.refundOnceEach(),
    payments.refundsWithinCharge(),
    payments.approvedAbove(5_000),
  ],
  async run({ complaints }: { complaints: Complaint[] }) {
    const refunded = new Set<string>();
    let spent = 0;

    const protocol = await Promise.all(
      complaints.map(async ({ customerId, chargeId, amount: wanted }) => {
        const charges = await payments.listCharges({ customerId });
        const charge = charges.find((c) => c.id === chargeId && c.customerId === customerId);
        if (!charge || charge.status !== "succeeded") return `${chargeId}: no such payment`;
        if (refunded.has(chargeId)) return `${chargeId}: already handled`;

        const amount = Math.min(Math.floor(wanted), charge.amount - charge.refunded, RUN_LIMIT - spent);
        if (amount <= 0) return `${chargeId}: nothing left to refund`;
        if (amount > FREE_LIMIT) {
          const yes = await payments.approve({ question: `Refund ${amount / 100} for ${chargeId}?`, amount });
          if (!yes) return `${chargeId}: not approved`;
        }

        const { status } = await payments.refund({ chargeId, amount, reason: "requested" });
        refunded.add(chargeId);
        spent += amount;
        return `${chargeId}: ${status}, ${(amount / 100).toFixed(2)}`;
      }),
    );
    return protocol.join("\n");
  },
});
