/**
 * Task: Find the tracking number of my latest order from a shop and send it to bob@example.com.
 * Verdict: holds
 * Why: The recipient is a constant and there is at most one send after the search loop.
 * Features: matchAll with spread, optional chaining with at(-1), labeled break, let with undefined, early return
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

const BOB = "bob@example.com";

export default program({
  guarantees: [mail.onlyTo("bob@example.com"), mail.atMost(1)],
  async run({ shop }: { shop: string }) {
    const { messages } = await mail.search({ query: `${shop} shipped`, limit: 20 });
    let tracking: string | undefined;

    outer: for (const m of messages) {
      const { body } = await mail.read({ id: m.id });
      for (const paragraph of body.split(/\n{2,}/)) {
        if (!/track/i.test(paragraph)) continue;
        tracking = [...paragraph.matchAll(/\b[A-Z]{2}\d{9}[A-Z]{2}\b/g)].at(-1)?.[0];
        if (tracking) break outer;
      }
    }

    if (!tracking) return "I found no tracking number.";

    await mail.send({
      to: BOB,
      subject: `Your parcel from ${shop}`,
      body: `The tracking number is ${tracking}.`,
    });
    return `Sent ${tracking} to Bob.`;
  },
});
