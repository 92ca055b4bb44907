/**
 * Task: List my five oldest threads where nobody has answered yet. Don't show me the contents.
 * Verdict: holds
 * Why: The program only searches, and neither the body nor the snippet is used for the answer.
 * Features: Map of arrays, groupBy by hand, filter, sort by two keys, slice, Math.floor on dates
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.readOnly(), mail.answerHides("body"), mail.answerHides("snippet")],
  async run({ me, now }: { me: string; now: string }) {
    const { messages } = await mail.search({ query: "in:inbox", limit: 500 });

    const threads = new Map<string, mail.Message[]>();
    for (const m of messages) {
      const list = threads.get(m.threadId);
      if (list) list.push(m);
      else threads.set(m.threadId, [m]);
    }

    const open = [...threads.values()]
      .filter((list) => list.every((m) => m.from !== me))
      .map((list) => list.reduce((oldest, m) => (m.receivedAt < oldest.receivedAt ? m : oldest)))
      .sort((a, b) => a.receivedAt.localeCompare(b.receivedAt) || a.subject.localeCompare(b.subject));

    return open.slice(0, 5).map((m) => ({
      subject: m.subject,
      from: m.from,
      waitingDays: Math.floor((Date.parse(now) - Date.parse(m.receivedAt)) / 86_400_000),
    }));
  },
});
