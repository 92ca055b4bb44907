/**
 * Task: I'm away until a given date. Tell everyone who wrote today once, but not more than 20 people.
 * Verdict: broken — eachOnce()
 * Why: The callbacks run in parallel and mark an address only after the await, so two messages of one sender both pass the check.
 * Features: Promise.all with async callbacks, Set, race after await, slice
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.eachOnce(), mail.atMost(20)],
  async run({ until, today }: { until: string; today: string }) {
    const { messages } = await mail.search({ query: `after:${today}` });
    const notified = new Set<string>();

    await Promise.all(
      messages.slice(0, 20).map(async (m) => {
        if (notified.has(m.from) || /no-?reply/i.test(m.from)) return;
        await mail.send({
          to: m.from,
          subject: "Out of office",
          body: `Thanks for your message. I am away until ${until} and will answer then.`,
        });
        notified.add(m.from);
      }),
    );

    return { notified: notified.size };
  },
});
