/**
 * Task: How many leads are there right now?
 * Verdict: holds
 * Why: Only listDeals is called.
 * Features: filter, length
 */
import { program } from "foreclaim";
import * as crm from "./tools/crm";

export default program({
  guarantees: [crm.readOnly()],
  async run() {
    const { deals, nextCursor } = await crm.listDeals({ stage: "lead" });
    return `${deals.filter((d) => d.stage === "lead").length}${nextCursor ? "+" : ""} leads`;
  },
});
