/**
 * Task: Reply "confirmed" to every colleague (acme.com) who asks about the offsite; leave outsiders alone.
 * Verdict: holds
 * Why: A reply goes only to a sender whose address ends with "@acme.com" and there is no cc.
 * Features: Set dedupe, for-of, template strings, object shorthand
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

const DOMAIN = "acme.com";
const isColleague = (address: string) => address.endsWith(`@${DOMAIN}`);

export default program({
  guarantees: [mail.onlyToDomain("acme.com"), mail.eachOnce()],
  async run({ date }: { date: string }) {
    const { messages } = await mail.search({ query: "offsite" });
    const replied = new Set<string>();
    const skipped: string[] = [];

    for (const { id, from, subject } of messages) {
      if (!isColleague(from)) {
        skipped.push(from);
        continue;
      }
      if (replied.has(from)) continue;
      replied.add(from);
      await mail.send({
        to: from,
        subject: subject.startsWith("Re:") ? subject : `Re: ${subject}`,
        body: `Confirmed, I will be there on ${date}.`,
        inReplyTo: id,
      });
    }

    return { replied: [...replied], skipped };
  },
});
