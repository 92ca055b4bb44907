/**
 * Task: Apply a discount in percent to all open deals of one contact. No deal may end up negative or above 50,000.
 * Verdict: holds
 * Why: The new amount is clamped to 0..50000 before the only updateDeal that sets an amount.
 * Features: helper function, Math.round, Math.min, Math.max, includes, for-of, two inputs
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

const MAX_AMOUNT = 50_000;
const OPEN: crm.Stage[] = ["lead", "qualified", "proposal"];

const clamp = (x: number, lo: number, hi: number) => Math.min(Math.max(x, lo), hi);

export default program({
  guarantees: [crm.amountsBetween(0, MAX_AMOUNT), crm.onlyListedDeals()],
  async run({ contactId, percent }: { contactId: string; percent: number }) {
    const { deals } = await crm.listDeals({ contactId });
    const changes: { title: string; before: number; after: number }[] = [];

    for (const deal of deals) {
      if (deal.contactId !== contactId || !OPEN.includes(deal.stage)) continue;
      const after = clamp(Math.round(deal.amount * (1 - percent / 100)), 0, MAX_AMOUNT);
      if (after === deal.amount) continue;
      await crm.updateDeal({ id: deal.id, amount: after });
      changes.push({ title: deal.title, before: deal.amount, after });
    }

    return { changes, saved: changes.reduce((s, c) => s + c.before - c.after, 0) };
  },
});
