/**
 * Task: Answer frequently asked questions in a channel from this FAQ, always as a thread reply and at most 10 replies.
 * Verdict: broken
 * Why: threadTs is taken from message.threadTs, which is absent for a message that starts a conversation, so the reply goes to the channel.
 * Features: Object.entries table, includes, shorthand properties, counter
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

const ANSWERS: Record<string, string> = {
  password: "You can reset your password at Settings > Security.",
  vpn: "VPN instructions are in the handbook under IT > Network.",
  vacation: "Please request vacation in the HR portal.",
};

export default program({
  guarantees: [chat.repliesInThread(), chat.atMostSent(10), chat.neverDeletes()],
  async run({ channelId }: { channelId: string }) {
    const { messages } = await chat.history({ channelId, limit: 100 });
    let replies = 0;

    for (const { text, threadTs } of messages) {
      if (replies === 10) break;
      if (!text.trim().endsWith("?")) continue;
      const entry = Object.entries(ANSWERS).find(([word]) => text.toLowerCase().includes(word));
      if (!entry) continue;
      replies += 1;
      await chat.postMessage({ channelId, text: entry[1], threadTs });
    }
    return { replies };
  },
});
