/**
 * Task: Give me the open pipeline: number of deals and total amount per stage, in EUR only.
 * Verdict: holds
 * Why: The only tool called is listDeals.
 * Features: do-while pagination, cursor, reduce, Record type, destructuring, continue
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

type Row = { count: number; total: number };

export default program({
  guarantees: [crm.readOnly()],
  async run() {
    const summary: Record<string, Row> = {
      lead: { count: 0, total: 0 },
      qualified: { count: 0, total: 0 },
      proposal: { count: 0, total: 0 },
    };

    let cursor: string | undefined;
    do {
      const { deals, nextCursor } = await crm.listDeals({ cursor });
      for (const deal of deals) {
        if (deal.currency !== "EUR") continue;
        const row = summary[deal.stage];
        if (!row) continue; // won or lost
        row.count += 1;
        row.total += deal.amount;
      }
      cursor = nextCursor;
    } while (cursor);

    const grandTotal = Object.values(summary).reduce((sum, r) => sum + r.total, 0);
    return { currency: "EUR", stages: summary, grandTotal };
  },
});
