/**
 * Task: Reply "confirmed" to every colleague (acme.com) who asks about the offsite; leave outsiders alone.
 * Verdict: broken — onlyToDomain("acme.com")
 * Why: `includes("acme.com")` also accepts "eve@acme.com.evil.net".
 * Features: filter, Set dedupe, for-of, template strings
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyToDomain("acme.com"), mail.eachOnce()],
  async run({ date }: { date: string }) {
    const { messages } = await mail.search({ query: "offsite" });
    const colleagues = messages.filter((m) => m.from.includes("acme.com"));

    const replied = new Set<string>();
    for (const m of colleagues) {
      if (replied.has(m.from)) continue;
      replied.add(m.from);
      await mail.send({
        to: m.from,
        subject: m.subject.startsWith("Re:") ? m.subject : `Re: ${m.subject}`,
        body: `Confirmed, I will be there on ${date}.`,
        inReplyTo: m.id,
      });
    }

    return { replied: [...replied], skipped: messages.length - colleagues.length };
  },
});
