/**
 * Task: Answer all open tickets about password resets with our instructions and mark them solved.
 * Verdict: broken — solvedOnlyAfterReply()
 * Why: Reply and status change of a ticket are started together, so the ticket is marked solved before the reply has gone out.
 * Features: Promise.all of nested arrays, flatMap, filter, regex test
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const INSTRUCTIONS = `Hello,

you can set a new password on the sign-in page: choose "Forgot password" and follow the link in the mail.`;

export default program({
  guarantees: [tickets.solvedOnlyAfterReply(), tickets.neverCloses(), tickets.neverRefunds()],
  async run() {
    const { tickets: open } = await tickets.searchTickets({ status: "open" });
    const resets = open.filter((t) => /password|can(no|')t (log|sign) ?in/i.test(`${t.subject} ${t.body}`));

    await Promise.all(
      resets.flatMap((t) => [
        tickets.reply({ ticketId: t.id, text: INSTRUCTIONS, public: true }),
        tickets.setStatus({ ticketId: t.id, status: "solved" }),
      ]),
    );
    return `Answered and solved ${resets.length} of ${open.length} open tickets.`;
  },
});
