/**
 * Task: How many open tickets do we have per priority, and how many of them have no assignee?
 * Verdict: holds
 * Why: Only searchTickets is called.
 * Features: while loop with page counter, Record initialised for a union, counters, destructuring
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

export default program({
  guarantees: [tickets.readOnly()],
  async run() {
    const byPriority: Record<tickets.Priority, number> = { urgent: 0, high: 0, normal: 0, low: 0 };
    let unassigned = 0;
    let page = 1;
    let hasMore = true;

    while (hasMore && page <= 50) {
      const result = await tickets.searchTickets({ status: "open", page });
      for (const { status, priority, assignee } of result.tickets) {
        if (status !== "open") continue;
        byPriority[priority]++;
        if (assignee === null) unassigned++;
      }
      hasMore = result.hasMore;
      page++;
    }

    return { ...byPriority, unassigned };
  },
});
