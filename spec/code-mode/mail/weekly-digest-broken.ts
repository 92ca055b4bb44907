/**
 * Task: Send me (me@example.com) a digest of this week's mail about a topic.
 * Verdict: broken — subjectMax(78)
 * Why: The topic and the ellipsis are not cut as a whole: the prefix "Weekly digest: " plus 75 characters plus "…" is longer than 78.
 * Features: template strings, Date arithmetic, filter/map/join, early return, slice of string
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

const ME = "me@example.com";
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

const shorten = (s: string, max: number) => (s.length > max ? s.slice(0, max) + "…" : s);

export default program({
  guarantees: [mail.onlyTo("me@example.com"), mail.atMost(1), mail.subjectMax(78)],
  async run({ topic }: { topic: string }) {
    const { messages } = await mail.search({ query: topic, limit: 100 });
    const since = Date.now() - WEEK_MS;
    const recent = messages.filter((m) => new Date(m.receivedAt).getTime() >= since);

    if (recent.length === 0) {
      return { sent: false, reason: `Nothing about "${topic}" this week.` };
    }

    const lines = recent.map(
      (m) => `- ${m.receivedAt.slice(0, 10)} ${m.from}: ${m.subject || "(no subject)"}`,
    );
    await mail.send({
      to: ME,
      subject: `Weekly digest: ${shorten(topic, 75)}`,
      body: [`${recent.length} message(s) about ${topic}:`, "", ...lines].join("\n"),
    });

    return { sent: true, count: recent.length };
  },
});
