/**
 * Task: Anna is leaving. Move all her deals to the new owner, but leave won deals alone.
 * Verdict: holds
 * Why: A page's won ids are collected before any update from that page, and each id is updated right after the only most recent listing that contains it.
 * Features: pagination generator function, async generator, for await, Set, input with default
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

async function* pages(ownerId: string): AsyncGenerator<crm.Deal[]> {
  let cursor: string | undefined;
  for (let i = 0; i < 100; i++) {
    const res: { deals: crm.Deal[]; nextCursor?: string } = await crm.listDeals({ ownerId, cursor });
    yield res.deals;
    if (!res.nextCursor) return;
    cursor = res.nextCursor;
  }
}

export default program({
  guarantees: [crm.neverTouchesWon(), crm.onlyListedDeals()],
  async run({ from = "anna", to }: { from?: string; to: string }) {
    let moved = 0;
    let won = 0;
    for await (const deals of pages(from)) {
      const wonIds = new Set(deals.filter((d) => d.stage === "won").map((d) => d.id));
      won += wonIds.size;
      for (const deal of deals) {
        if (deal.ownerId !== from || wonIds.has(deal.id)) continue;
        await crm.updateDeal({ id: deal.id, ownerId: to });
        moved++;
      }
    }
    console.log(`moved ${moved} deals from ${from} to ${to}`);
    return { moved, leftAlone: won };
  },
});
