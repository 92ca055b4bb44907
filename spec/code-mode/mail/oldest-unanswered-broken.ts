/**
 * Task: List my five oldest threads where nobody has answered yet. Don't show me the contents.
 * Verdict: broken — answerHides("snippet")
 * Why: When a message has no subject, the answer shows the start of its snippet instead.
 * Features: Map of arrays, reduce, sort by two keys, logical or fallback, slice
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

const title = (m: mail.Message) => m.subject.trim() || m.snippet.slice(0, 40);

export default program({
  guarantees: [mail.readOnly(), mail.answerHides("body"), mail.answerHides("snippet")],
  async run({ me, now }: { me: string; now: string }) {
    const { messages } = await mail.search({ query: "in:inbox", limit: 500 });

    const threads = new Map<string, mail.Message[]>();
    for (const m of messages) {
      threads.set(m.threadId, [...(threads.get(m.threadId) ?? []), m]);
    }

    const open = Array.from(threads.values())
      .filter((list) => !list.some((m) => m.from === me))
      .map((list) => list.reduce((oldest, m) => (m.receivedAt < oldest.receivedAt ? m : oldest)))
      .sort((a, b) => a.receivedAt.localeCompare(b.receivedAt));

    return open.slice(0, 5).map((m) => ({
      subject: title(m),
      from: m.from,
      waitingDays: Math.floor((Date.parse(now) - Date.parse(m.receivedAt)) / 86_400_000),
    }));
  },
});
