/**
 * Task: Give me the conversation of a ticket as text that I can hand to the customer, without our internal notes.
 * Verdict: holds
 * Why: Only comments with public true get into the text.
 * Features: filter on boolean, sort by date, map to lines, nullish answer, join
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const who = { customer: "You", agent: "Support" } as const;

export default program({
  guarantees: [tickets.readOnly(), tickets.answerHides("internal")],
  async run({ id }: { id: string }) {
    const ticket = await tickets.getTicket({ id });
    if (ticket === null) return null;
    const lines = ticket.comments
      .filter((c) => c.public)
      .sort((a, b) => a.at.localeCompare(b.at))
      .map((c) => `[${c.at.slice(0, 16).replace("T", " ")}] ${who[c.author]}: ${c.text}`);
    return [`Ticket ${ticket.id}: ${ticket.subject}`, ticket.body, ...lines].join("\n\n");
  },
});
