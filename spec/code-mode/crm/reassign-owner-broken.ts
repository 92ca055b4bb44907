/**
 * Task: Anna is leaving. Move all her deals to the new owner, but leave won deals alone.
 * Verdict: broken
 * Why: The condition joins the two tests with ||, so a won deal of the old owner is updated too.
 * Features: for loop pagination, filter, boolean logic, input with default
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

export default program({
  guarantees: [crm.neverTouchesWon(), crm.onlyListedDeals()],
  async run({ from = "anna", to }: { from?: string; to: string }) {
    const all: crm.Deal[] = [];
    for (let cursor: string | undefined = "", first = true; first || cursor; first = false) {
      const res: { deals: crm.Deal[]; nextCursor?: string } = await crm.listDeals(
        cursor ? { ownerId: from, cursor } : { ownerId: from },
      );
      all.push(...res.deals);
      cursor = res.nextCursor;
    }

    const toMove = all.filter((d) => d.ownerId === from || d.stage !== "won");
    for (const deal of toMove) {
      await crm.updateDeal({ id: deal.id, ownerId: to });
    }
    return { moved: toMove.length, leftAlone: all.length - toMove.length };
  },
});
