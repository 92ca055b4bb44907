/**
 * Task: Label the unread mail: "urgent", "billing" or "later", depending on what it is about.
 * Verdict: holds
 * Why: classify returns one of three literals, and no mail is sent.
 * Features: union type of literals, helper function, Record tally, Promise.all with map, regex tests, switch
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

type Bucket = "urgent" | "billing" | "later";

function classify(subject: string, body: string): Bucket {
  const text = `${subject}\n${body}`.toLowerCase();
  if (/\b(asap|urgent|outage|immediately)\b/.test(text)) return "urgent";
  if (/\b(invoice|payment|receipt|refund)\b/.test(text)) return "billing";
  return "later";
}

export default program({
  guarantees: [mail.labelsOnly("urgent", "billing", "later"), mail.neverSends(), mail.neverTrashes()],
  async run() {
    const { messages } = await mail.search({ query: "is:unread", label: "unread", limit: 50 });
    const full = await Promise.all(messages.map((m) => mail.read({ id: m.id })));

    const tally: Record<Bucket, number> = { urgent: 0, billing: 0, later: 0 };
    await Promise.all(
      full.map(async (m) => {
        const bucket = classify(m.subject, m.body);
        tally[bucket] += 1;
        await mail.addLabel({ id: m.id, label: bucket });
      }),
    );

    return { labelled: full.length, ...tally };
  },
});
