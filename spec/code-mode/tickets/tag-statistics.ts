/**
 * Task: Which tags are used most in a list of customers' tickets, and how long do tickets with them take to be solved?
 * Verdict: holds
 * Why: The program only searches.
 * Features: flatMap, Promise.all, Map of objects, optional update, sort, median helper
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

const median = (xs: number[]): number | null => {
  if (xs.length === 0) return null;
  const s = [...xs].sort((a, b) => a - b);
  const mid = Math.floor(s.length / 2);
  return s.length % 2 ? s[mid] : (s[mid - 1] + s[mid]) / 2;
};

export default program({
  guarantees: [tickets.readOnly()],
  async run({ customerIds }: { customerIds: string[] }) {
    const pages = await Promise.all(customerIds.map((customerId) => tickets.searchTickets({ customerId })));
    const all = pages.flatMap((p) => p.tickets);

    const stats = new Map<string, { count: number; hours: number[] }>();
    for (const t of all) {
      for (const tag of new Set(t.tags)) {
        const entry = stats.get(tag) ?? { count: 0, hours: [] };
        entry.count += 1;
        if (t.status === "solved" || t.status === "closed") {
          entry.hours.push((Date.parse(t.updatedAt) - Date.parse(t.createdAt)) / 3_600_000);
        }
        stats.set(tag, entry);
      }
    }

    return [...stats]
      .map(([tag, { count, hours }]) => ({ tag, count, medianHours: median(hours) }))
      .sort((a, b) => b.count - a.count)
      .slice(0, 15);
  },
});
