/**
 * Task: Escalate tickets that mention a lawyer, a lawsuit or GDPR to the legal team.
 * Verdict: broken — escalatesOnlyTo("legal")
 * Why: A legal ticket that also carries the tag "invoice" is routed to billing by the switch.
 * Features: switch(true), helper with union return type, for-of, regex
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

function teamFor(t: tickets.Ticket): "billing" | "legal" | "engineering" {
  switch (true) {
    case t.tags.includes("invoice"):
      return "billing";
    case t.tags.includes("bug"):
      return "engineering";
    default:
      return "legal";
  }
}

export default program({
  guarantees: [tickets.escalatesOnlyTo("legal"), tickets.neverRefunds(), tickets.neverCloses()],
  async run() {
    const { tickets: open } = await tickets.searchTickets({ status: "open" });
    const result: { ticket: string; caseId: string }[] = [];
    for (const t of open) {
      if (!/\b(lawyer|attorney|law ?suit|gdpr)\b/i.test(t.body)) continue;
      const { caseId } = await tickets.escalate({ ticketId: t.id, team: teamFor(t), note: t.subject });
      result.push({ ticket: t.id, caseId });
    }
    return result;
  },
});
