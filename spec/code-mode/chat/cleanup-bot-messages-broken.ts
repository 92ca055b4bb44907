/**
 * Task: Delete the messages of our old bot U_OLDBOT in a channel that are older than 30 days.
 * Verdict: broken
 * Why: Replies in the bot's threads are deleted too, and those were written by other users.
 * Features: Set of thread ids, filter with or, Promise.all, Number conversion
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

const BOT = "U_OLDBOT";

export default program({
  guarantees: [chat.deletesOnlyBy(BOT), chat.atMostSent(0)],
  async run({ channelId }: { channelId: string }) {
    const limit = Date.now() / 1000 - 30 * 86_400;
    const { messages } = await chat.history({ channelId, limit: 1000 });

    const botThreads = new Set(messages.filter((m) => m.userId === BOT).map((m) => m.ts));
    const targets = messages.filter(
      (m) =>
        Number(m.ts) < limit &&
        (m.userId === BOT || (m.threadTs !== undefined && botThreads.has(m.threadTs))),
    );
    await Promise.all(targets.map(({ channelId, ts }) => chat.deleteMessage({ channelId, ts })));
    return `Deleted ${targets.length} messages.`;
  },
});
