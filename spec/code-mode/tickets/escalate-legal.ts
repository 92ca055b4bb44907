/**
 * Task: Escalate tickets that mention a lawyer, a lawsuit or GDPR to the legal team.
 * Verdict: holds
 * Why: Every escalate has the literal team "legal" and no money is moved.
 * Features: array of regexes, find of the first match, Promise.all, map, slice of text
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const SIGNS = [/\blawyer|attorney\b/i, /\blaw ?suit\b/i, /\bgdpr\b/i];

export default program({
  guarantees: [tickets.escalatesOnlyTo("legal"), tickets.neverRefunds(), tickets.neverCloses()],
  async run() {
    const { tickets: open } = await tickets.searchTickets({ status: "open" });
    const hits = open
      .map((t) => ({ ticket: t, sign: SIGNS.find((re) => re.test(t.body))?.exec(t.body)?.[0] }))
      .filter((h) => h.sign !== undefined);

    const cases = await Promise.all(
      hits.map(({ ticket, sign }) =>
        tickets.escalate({
          ticketId: ticket.id,
          team: "legal",
          note: `Mentions "${sign}": ${ticket.body.slice(0, 200)}`,
        }),
      ),
    );
    return cases.map(({ caseId }, i) => ({ ticket: hits[i].ticket.id, caseId }));
  },
});
