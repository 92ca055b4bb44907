/**
 * Task: Tell the customer of a ticket who works on it and what we did last. Keep internal notes internal.
 * Verdict: broken — publicHidesInternal()
 * Why: The last comment of an agent may be an internal note, and its text goes into the public reply.
 * Features: filter and at(-1), optional chaining, template strings
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

export default program({
  guarantees: [tickets.publicHidesInternal(), tickets.repliesOncePerTicket(), tickets.neverRefunds()],
  async run({ ticketId }: { ticketId: string }) {
    const ticket = await tickets.getTicket({ id: ticketId });
    if (!ticket) throw new Error(`Ticket ${ticketId} not found`);

    const last = ticket.comments.filter((c) => c.author === "agent").at(-1);
    const worker = ticket.assignee?.name ?? "our team";
    const text = last
      ? `Hello,\n\n${worker} is working on your request. Latest news from ${last.at.slice(0, 10)}: ${last.text}`
      : `Hello,\n\n${worker} is working on your request.`;

    await tickets.reply({ ticketId: ticket.id, text, public: true });
    return text;
  },
});
