/**
 * Task: Remind customers whose pending tickets we have waited on for a week; one reminder per ticket.
 * Verdict: broken — repliesOncePerTicket()
 * Why: Pages may overlap, and duplicates are only removed within one page.
 * Features: recursion over pages, Map dedupe per page, Promise.all, default parameter
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const WEEK = 7 * 24 * 60 * 60 * 1000;

async function remindPage(now: number, page = 1): Promise<number> {
  const { tickets: batch, hasMore } = await tickets.searchTickets({ status: "pending", page });
  const unique = [...new Map(batch.map((t) => [t.id, t])).values()];
  const due = unique.filter((t) => t.status === "pending" && now - Date.parse(t.updatedAt) >= WEEK);

  await Promise.all(
    due.map((t) =>
      tickets.reply({ ticketId: t.id, text: "Hello, do you still need help with this?", public: true }),
    ),
  );
  return due.length + (hasMore && page < 20 ? await remindPage(now, page + 1) : 0);
}

export default program({
  guarantees: [tickets.repliesOncePerTicket(), tickets.neverRefunds(), tickets.neverCloses()],
  async run({ now }: { now: string }) {
    return { reminded: await remindPage(Date.parse(now)) };
  },
});
