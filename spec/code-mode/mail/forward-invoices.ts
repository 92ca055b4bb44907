/**
 * Task: Forward the newest invoices (mails with a PDF attached) to accounting@example.com, at most five of them.
 * Verdict: holds
 * Why: The loop stops as soon as five have been forwarded, counting before the call, and the address is a constant.
 * Features: sort by date, spread copy, optional chaining, some, regex test, break, counter
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyTo("accounting@example.com"), mail.atMost(5), mail.neverTrashes()],
  async run() {
    const { messages } = await mail.search({ query: "invoice has:attachment" });
    const newestFirst = [...messages].sort((a, b) => Date.parse(b.receivedAt) - Date.parse(a.receivedAt));

    const forwarded: string[] = [];
    for (const m of newestFirst) {
      if (forwarded.length >= 5) break;
      if (!m.hasAttachments) continue;

      const full = await mail.read({ id: m.id });
      const hasPdf =
        full.attachments?.some((a) => /\.pdf$/i.test(a.name) || a.mimeType === "application/pdf") ?? false;
      if (!hasPdf) continue;

      forwarded.push(m.id);
      await mail.send({
        to: "accounting@example.com",
        subject: `Fwd: ${full.subject}`,
        body: `From: ${full.from}\nDate: ${full.receivedAt}\n\n${full.body}`,
      });
    }

    return { forwarded: forwarded.length, ids: forwarded };
  },
});
