/**
 * Task: Send me (me@example.com) a digest of this week's mail about a topic.
 * Verdict: holds
 * Why: There is one send, its address is a constant and the subject is cut to 78 characters.
 * Features: template strings, Date arithmetic, filter/map/join, early return, slice of string, default parameter
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

const ME = "me@example.com";
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

function line(m: mail.Message): string {
  const day = m.receivedAt.slice(0, 10);
  return `- ${day} ${m.from}: ${m.subject || "(no subject)"}`;
}

export default program({
  guarantees: [mail.onlyTo("me@example.com"), mail.atMost(1), mail.subjectMax(78)],
  async run({ topic }: { topic: string }) {
    const { messages } = await mail.search({ query: topic, limit: 100 });
    const since = Date.now() - WEEK_MS;
    const recent = messages.filter((m) => new Date(m.receivedAt).getTime() >= since);

    if (recent.length === 0) {
      return { sent: false, reason: `Nothing about "${topic}" this week.` };
    }

    const body = [`${recent.length} message(s) about ${topic}:`, "", ...recent.map(line)].join("\n");
    await mail.send({ to: ME, subject: `Weekly digest: ${topic}`.slice(0, 78), body });

    return { sent: true, count: recent.length };
  },
});
