/**
 * Task: Label the unread mail: "urgent", "billing" or "later", depending on what it is about.
 * Verdict: broken — labelsOnly("urgent", "billing", "later")
 * Why: A "Category:" line in the untrusted body becomes the label.
 * Features: regex capture, fallback chain, Promise.all with map, type assertion
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

type Bucket = "urgent" | "billing" | "later";

function classify(subject: string, body: string): Bucket {
  // Some senders already tell us the category.
  const hinted = body.match(/^category:\s*(\w+)/im)?.[1];
  if (hinted) return hinted.toLowerCase() as Bucket;

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
    await Promise.all(full.map((m) => mail.addLabel({ id: m.id, label: classify(m.subject, m.body) })));
    return { labelled: full.length };
  },
});
