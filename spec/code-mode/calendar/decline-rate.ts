/**
 * Task: Do external people decline our meetings more often than colleagues (acme.com)? Give the decline rates. No addresses.
 * Verdict: holds
 * Why: The email is only tested with endsWith; the answer has two counters and two rates.
 * Features: flatMap, reduce with spread, endsWith, toFixed, conditional key
 */
import { program } from "foreclaim";
import * as calendar from "./tools/calendar";

type Tally = { declined: number; total: number };
const rate = ({ declined, total }: Tally) => (total === 0 ? "n/a" : (declined / total).toFixed(2));

export default program({
  guarantees: [calendar.readOnly(), calendar.answerHides("email")],
  async run({ from, to }: { from: string; to: string }) {
    const { events } = await calendar.listEvents({ from, to });

    const tallies = events
      .flatMap((e) => e.attendees)
      .reduce<{ internal: Tally; external: Tally }>(
        (acc, a) => {
          const key = a.email.toLowerCase().endsWith("@acme.com") ? "internal" : "external";
          const old = acc[key];
          return {
            ...acc,
            [key]: { declined: old.declined + (a.status === "declined" ? 1 : 0), total: old.total + 1 },
          };
        },
        { internal: { declined: 0, total: 0 }, external: { declined: 0, total: 0 } },
      );

    return {
      colleagues: { ...tallies.internal, rate: rate(tallies.internal) },
      external: { ...tallies.external, rate: rate(tallies.external) },
    };
  },
});
