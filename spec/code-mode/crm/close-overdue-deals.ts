/**
 * Task: Mark every proposal whose close date passed more than 60 days ago as lost and tell me which ones.
 * Verdict: holds
 * Why: updateDeal is only called with ids of rows from listDeals and always with stage "lost".
 * Features: while pagination, Date, toISOString, string comparison of ISO dates, push, optional field
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

function isoDaysAgo(days: number): string {
  const d = new Date();
  d.setDate(d.getDate() - days);
  return d.toISOString().slice(0, 10);
}

export default program({
  guarantees: [crm.stagesOnly("lost"), crm.onlyListedDeals(), crm.neverDeletes()],
  async run() {
    const cutoff = isoDaysAgo(60);
    const closed: { id: string; title: string; closeDate: string }[] = [];

    let page = await crm.listDeals({ stage: "proposal" });
    while (true) {
      for (const deal of page.deals) {
        if (deal.stage !== "proposal") continue;
        if (!deal.closeDate || deal.closeDate >= cutoff) continue;
        await crm.updateDeal({ id: deal.id, stage: "lost" });
        closed.push({ id: deal.id, title: deal.title, closeDate: deal.closeDate });
      }
      if (!page.nextCursor) break;
      page = await crm.listDeals({ stage: "proposal", cursor: page.nextCursor });
    }

    return { cutoff, count: closed.length, closed };
  },
});
