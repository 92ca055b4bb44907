/**
 * Task: Apply a discount in percent to all open deals of one contact. No deal may end up negative or above 50,000.
 * Verdict: broken
 * Why: Only the upper bound is enforced; a percent above 100 (or a negative deal amount) gives a negative amount.
 * Features: Math.round, Math.min, includes, for-of, two inputs, reduce
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

const MAX_AMOUNT = 50_000;
const OPEN: crm.Stage[] = ["lead", "qualified", "proposal"];

export default program({
  guarantees: [crm.amountsBetween(0, MAX_AMOUNT), crm.onlyListedDeals()],
  async run({ contactId, percent }: { contactId: string; percent: number }) {
    const { deals } = await crm.listDeals({ contactId });
    const changes: { title: string; before: number; after: number }[] = [];

    for (const deal of deals) {
      if (deal.contactId !== contactId || !OPEN.includes(deal.stage)) continue;
      const discount = Math.round((deal.amount * percent) / 100);
      const after = Math.min(deal.amount - discount, MAX_AMOUNT);
      await crm.updateDeal({ id: deal.id, amount: after });
      changes.push({ title: deal.title, before: deal.amount, after });
    }

    return { changes, saved: changes.reduce((s, c) => s + c.before - c.after, 0) };
  },
});
