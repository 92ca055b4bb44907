/**
 * Task: Answer frequently asked questions in a channel from this FAQ, always as a thread reply and at most 10 replies.
 * Verdict: holds
 * Why: threadTs is the ts of the message from history, and the counter is checked before every post.
 * Features: array of objects with regex, find, counter, break, for-of, const table
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

const FAQ: { pattern: RegExp; answer: string }[] = [
  { pattern: /reset (my )?password/i, answer: "You can reset your password at Settings > Security." },
  { pattern: /vpn/i, answer: "VPN instructions are in the handbook under IT > Network." },
  { pattern: /(vacation|holiday|days off)/i, answer: "Please request vacation in the HR portal." },
];

export default program({
  guarantees: [chat.repliesInThread(), chat.atMostSent(10), chat.neverDeletes()],
  async run({ channelId }: { channelId: string }) {
    const { messages } = await chat.history({ channelId, limit: 100 });
    let replies = 0;

    for (const message of messages) {
      if (replies >= 10) break;
      if (message.threadTs || message.replyCount) continue; // already in a thread
      if (!message.text.includes("?")) continue;
      const hit = FAQ.find((f) => f.pattern.test(message.text));
      if (!hit) continue;
      replies++;
      await chat.postMessage({ channelId, text: hit.answer, threadTs: message.ts });
    }
    return { checked: messages.length, replies };
  },
});
