/**
 * Task: Remind customers whose pending tickets we have waited on for a week; one reminder per ticket.
 * Verdict: holds
 * Why: A Set across all pages keeps every ticket id from being answered twice.
 * Features: do-while pagination, Set across pages, Date arithmetic, last comment check with at(-1), try/catch
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const WEEK = 7 * 24 * 60 * 60 * 1000;

export default program({
  guarantees: [tickets.repliesOncePerTicket(), tickets.neverRefunds(), tickets.neverCloses()],
  async run({ now }: { now: string }) {
    const reminded = new Set<string>();
    let failures = 0;
    let page = 0;
    let more: boolean;

    do {
      page += 1;
      const { tickets: batch, hasMore } = await tickets.searchTickets({ status: "pending", page });
      for (const t of batch) {
        if (t.status !== "pending" || reminded.has(t.id)) continue;
        if (Date.parse(now) - Date.parse(t.updatedAt) < WEEK) continue;
        if (t.comments.at(-1)?.author === "customer") continue;
        reminded.add(t.id);
        try {
          await tickets.reply({
            ticketId: t.id,
            text: "Hello, do you still need help with this? Please answer so that we can continue.",
            public: true,
          });
        } catch {
          failures++;
        }
      }
      more = hasMore;
    } while (more && page < 20);

    return { reminded: reminded.size - failures, failures };
  },
});
