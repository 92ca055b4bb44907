/**
 * Task: Give me the conversation of a ticket as text that I can hand to the customer, without our internal notes.
 * Verdict: broken — answerHides("internal")
 * Why: Notes are recognised by a text marker instead of the public flag, so an internal note without the marker is shown.
 * Features: startsWith filter, forEach, string accumulation with +=, early return
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

export default program({
  guarantees: [tickets.readOnly(), tickets.answerHides("internal")],
  async run({ id }: { id: string }) {
    const ticket = await tickets.getTicket({ id });
    if (!ticket) return "";
    let text = `Ticket ${ticket.id}: ${ticket.subject}\n\n${ticket.body}\n`;
    ticket.comments.forEach((c) => {
      if (c.author === "agent" && c.text.toLowerCase().startsWith("internal:")) return;
      text += `\n[${c.at}] ${c.author === "agent" ? "Support" : "You"}: ${c.text}\n`;
    });
    return text;
  },
});
