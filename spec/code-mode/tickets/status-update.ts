/**
 * Task: Tell the customer of a ticket who works on it and when we wrote last. Keep internal notes internal.
 * Verdict: holds
 * Why: The text uses the assignee's name and the dates of comments, never the text of an internal comment.
 * Features: optional chaining, findLast-style reverse find, conditional expressions, date formatting
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

export default program({
  guarantees: [tickets.publicHidesInternal(), tickets.repliesOncePerTicket(), tickets.neverRefunds()],
  async run({ ticketId }: { ticketId: string }) {
    const ticket = await tickets.getTicket({ id: ticketId });
    if (!ticket) throw new Error(`Ticket ${ticketId} not found`);

    const lastReply = [...ticket.comments].reverse().find((c) => c.author === "agent" && c.public);
    const worker = ticket.assignee?.name ?? "our team";
    const since = lastReply
      ? `We last wrote to you on ${lastReply.at.slice(0, 10)}.`
      : "We will write to you soon.";
    const text = `Hello,\n\n${worker} is working on "${ticket.subject}". ${since}`;

    await tickets.reply({ ticketId: ticket.id, text, public: true });
    return text;
  },
});
