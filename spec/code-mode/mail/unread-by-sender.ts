/**
 * Task: Who sends me the most mail that I haven't read yet? Give me the top ten senders.
 * Verdict: holds
 * Why: The program only calls search.
 * Features: Map, for-of, sort with two keys, slice, destructuring, nullish coalescing
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.readOnly()],
  async run() {
    const { messages } = await mail.search({ query: "is:unread", label: "unread", limit: 200 });

    const counts = new Map<string, number>();
    for (const { from } of messages) {
      const sender = from.trim().toLowerCase();
      counts.set(sender, (counts.get(sender) ?? 0) + 1);
    }

    const top = [...counts.entries()]
      .sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
      .slice(0, 10)
      .map(([sender, count]) => ({ sender, count }));

    return { unread: messages.length, top };
  },
});
