/**
 * Task: I'm away until a given date. Tell everyone who wrote today once, but not more than 20 people.
 * Verdict: holds
 * Why: The recipients are a Set of distinct addresses cut to 20, so no address repeats and at most 20 mails go out.
 * Features: Set, Array.from, slice, Promise.allSettled, filter on status, template string
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.eachOnce(), mail.atMost(20)],
  async run({ until, today }: { until: string; today: string }) {
    const { messages } = await mail.search({ query: `after:${today}` });
    const senders = Array.from(new Set(messages.map((m) => m.from)))
      .filter((address) => !/no-?reply/i.test(address))
      .slice(0, 20);

    const results = await Promise.allSettled(
      senders.map((to) =>
        mail.send({
          to,
          subject: "Out of office",
          body: `Thanks for your message. I am away until ${until} and will answer then.`,
        }),
      ),
    );

    const failed = senders.filter((_, i) => results[i].status === "rejected");
    return { notified: senders.length - failed.length, failed };
  },
});
