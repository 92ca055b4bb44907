/**
 * Task: Mark every proposal whose close date passed more than 60 days ago as lost and tell me which ones.
 * Verdict: broken
 * Why: "Superseded" deal ids are taken from the free text of the title and updated although listDeals may never have returned them.
 * Features: while pagination, regex matchAll, Date, string comparison of ISO dates, nested loop
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
    const closed: string[] = [];

    let page = await crm.listDeals({ stage: "proposal" });
    while (true) {
      for (const deal of page.deals) {
        if (deal.stage !== "proposal") continue;
        if (!deal.closeDate || deal.closeDate >= cutoff) continue;
        await crm.updateDeal({ id: deal.id, stage: "lost" });
        closed.push(deal.id);

        // titles look like "Renewal (replaces D-1042)": close the replaced deal as well
        for (const m of deal.title.matchAll(/replaces (D-\d+)/g)) {
          await crm.updateDeal({ id: m[1], stage: "lost" });
          closed.push(m[1]);
        }
      }
      if (!page.nextCursor) break;
      page = await crm.listDeals({ stage: "proposal", cursor: page.nextCursor });
    }

    return { cutoff, count: closed.length, closed };
  },
});
