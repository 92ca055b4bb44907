/**
 * Task: Do external people decline our meetings more often than colleagues (acme.com)? Give the decline rates per company. No addresses.
 * Verdict: broken
 * Why: The domain is computed from the attendee's email, which is a flow of `email` into the answer (and an address without "@" is printed whole).
 * Features: Map, split, at(-1), reduce, sort, toFixed, flatMap
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

export default program({
  guarantees: [calendar.readOnly(), calendar.answerHides("email")],
  async run({ from, to }: { from: string; to: string }) {
    const { events } = await calendar.listEvents({ from, to });
    const byDomain = new Map<string, { declined: number; total: number }>();

    for (const { email, status } of events.flatMap((e) => e.attendees)) {
      const domain = email.split("@").at(-1)!.toLowerCase();
      const row = byDomain.get(domain) ?? { declined: 0, total: 0 };
      row.total++;
      if (status === "declined") row.declined++;
      byDomain.set(domain, row);
    }

    return [...byDomain]
      .map(([domain, { declined, total }]) => ({ domain, total, rate: (declined / total).toFixed(2) }))
      .sort((a, b) => Number(b.rate) - Number(a.rate) || b.total - a.total);
  },
});
