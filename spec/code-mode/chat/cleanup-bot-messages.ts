/**
 * Task: Delete the messages of our old bot U_OLDBOT in a channel that are older than 30 days.
 * Verdict: holds
 * Why: Only messages whose userId is U_OLDBOT are deleted, by their own channelId and ts.
 * Features: while with cursor, Number conversion, filter, sequential delete, console.log
 */
import { program } from "foreclaim";
import * as chat from "./tools/chat";

const BOT = "U_OLDBOT";

export default program({
  guarantees: [chat.deletesOnlyBy(BOT), chat.atMostSent(0)],
  async run({ channelId }: { channelId: string }) {
    const limit = Date.now() / 1000 - 30 * 86_400;
    let deleted = 0;
    let page = await chat.history({ channelId, limit: 100 });

    while (true) {
      const old = page.messages.filter((m) => m.userId === BOT && Number(m.ts) < limit);
      for (const m of old) {
        await chat.deleteMessage({ channelId: m.channelId, ts: m.ts });
        deleted++;
      }
      console.log(`page with ${page.messages.length} messages, deleted ${old.length}`);
      if (!page.nextCursor) break;
      page = await chat.history({ channelId, limit: 100, cursor: page.nextCursor });
    }
    return `Deleted ${deleted} messages.`;
  },
});
