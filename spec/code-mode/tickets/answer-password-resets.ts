/**
 * Task: Answer all open tickets about password resets with our instructions and mark them solved.
 * Verdict: holds
 * Why: setStatus "solved" follows an awaited reply on the same ticket in the same iteration, and no status is "closed".
 * Features: regex test, filter, for-of with sequential awaits, multi-line string constant, counter
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const INSTRUCTIONS = `Hello,

you can set a new password on the sign-in page: choose "Forgot password" and follow the link in the mail.

Kind regards
Support`;

export default program({
  guarantees: [tickets.solvedOnlyAfterReply(), tickets.neverCloses(), tickets.neverRefunds()],
  async run() {
    const { tickets: open } = await tickets.searchTickets({ status: "open" });
    const resets = open.filter(
      (t) => t.status === "open" && /password|can(no|')t (log|sign) ?in/i.test(`${t.subject} ${t.body}`),
    );

    let solved = 0;
    for (const t of resets) {
      await tickets.reply({ ticketId: t.id, text: INSTRUCTIONS, public: true });
      await tickets.setStatus({ ticketId: t.id, status: "solved" });
      solved++;
    }
    return `Answered and solved ${solved} of ${open.length} open tickets.`;
  },
});
