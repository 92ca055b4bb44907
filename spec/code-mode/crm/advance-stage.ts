/**
 * Task: Move a contact's deals one stage forward (lead to qualified, qualified to proposal). Never mark anything won or lost.
 * Verdict: holds
 * Why: nextStage returns only "qualified", "proposal" or null, and null is skipped.
 * Features: switch, helper function, null check, as const, for-of, string building
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

function nextStage(stage: crm.Stage): "qualified" | "proposal" | null {
  switch (stage) {
    case "lead":
      return "qualified";
    case "qualified":
      return "proposal";
    default:
      return null;
  }
}

export default program({
  guarantees: [crm.stagesOnly("qualified", "proposal"), crm.neverTouchesWon()],
  async run({ contactId }: { contactId: string }) {
    const { deals } = await crm.listDeals({ contactId });
    const seenWon = deals.some((d) => d.stage === "won");
    let report = seenWon ? "Has won deals (left alone).\n" : "";

    for (const deal of deals) {
      if (deal.contactId !== contactId) continue;
      const next = nextStage(deal.stage);
      if (next === null) continue;
      if (deals.some((d) => d.id === deal.id && d.stage === "won")) continue; // listed twice with different stages
      await crm.updateDeal({ id: deal.id, stage: next });
      report += `${deal.title}: ${deal.stage} -> ${next}\n`;
    }
    return report.trim() || "No deals to advance.";
  },
});
