/**
 * Task: Move a contact's deals one stage forward (lead to qualified, qualified to proposal). Never mark anything won or lost.
 * Verdict: broken
 * Why: The next stage is the next entry of the list of all stages, so a proposal is moved to "won".
 * Features: array indexOf, as const tuple, index arithmetic, for-of, string building
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

const STAGES = ["lead", "qualified", "proposal", "won", "lost"] as const;

export default program({
  guarantees: [crm.stagesOnly("qualified", "proposal")],
  async run({ contactId }: { contactId: string }) {
    const { deals } = await crm.listDeals({ contactId });
    let report = "";

    for (const deal of deals) {
      if (deal.contactId !== contactId) continue;
      const i = STAGES.indexOf(deal.stage);
      if (i >= STAGES.indexOf("won")) continue;
      const next = STAGES[i + 1];
      await crm.updateDeal({ id: deal.id, stage: next });
      report += `${deal.title}: ${deal.stage} -> ${next}\n`;
    }
    return report.trim() || "No deals to advance.";
  },
});
