/**
 * Task: Forward the newest invoices (mails with a PDF attached) to accounting@example.com, at most five of them.
 * Verdict: broken — atMost(5)
 * Why: The limit test is off by one, so a sixth invoice is still forwarded.
 * Features: sort by date, optional chaining, some, regex test, break, counter
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

const MAX_FORWARDS = 5;

export default program({
  guarantees: [mail.onlyTo("accounting@example.com"), mail.atMost(5), mail.neverTrashes()],
  async run() {
    const { messages } = await mail.search({ query: "invoice has:attachment" });
    messages.sort((a, b) => b.receivedAt.localeCompare(a.receivedAt));

    let count = 0;
    for (const m of messages) {
      if (!m.hasAttachments) continue;
      const full = await mail.read({ id: m.id });
      if (!full.attachments?.some((a) => a.name.toLowerCase().endsWith(".pdf"))) continue;

      count++;
      if (count > MAX_FORWARDS + 1) break;
      await mail.send({
        to: "accounting@example.com",
        subject: `Fwd: ${full.subject}`,
        body: `From: ${full.from}\nDate: ${full.receivedAt}\n\n${full.body}`,
      });
    }

    return { forwarded: Math.min(count, MAX_FORWARDS) };
  },
});
